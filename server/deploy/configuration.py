"""The files for nginx, Caddy and hosts of files, from templates; each value is quoted for the place it stands in."""

import json
import re
from collections.abc import Mapping
from functools import cache
from pathlib import Path

from jinja2 import Environment, FileSystemLoader, StrictUndefined, select_autoescape

from build.views.routes import API, HTML, Route
from library.interface import errors
from library.interface.answers import RunList
from library.interface.bodies import MAX_BODY
from library.interface.operations import FILTERS as FILTERS_OF_LISTS
from mcpserver.transport import MAX_READ, ONLY_POST, TOO_LARGE_MESSAGE, refusal
from mcpserver.transport import PATH as MCP
from writeapi.api.wire import PROBLEM_JSON, RETRY_SECONDS
from writeapi.review.web.app import MAX_FORM
from writeapi.review.web.site import MOUNT

from .. import response_headers
from ..files import ASSETS_AND_SEARCH, LISTS, SLUG, as_pattern, links
from ..query_pages import QUERY_PARAMETERS
from . import addresses
from .addresses import Deployment

MADE_BY = "Made by `playbooks deploy {}` from the tables of routes and operations: change those, not this."
NO_RUNS = RunList(total=0, items=(), next=None).json_bytes().decode()
_WORDS = frozenset({"default", "hostnames", "include", "volatile"})


def quoted(text: str) -> str:
    """A value of nginx in quotes; `$` keeps its meaning."""
    return "'" + text.replace("\\", "\\\\").replace("'", "\\'") + "'"


def map_key(slug: str) -> str:
    """A slug as the key of nginx's map: some words mean something else there."""
    return f"\\{slug}" if slug in _WORDS else slug


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
    elif isinstance(address, Route) and addresses.has_json_name(address):
        expression += r"(?:\.json)?"
    elif "{" not in path:
        return f"= {path}"
    return f'~ "^{expression}\\z"'


def slug_as(name: str) -> str:
    """The regular expression of a slug that nginx keeps under this name."""
    return SLUG.replace("?P<slug>", f"?P<{name}>")


def caddy(text: str) -> str:
    """A value of Caddy in quotes, or in backticks where it holds quotes itself."""
    return f"`{text}`" if '"' in text and "`" not in text else '"' + text.replace('"', '\\"') + '"'


def known_to_caddy(expression: str) -> str:
    """An expression as Caddy's are, which know no look-ahead. A slug too long is no file, and no record."""
    return expression.replace("(?![a-z0-9_-]{65})", "")


def caddy_pattern(path: str) -> str:
    """A path of the table as Caddy's expressions have it."""
    return known_to_caddy(as_pattern(path))


def caddy_found(text: str, name: str) -> str:
    """A path with what the expression of this name found."""
    return re.sub(r"\$(slug|number|script|year|month)", rf"{{re.{name}.\1}}", text)


def script(value: object) -> str:
    """A value in a script."""
    return json.dumps(value, indent=2 if isinstance(value, dict) and value else None)


_FOR_NGINX = (quoted, map_key, variable, location, any_segment, slug_as)
_FOR_CADDY = (caddy, caddy_pattern, caddy_found, known_to_caddy)
FILTERS = {made.__name__: made for made in (*_FOR_NGINX, *_FOR_CADDY, script)}


def nginx_files(deployment: Deployment) -> Mapping[str, str]:
    """Every file by its name in the folder."""
    names = ("nginx.conf", "playbooks.conf", "errors.conf", "proxy.conf", "aliases.map")
    return {**_files("nginx", names, deployment), "answers/no-runs.json": NO_RUNS}


def caddy_files(deployment: Deployment) -> Mapping[str, str]:
    """The one file by its name in the folder."""
    return _files("caddy", ("Caddyfile",), deployment)


def static_files(deployment: Deployment) -> Mapping[str, str]:
    """What hosts of files read, by its name relative to the top of the site, and a note of what each of them needs."""
    names = ("_redirects", "_headers", "functions/api/v1/runs.js", "HOSTS.md")
    return {**_files("static", names, deployment), ".nojekyll": ""}


def _files(kind: str, names: tuple[str, ...], deployment: Deployment) -> dict[str, str]:
    hsts = {response_headers.STRICT: deployment.hsts} if deployment.hsts else {}
    values = {
        "deployment": deployment,
        "aliases": sorted(deployment.aliases.items()),
        "everywhere": {**response_headers.EVERYWHERE, **hsts},
        "live": addresses.live(deployment.operations),
        "runs": addresses.route_of(f"{API}/runs"),
        "made_by": MADE_BY.format(kind),
    }
    return {name: _templates().get_template(f"{kind}/{name}.j2").render(values) for name in names}


@cache
def _templates() -> Environment:
    """What every template has: the tables by their modules, and a filter for each place that a value may stand in."""
    found = Environment(
        autoescape=select_autoescape(()),  # none of it is HTML: each value is quoted for the place that it stands in
        loader=FileSystemLoader(Path(__file__).with_name("templates")),
        undefined=StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
        keep_trailing_newline=True,
    )
    found.filters |= FILTERS
    found.globals |= {"table": addresses, "response_headers": response_headers, "errors": errors, "links": links}
    found.globals |= {"query_parameters": QUERY_PARAMETERS, "assets": ASSETS_AND_SEARCH, "api": API, "mcp": MCP}
    found.globals |= {"html": HTML, "problem_json": PROBLEM_JSON, "review": MOUNT}
    found.globals |= {"no_runs": NO_RUNS, "retry_seconds": RETRY_SECONDS}
    found.globals |= {"lists": LISTS, "filters": FILTERS_OF_LISTS}
    found.globals |= {"max_body": MAX_BODY, "max_form": MAX_FORM, "max_message": MAX_READ}
    found.globals |= {"mcp_too_large": TOO_LARGE_MESSAGE, "mcp_only_post": ONLY_POST}
    found.globals |= {"mcp_error": lambda status, message: bytes(refusal(status, message).body).decode()}
    found.globals |= {"untyped_problem": _untyped_problem}
    return found


def _untyped_problem(status: int, title: str, detail: str) -> str:
    """Problem details of what nothing else of the service says."""
    return errors.ProblemDetails(type="about:blank", title=title, status=status, detail=detail).json_bytes().decode()
