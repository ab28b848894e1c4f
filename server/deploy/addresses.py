"""Which addresses there are, and what answers each: for whoever writes another server's configuration."""

import re
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from ipaddress import ip_network
from urllib.parse import urlsplit

from build.views.routes import API, JSON, ROUTES, Route
from library.interface.errors import ErrorKind
from library.interface.operations import OPERATIONS, Operation
from library.problems import UsageError
from writeapi.api.wire import problem_details

AWAY = "This copy of the library is served without its live part; everything else can be read here."
"""What is said of searches, reports and submissions where only files are served."""


def is_address(text: str, *, port_needed: bool = True) -> bool:
    """Whether it is a name or an IP address (of version 6 in brackets) with a port from 1 to 65535."""
    name, colon, port = text.rpartition(":") if re.search(r":[^\]]*$", text) else (text, "", "")
    if (colon and not _is_port(port)) or (not colon and port_needed):
        return False
    if name.startswith("[") and name.endswith("]"):
        return "/" not in name and _is_network(name[1:-1])
    return bool(re.fullmatch(r"[A-Za-z0-9_-]+(\.[A-Za-z0-9_-]+)*", name))


def _is_port(text: str) -> bool:
    return bool(re.fullmatch(r"[0-9]{1,5}", text)) and 1 <= int(text) <= 65_535


def _is_network(text: str) -> bool:
    try:
        ip_network(text)
    except ValueError:
        return False
    return True


_ABSOLUTE = ("an absolute path", lambda text: text.startswith("/"))
_BEHIND = (
    "an address and a port, such as 127.0.0.1:8001, or unix: and an absolute path",
    lambda text: text.startswith("unix:/") or is_address(text),
)
_LISTEN = "a port, an address and a port, such as [::]:80, or unix: and an absolute path"
_NETWORK = "an IP address or a network by its first address, such as 192.0.2.0/24"
_OPTIONS: Mapping[str, tuple[str, Callable[[str], bool]]] = {
    "--root": _ABSOLUTE,
    "--folder": _ABSOLUTE,
    "--listen": (_LISTEN, lambda text: _is_port(text) or _BEHIND[1](text)),
    "--api": _BEHIND,
    "--mcp": _BEHIND,
    "--trusted-proxy": (_NETWORK, _is_network),
}
"""What the value of an option must be, in words, and whether one is that."""


@dataclass(frozen=True)
class Deployment:
    """What a configuration is made for.

    `root` is the built site on the machine, `folder` where the generated files will lie there. `api` and `mcp` are the
    addresses of the processes behind, none where only files are served. `proxies` are the networks before this server
    that may say who the caller is. `aliases` are former slugs, each with where it leads.
    """

    site_url: str
    root: str = "/srv/playbooks/site"
    folder: str = "/etc/playbooks/nginx"
    listen: tuple[str, ...] = ("80", "[::]:80")
    api: tuple[str, ...] = ("unix:/run/playbooks/api.sock",)
    mcp: tuple[str, ...] = ("127.0.0.1:8002",)
    proxies: tuple[str, ...] = ()
    aliases: Mapping[str, str] = field(default_factory=dict)
    hsts: str = ""
    brotli: bool = True
    callers: int = 100
    operations: Sequence[Operation] = OPERATIONS

    def __post_init__(self) -> None:
        """Refuse what would mean something else in a configuration, or nothing at all: all of it at once."""
        if problems := list(self._problems()):
            raise UsageError("\n".join(problems))

    def _problems(self) -> Iterator[str]:
        if urlsplit(self.site_url).path.strip("/"):
            yield f"{self.site_url} lies below a path; these configurations serve a whole host"
        elif not is_address(urlsplit(self.site_url).netloc, port_needed=False):
            yield f"--site-url is {self.site_url!r}; its host must be a name in ASCII or an IP address"
        named = {"--root": [self.root], "--folder": [self.folder], "--listen": self.listen, "--api": self.api}
        named |= {"--mcp": self.mcp, "--trusted-proxy": self.proxies}
        for option, values in named.items():
            what, is_right = _OPTIONS[option]
            for value in values:
                if not re.fullmatch(r"[A-Za-z0-9_./:\[\]-]+", value):
                    yield f"{option} is {value!r}; it may have letters, digits and . / : _ - [ ] only"
                elif not is_right(value):
                    yield f"{option} is {value!r}; it must be {what}"

    def problem(self, kind: ErrorKind, detail: str = "") -> str:
        """The body of an error as the service itself would give it."""
        return problem_details(self.site_url, kind, detail or f"{kind.title}.").decode()


def files() -> tuple[Route, ...]:
    """The routes that are files, one for each path: the first of the table, fixed paths first."""
    found: dict[str, Route] = {}
    for route in sorted(ROUTES, key=lambda route: "{" in route.path):
        found.setdefault(route.path, route)
    return tuple(found.values())


def file_in(route: Route) -> str:
    """The file of a route with nginx's variables where its braces are."""
    return re.sub(r"\{([a-z]+)\}", r"$\1", route.file)


def path_in(route: Route, slug: str = "$slug") -> str:
    """The path of a route with nginx's variables where its braces are."""
    return re.sub(r"\{([a-z]+)\}", r"$\1", route.path.replace("{slug}", slug))


def placed(path: str, mark: str = ":") -> str:
    """A path with what hosts of files have in the place of braces: `:slug`, or a star for each."""
    return re.sub(r"\{([a-z]+)\}", "*" if mark == "*" else rf"{mark}\1", path)


def route_of(path: str) -> Route:
    """The route of a path of the table."""
    return next(route for route in files() if route.path == path)


def is_renamed(route: Route) -> bool:
    """Whether the slug in a path may be a former one of a playbook."""
    return route.subject.name.startswith("playbook") and "{slug}" in route.path


def has_json_name(route: Route) -> bool:
    """Whether the answer is found by its file's name too, with `.json`, as static hosts find it."""
    return route.path.startswith(API) and route.content_type == JSON and not route.path.endswith((".json", "/"))


def leads_on(route: Route) -> str:
    """The same address without its last slash, or of the API with one, from where it leads on; empty for others."""
    if route.path in ("/", f"{API}/") or not (route.path.endswith("/") or route.path.startswith(f"{API}/")):
        return ""
    return route.path.removesuffix("/") if route.path.endswith("/") else f"{route.path}/"


def live(operations: Iterable[Operation] = OPERATIONS) -> Mapping[str, tuple[str, ...]]:
    """The addresses of the API that the application answers, each with the methods that it takes there.

    Where one is a file's too, the file answers what reads.
    """
    methods: dict[str, set[str]] = {}
    for operation in operations:
        if operation.live:
            taken = {"GET", "HEAD"} if operation.method == "GET" else {operation.method}
            methods.setdefault(API + operation.path, set()).update(taken)
    return {path: tuple(sorted(taken)) for path, taken in methods.items()}


def is_file(path: str) -> bool:
    """Whether reads of an address of the API are files."""
    return any(route.path == path for route in files())


def allowed(methods: tuple[str, ...], *, file: bool) -> str:
    """The value of `Allow` for an address, in the order in which the service says it."""
    reads = ("GET", "HEAD", "OPTIONS")
    others = (name for name in methods if name not in reads)
    return ", ".join((*reads, *others) if file else (*methods, "OPTIONS"))
