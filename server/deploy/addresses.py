"""Which addresses there are, and what answers each: for whoever writes another server's configuration."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from urllib.parse import urlsplit

from build.routes import API, JSON, ROUTES, Route
from library.errors import ErrorKind
from library.operations import OPERATIONS
from library.problems import UsageError
from writeapi.errors import problem_details

AWAY = "This copy of the library is served without its live part; everything else can be read here."
"""What is said of searches, reports and submissions where only files are served."""


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

    def __post_init__(self) -> None:
        """Refuse what would mean something else in a configuration."""
        if urlsplit(self.site_url).path.strip("/"):
            raise UsageError(f"{self.site_url} lies below a path; these configurations serve a whole host")
        named = {"--root": [self.root], "--folder": [self.folder], "--listen": self.listen, "--api": self.api}
        named |= {"--mcp": self.mcp, "--trusted-proxy": self.proxies}
        for option, values in named.items():
            for value in values:
                if not re.fullmatch(r"[A-Za-z0-9_./:\[\]-]+", value):
                    raise UsageError(f"{option} is {value!r}; it may have letters, digits and . / : _ - [ ] only")

    def problem(self, kind: ErrorKind, detail: str = "") -> str:
        """The body of an error as the service itself would give it."""
        return problem_details(self.site_url, kind, detail or f"{kind.title}.").decode()


def files() -> tuple[Route, ...]:
    """The routes that are files, one for each path: the first of the table, fixed paths first."""
    found: dict[str, Route] = {}
    for route in sorted(ROUTES, key=lambda route: "{" in route.path):
        if not route.live:
            found.setdefault(route.path, route)
    return tuple(found.values())


def file_in(route: Route) -> str:
    """The file of a route with nginx's variables where its braces are."""
    return route.file.replace("{slug}", "$slug").replace("{number}", "$number")


def path_in(route: Route, slug: str = "$slug") -> str:
    """The path of a route with nginx's variables where its braces are."""
    return route.path.replace("{slug}", slug).replace("{number}", "$number")


def route_of(path: str) -> Route:
    """The route of a path of the table."""
    return next(route for route in files() if route.path == path)


def is_renamed(route: Route) -> bool:
    """Whether the slug in a path may be a former one of a playbook."""
    return route.subject.name.startswith("playbook") and "{slug}" in route.path


def has_json_name(route: Route) -> bool:
    """Whether the answer is found by its file's name too, with `.json`, as static hosts find it."""
    return route.path.startswith(API) and route.content_type == JSON and not route.path.endswith((".json", "/"))


def live() -> Iterator[tuple[str, tuple[str, ...]]]:
    """The addresses of the API that the application answers, each with the methods that it takes there."""
    methods: dict[str, list[str]] = {}
    for operation in OPERATIONS:
        if operation.live:
            told = methods.setdefault(API + operation.path, [])
            told += ["GET", "HEAD"] if operation.method == "GET" else [operation.method]
    for path, known in methods.items():
        yield path, tuple(sorted(known))


def allowed(methods: tuple[str, ...], *, file: bool) -> str:
    """The value of `Allow` for an address, in the order in which the service says it."""
    reads = ("GET", "HEAD", "OPTIONS")
    told = (*reads, *(name for name in methods if name not in reads)) if file else (*methods, "OPTIONS")
    return ", ".join(told)
