"""The command `deploy`: configuration for the servers before the service, from templates over its own tables.

Each value is quoted for the place that it stands in.
"""

import json
import os
import re
import sysconfig
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cache
from pathlib import Path, PurePosixPath
from types import MappingProxyType
from typing import Any

import click
import orjson
from jinja2 import Environment, FileSystemLoader, StrictUndefined, select_autoescape

from build.commands import site_url_option
from build.settings import PROJECT
from build.views.routes import API, HTML, JSON, ROUTES, Route
from library.durable import replace_file
from library.interface import errors
from library.interface.answers import RunList
from library.interface.bodies import MAX_BODY
from library.interface.errors import ErrorKind
from library.interface.operations import FILTERS as FILTERS_OF_LISTS
from library.interface.operations import OPERATIONS, Operation
from library.problems import UsageError, count_of
from mcpserver import PATH as MCP
from mcpserver.server import MAX_READ, ONLY_POST, TOO_LARGE_MESSAGE, refusal
from writeapi.api.wire import PROBLEM_JSON, RETRY_SECONDS, problem_details
from writeapi.review.web.app import MAX_FORM
from writeapi.review.web.pages import MOUNT
from writeapi.settings import budgets

from .. import response_headers
from ..budgets import BUDGETS, budget_of
from ..environment import site_url_of, strict_transport
from ..files import LISTS, SLUG, UNROUTED, as_pattern, links
from ..query_pages import QUERY_PARAMETERS

MADE_BY = "Made by `playbooks deploy {}` from the tables of routes and operations: change those, not this."
NO_RUNS = RunList(total=0, items=(), next=None).json_bytes().decode()
AWAY = "This copy of the library is served without its live part; everything else can be read here."
"""What is said of searches, reports and submissions where only files are served."""

_PORT = "[0-9]{1,5}"
_HOST = r"(?:[A-Za-z0-9_-]+(?:\.[A-Za-z0-9_-]+)*|\[[0-9A-Fa-f:.]+\])"
_PATH = "/[A-Za-z0-9_./-]+"
_BEHIND = f"{_HOST}:{_PORT}|unix:{_PATH}"
_BEHIND_IN_WORDS = "an address and a port, such as 127.0.0.1:8001, or unix: and an absolute path"
_ABSOLUTE = _PATH, "an absolute path of letters, digits and . / _ - alone"
_OPTIONS: Mapping[str, tuple[str, str]] = {
    **dict.fromkeys(("--root", "--folder", "--library", "--commands"), _ABSOLUTE),
    **dict.fromkeys(("--api", "--mcp"), (_BEHIND, _BEHIND_IN_WORDS)),
    "--listen": (f"(?:{_PORT}|{_BEHIND})(?: ssl)?", f"a port, {_BEHIND_IN_WORDS}, and ` ssl` after it for https"),
    "--trusted-proxy": (r"[0-9A-Fa-f:.]+(?:/[0-9]{1,3})?", "an IP address or a network, such as 192.0.2.0/24"),
    "--site-url": (
        rf"https?://{_HOST}(?::{_PORT})?/?",
        "the address of a whole host: a name in ASCII or an IP address",
    ),
    "--user": ("[a-z_][a-z0-9_-]{0,31}", "the name of an account, such as playbooks"),
}
"""What the value of an option is, as a pattern and in words."""


def refuse_wrong(given: Mapping[str, str | Sequence[str]]) -> None:
    """Raise `UsageError` with every option that would mean something else in a configuration, or nothing."""
    each = ((name, value) for name, told in given.items() for value in ([told] if isinstance(told, str) else told))
    wrong = [(name, value) for name, value in each if not re.fullmatch(_OPTIONS[name][0], value)]
    if wrong:
        raise UsageError("\n".join(f"{name} is {value!r}; it must be {_OPTIONS[name][1]}" for name, value in wrong))


@dataclass(frozen=True)
class Deployment:
    """What a configuration is made for.

    `root` is the built site on the machine, `folder` where the generated files will lie there. `api` and `mcp` are the
    addresses of the processes behind, none where only files are served. `proxies` are the networks before this server
    that may say who the caller is. `budgets` is how many times the table of budgets they have; 0 is
    without bounds. `aliases` are former slugs, each with where it leads.
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
    budgets: int = 1
    operations: Sequence[Operation] = OPERATIONS

    def __post_init__(self) -> None:
        """Refuse what would mean something else in a configuration, or nothing at all: all of it at once."""
        named = {"--site-url": self.site_url, "--root": self.root, "--folder": self.folder, "--listen": self.listen}
        refuse_wrong({**named, "--api": self.api, "--mcp": self.mcp, "--trusted-proxy": self.proxies})

    def problem(self, kind: ErrorKind, detail: str = "") -> str:
        """The body of an error as the service itself would give it."""
        return problem_details(self.site_url, kind, detail or kind.advice).decode()


def files() -> Mapping[str, Route]:
    """The routes that are files, each by its path: the first of the table, fixed paths first."""
    found: dict[str, Route] = {}
    for route in sorted(ROUTES, key=lambda route: "{" in route.path):
        found.setdefault(route.path, route)
    return found


def placed(path: str, form: str = "$%") -> str:
    """A path with another form in the place of braces, in which `%` is the name: `$slug`, `:slug`, or a star."""
    return re.sub(r"\{([a-z]+)\}", lambda match: form.replace("%", match[1]), path)


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


def allowed(methods: tuple[str, ...], *, file: bool) -> str:
    """The value of `Allow` for an address, in the order in which the service says it."""
    reads = ("GET", "HEAD", "OPTIONS")
    others = (name for name in methods if name not in reads)
    return ", ".join((*reads, *others) if file else (*methods, "OPTIONS"))


def quoted(text: str) -> str:
    """A value of nginx in quotes; `$` keeps its meaning."""
    return "'" + text.replace("\\", "\\\\").replace("'", "\\'") + "'"


def variable(text: str) -> str:
    """A header's name or a path as a part of the name of a variable."""
    return "_".join(re.findall(r"[a-z0-9]+", text.lower()))


def any_segment(path: str) -> str:
    """The regular expression of a live address: what stands in braces may be anything but a slash."""
    return re.sub(r"\\\{[a-z]+\\\}", "[^/]+", as_pattern(path))


def location(address: str | Route) -> str:
    """The address of nginx's location: of a path, or of a route with the names that its file has too."""
    path = address if isinstance(address, str) else address.path
    expression = any_segment(path)
    if path == f"{API}/":
        expression = f"{API}(?:/(?:index.json)?)?"
    elif isinstance(address, Route) and has_json_name(address):
        expression += r"(?:\.json)?"
    elif "{" not in path:
        return f"= {path}"
    return f'~ "^{expression}\\z"'


def caddy(text: str) -> str:
    """A value of Caddy in quotes, or in backticks where it holds quotes itself."""
    return f"`{text}`" if '"' in text and "`" not in text else '"' + text.replace('"', '\\"') + '"'


def known_to_caddy(expression: str) -> str:
    """An expression as Caddy's are, which know no look-ahead. A slug too long is no file, and no record."""
    return expression.replace("(?![a-z0-9_-]{65})", "")


def script(value: object) -> str:
    """A value in a script."""
    return json.dumps(value, indent=2 if isinstance(value, dict) and value else None)


_ABOUT_ROUTES = (files, placed, is_renamed, has_json_name, leads_on, allowed)
FILTERS = {
    made.__name__: made for made in (quoted, variable, location, any_segment, caddy, known_to_caddy, as_pattern, script)
}


_FILES: Mapping[str, tuple[str, ...]] = {
    "nginx": ("nginx.conf", "playbooks.conf", "errors.conf", "proxy.conf", "aliases.map"),
    "caddy": ("Caddyfile",),
    "static": ("_redirects", "_headers", "functions/api/v1/runs.js", "HOSTS.md"),
}
_BESIDE = {"nginx": {"answers/no-runs.json": NO_RUNS}, "static": {".nojekyll": ""}}


def files_for(server: str, deployment: Deployment) -> Mapping[str, str]:
    """Every file for `nginx`, `caddy` or `static` hosts of files, by its name in the folder or in the site."""
    hsts = {response_headers.STRICT: deployment.hsts} if deployment.hsts else {}
    values = {
        "deployment": deployment,
        "aliases": sorted(deployment.aliases.items()),
        "everywhere": {**response_headers.EVERYWHERE, **hsts},
        "live": live(deployment.operations),
        "runs": files()[f"{API}/runs"],
        "made_by": MADE_BY.format(server),
    }
    made = {name: _templates().get_template(f"{server}/{name}.j2").render(values) for name in _FILES[server]}
    return made | _BESIDE.get(server, {})


@cache
def _templates() -> Environment:
    """What every template has: the tables, what is asked of a route, and a filter for each place of a value."""
    found = Environment(
        autoescape=select_autoescape(()),  # none of it is HTML: each value is quoted for the place that it stands in
        loader=FileSystemLoader(Path(__file__).with_name("templates")),
        undefined=StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
        keep_trailing_newline=True,
    )
    found.filters |= FILTERS
    found.globals |= {
        "response_headers": response_headers,
        "errors": errors,
        "links": links,
        "away": AWAY,
        "slug": SLUG,
    }
    found.globals |= {made.__name__: made for made in _ABOUT_ROUTES}
    found.globals |= {"query_parameters": QUERY_PARAMETERS, "assets": UNROUTED, "api": API, "mcp": MCP}
    found.globals |= {"html": HTML, "problem_json": PROBLEM_JSON, "review": MOUNT}
    found.globals |= {"no_runs": NO_RUNS, "retry_seconds": RETRY_SECONDS, "budgets": BUDGETS, "budget_of": budget_of}
    found.globals |= {"lists": LISTS, "filters": FILTERS_OF_LISTS}
    found.globals |= {"max_body": MAX_BODY, "max_form": MAX_FORM, "max_message": MAX_READ}
    found.globals |= {"mcp_too_large": TOO_LARGE_MESSAGE, "mcp_only_post": ONLY_POST}
    found.globals |= {"mcp_error": lambda status, message: bytes(refusal(status, message).body).decode()}
    return found


SOURCE = PROJECT / "deploy"
ENVIRONMENT = "environment"  # what whoever runs it writes into: it is made once, and never written over

_UNREADABLE = ("/home/", "/root/", "/run/user/")  # what `ProtectHome` keeps from every unit


@dataclass(frozen=True)
class Machine:
    """Where everything lies on a machine; as it stands here, in the files of `deploy/`.

    `library` is the folder with `content`, `commands` that of `playbooks` and gunicorn, `root` the built site, `folder`
    where these files will be.
    """

    library: str = "/srv/playbooks/app"
    commands: str = "/srv/playbooks/app/.venv/bin"
    root: str = "/srv/playbooks/site"
    folder: str = "/etc/playbooks"
    user: str = "playbooks"

    def __post_init__(self) -> None:
        """Refuse what a unit would read as something else: all of it at once."""
        named = {"--library": self.library, "--commands": self.commands, "--root": self.root}
        refuse_wrong({**named, "--folder": self.folder, "--user": self.user})

    def filled(self, text: str) -> str:
        """A file of `deploy/`, its paths and its account those of this machine."""
        ours = Machine()
        places = {getattr(ours, name): getattr(self, name) for name in ("commands", "library", "root", "folder")}
        places |= {str(PurePosixPath(ours.root).parent): str(PurePosixPath(self.root).parent)}
        places |= {f"User={ours.user}": f"User={self.user}"}
        return re.sub("|".join(map(re.escape, places)), lambda match: places[match[0]], text)


def systemd_files(told: Machine) -> Mapping[str, str]:
    """Every file by its name below the folder where they will be."""
    found = {"gunicorn.conf.py": (SOURCE / "gunicorn.conf.py").read_text(encoding="utf-8")}
    for path in sorted((SOURCE / "systemd").iterdir()):
        name = path.name if path.name == ENVIRONMENT else f"systemd/{path.name}"
        found[name] = told.filled(path.read_text(encoding="utf-8"))
    return found


@click.group(epilog="Example: playbooks deploy nginx --site site --out /etc/playbooks/nginx")
def deploy() -> None:
    """Write the configuration of the servers before the service, from its tables of routes and operations."""


_FOLDER = click.Path(path_type=Path, file_okay=False)
_SITE = "The built site: its address and its former slugs are taken from it."
_out = click.option("--out", type=_FOLDER, required=True, help="Where to write it.")
_site = click.option("--site", type=_FOLDER, help=_SITE)
_address = site_url_option("The address of the site, where none is built here.")
_PROXY = "A network, such as a CDN's, that may say who the caller is."
_root = click.option("--root", default=Deployment.root, show_default=True, help="The built site on the machine.")
_api = click.option("--api", multiple=True, default=Deployment.api, show_default=True, help="Where gunicorn listens.")
_MCP = "Where the MCP server listens."
_mcp = click.option("--mcp", multiple=True, default=Deployment.mcp, show_default=True, help=_MCP)


@deploy.command(epilog="Example: playbooks deploy nginx --site site --out /etc/playbooks/nginx")
@_out
@_site
@_address
@_root
@click.option("--folder", help="Where these files will lie there; --out if absent.")
@click.option("--listen", multiple=True, default=Deployment.listen, show_default=True, help="Where nginx listens.")
@_api
@_mcp
@click.option("--no-api", is_flag=True, help="There is no live part: only files are served.")
@click.option("--trusted-proxy", "proxies", multiple=True, help=_PROXY)
@click.option("--no-brotli", "brotli", flag_value=False, default=True, help="This nginx has no brotli_static.")
def nginx(
    out: Path, site: Path | None, site_url: str | None, folder: str | None, no_api: bool, **options: object
) -> None:
    """Files for nginx: the site, its negotiation and errors, and what goes to the processes behind."""
    options |= {"folder": folder or str(out.absolute())} | ({"api": (), "mcp": ()} if no_api else {})
    write_all(out, files_for("nginx", of_site(site, site_url, os.environ, options)))


@deploy.command("caddy", epilog="Example: playbooks deploy caddy --site site --out /etc/caddy")
@_out
@_site
@_address
@_root
@_api
@_mcp
def for_caddy(out: Path, site: Path | None, site_url: str | None, **options: object) -> None:
    """A Caddyfile with its own certificates: the site, and what goes to the processes behind."""
    write_all(out, files_for("caddy", of_site(site, site_url, os.environ, options)))


@deploy.command(epilog="Example: playbooks deploy static --site site --out site-files")
@_out
@_site
@_address
def static(out: Path, site: Path | None, site_url: str | None) -> None:
    """Files for Netlify, Cloudflare Pages and other hosts that only serve files."""
    write_all(out, files_for("static", of_site(site, site_url, os.environ)))


@deploy.command(epilog="Example: playbooks deploy systemd --out /etc/playbooks --library /srv/playbooks/app")
@_out
@click.option("--library", help="The folder of the library on that machine, with content in it; this folder if absent.")
@click.option("--commands", help="Where playbooks and gunicorn are installed there; as here if absent.")
@click.option("--root", default=Machine.root, show_default=True, help="The built site on that machine.")
@click.option("--folder", help="Where these files will lie there; --out if absent.")
@click.option("--user", default=Machine.user, show_default=True, help="The account that runs it.")
def systemd(out: Path, library: str | None, commands: str | None, root: str, folder: str | None, user: str) -> None:
    """Units for systemd, gunicorn's settings, and an environment for yours, which is never written over."""
    commands = commands or sysconfig.get_path("scripts")
    told = Machine(library or str(Path.cwd()), commands, root, folder or str(out.absolute()), user)
    files = systemd_files(told)
    write_all(out, {name: text for name, text in files.items() if name != ENVIRONMENT or not (out / name).exists()})
    for place in (told.library, commands, str(Path(commands, "python").resolve()), root, told.folder):
        if place.startswith(_UNREADABLE):
            click.echo(f"{place} lies below a home folder, which the units may not read: put it elsewhere", err=True)


def of_site(
    site: Path | None,
    site_url: str | None,
    environment: Mapping[str, str] = MappingProxyType({}),
    options: Mapping[str, Any] = MappingProxyType({}),
) -> Deployment:
    """What a built site says of itself; where there is none, its address alone. Raises `UsageError` with all problems.

    `options` are further fields of the deployment.
    """
    options = {**options, "hsts": strict_transport(environment), "budgets": budgets(environment)}
    if site is None:
        if site_url is None:
            raise UsageError("say which site it is for: --site DIR of a built one, or --site-url ADDRESS")
        return Deployment(site_url.rstrip("/"), **options)
    place = site / API[1:] / "aliases.json"
    try:
        aliases = orjson.loads(place.read_bytes())["items"]
        if not all(re.fullmatch(SLUG, slug) for slug in (*aliases, *aliases.values())):
            raise ValueError(aliases)
    except OSError as error:
        raise UsageError(f"{site} is no built site; name one that `playbooks build` has made with --site") from error
    except (ValueError, LookupError, TypeError, AttributeError) as error:
        raise UsageError(f"{place} is damaged; build the site again") from error
    return Deployment((site_url or site_url_of(site.absolute())).rstrip("/"), aliases=aliases, **options)


def write_all(out: Path, files: Mapping[str, str]) -> None:
    """Write the files, each whole."""
    for name, text in files.items():
        (out / name).parent.mkdir(parents=True, exist_ok=True)
        replace_file(out / name, text.encode())
    click.echo(f"{out}: {count_of(len(files), 'file')}")
