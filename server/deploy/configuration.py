"""The files for nginx, Caddy and hosts of files, from their templates."""

from collections.abc import Mapping
from functools import cache
from pathlib import Path

from jinja2 import Environment, FileSystemLoader, StrictUndefined, select_autoescape

from build.views.routes import API, HTML
from library.interface import errors
from library.interface.answers import RunList
from library.interface.bodies import MAX_BODY
from mcpserver.transport import MAX_BODY as MAX_MESSAGE
from mcpserver.transport import ONLY_POST, TOO_LARGE_MESSAGE, refusal
from mcpserver.transport import PATH as MCP
from writeapi.api.live import RETRY_SECONDS
from writeapi.api.wire import PROBLEM_JSON
from writeapi.review.web.app import MAX_FORM
from writeapi.review.web.site import MOUNT

from .. import response_headers
from ..files import ASSETS_AND_SEARCH
from ..links import links
from ..query_pages import QUERY_PARAMETERS
from . import addresses
from .addresses import Deployment
from .quoting import FILTERS

MADE_BY = "Made by `playbooks deploy {}` from the tables of routes and operations: change those, not this."
NO_RUNS = RunList(total=0, items=()).json_bytes().decode()


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
    found.globals |= {
        "query_parameters": QUERY_PARAMETERS,
        "assets": ASSETS_AND_SEARCH,
        "api": API,
        "review": MOUNT,
        "mcp": MCP,
    }
    found.globals |= {"html": HTML, "problem_json": PROBLEM_JSON, "no_runs": NO_RUNS, "retry_seconds": RETRY_SECONDS}
    found.globals |= {"max_body": MAX_BODY, "max_form": MAX_FORM, "max_message": MAX_MESSAGE}
    found.globals |= {"mcp_error": _mcp_error, "mcp_too_large": TOO_LARGE_MESSAGE, "mcp_only_post": ONLY_POST}
    found.globals |= {"untyped_problem": _untyped_problem}
    return found


def _untyped_problem(status: int, title: str, detail: str) -> str:
    """Problem details of what nothing else of the service says."""
    return errors.ProblemDetails(type="about:blank", title=title, status=status, detail=detail).json_bytes().decode()


def _mcp_error(status: int, message: str) -> str:
    return bytes(refusal(status, message).body).decode()
