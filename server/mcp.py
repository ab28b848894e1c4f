"""The library over the Model Context Protocol: the endpoint beside a site, and the command `mcp`, on stdio or HTTP.

A client starts the command anew for every session, so the application and the index are loaded when they are asked.
"""

from __future__ import annotations

import os
import signal
from collections.abc import Callable, Sequence
from functools import cache, partial
from pathlib import Path
from typing import TYPE_CHECKING, Any, cast
from urllib.parse import urlsplit

import anyio
import click
from click.core import ParameterSource

from library.options import api_key, plain_address, var_option
from library.problems import UsageError
from mcpserver import PATH
from mcpserver.library import LibraryAccess, LocalLibrary, Peer, Record, Refusal, RemoteLibrary
from mcpserver.server import Endpoint, alone, run_on_stdio, server_of

from .environment import mcp_hosts, refuse_wrong, site_url_of, strict_transport

if TYPE_CHECKING:
    from starlette.types import ASGIApp, Receive, Scope, Send

    from library.interface.intake import LongSearch
    from writeapi.api.live import SearchSource

KEY = "PLAYBOOKS_KEY"
_OUT = "The built site to read; what is sent goes to the queue in --var."
_PORT = "With --http: the port to listen on; 0 takes a free one."


def search_by(engine: Callable[[], SearchSource]) -> Callable[[LongSearch], Record]:
    """What answers questions by the engine in use, as `POST /search` does."""

    def search(question: LongSearch) -> Record:
        from writeapi.api.live import answer_in_time, question_of
        from writeapi.api.wire import ApiError

        try:
            return answer_in_time(engine(), question_of(question)).model_dump(mode="json")
        except ApiError as error:
            raise Refusal(error.kind, error.detail, error.errors) from error

    return search


def beside(out: Path, live: ASGIApp, source: SearchSource, site_url: str, hosts: Sequence[str]) -> Endpoint:
    """The endpoint over the site behind `out`, writing to `live`; `hosts` are further names that it may be asked by."""
    library = LocalLibrary(out, search_by(lambda: source), live, site_url)
    return Endpoint(server_of(library), hosts_of(site_url, hosts))


def hosts_of(site_url: str, further: Sequence[str] = ()) -> list[str]:
    """The names, without a port, by which a server of this site may be asked."""
    name = urlsplit(site_url).hostname or ""
    return [f"[{host}]" if ":" in host and not host.startswith("[") else host for host in (name, *further) if host]


@click.command(epilog="Example: playbooks mcp --base-url https://library.example")
@click.option("--out", type=click.Path(path_type=Path), default=Path("site"), show_default=True, help=_OUT)
@click.option("--base-url", help="Read and write another server's library instead, such as https://library.example.")
@var_option
@click.option("--http", is_flag=True, help=f"Serve {PATH} over HTTP instead of stdio.")
@click.option("--host", default="127.0.0.1", show_default=True, help="With --http: the address to listen on.")
@click.option("--port", type=click.IntRange(0, 65535), default=8002, show_default=True, help=_PORT)
def mcp(out: Path, base_url: str | None, var: Path, http: bool, host: str, port: int) -> None:
    """Serve the library to agents over MCP. On stdio, the key in PLAYBOOKS_KEY is sent along with what is written."""
    source = click.get_current_context().get_parameter_source  # what the environment says holds for other commands too
    if base_url is not None and ParameterSource.COMMANDLINE in map(source, ("out", "var")):
        raise UsageError("--base-url reads and writes another library, --out and --var one here; give one or the other")
    if not http:
        refuse_wrong(os.environ)
    if base_url is not None:
        at = plain_address(base_url).removesuffix("/").removesuffix("/api/v1")
        library: LibraryAccess = RemoteLibrary(at)
    else:
        library = _local(out, var)
    key = None if http else api_key(None, os.environ.get(KEY), base_url or "https://")
    headers = ((b"authorization", f"Bearer {key}".encode()),) if key else ()
    caller = Peer(None if base_url else ("127.0.0.1", 0), headers)
    if http:
        _serve(library, host, port)
    else:
        # A thread waits in a read of standard input, and Python's own handler would wait for that thread.
        signal.signal(signal.SIGINT, signal.SIG_DFL)
        anyio.run(run_on_stdio, server_of(library, caller))


def _local(out: Path, var: Path) -> LocalLibrary:
    site_url = site_url_of(out, "build one, or name it with --out or --base-url")

    async def live(scope: Scope, receive: Receive, send: Send) -> None:
        """The live application, which opens the queue when something is sent for the first time."""
        await _app_of(out, var, site_url)(scope, receive, send)

    return LocalLibrary(out, search_by(partial(_engine_of, out)), live, site_url)


@cache
def _engine_of(out: Path) -> SearchSource:
    from .query_pages import CurrentEngine

    return CurrentEngine(out.absolute())


@cache
def _app_of(out: Path, var: Path, site_url: str) -> ASGIApp:
    from a2wsgi import WSGIMiddleware

    from writeapi import create_app
    from writeapi.logs import log_to_stderr

    from .queue import open_queue, services_of

    settings, store = open_queue(os.environ, site_url, var)
    log_to_stderr()
    app = create_app(services_of(settings, store, out.absolute()), _engine_of(out))
    return cast("ASGIApp", WSGIMiddleware(cast("Any", app), workers=4))


def _serve(library: LibraryAccess, host: str, port: int) -> None:
    import uvicorn

    from writeapi.logs import log_to_stderr
    from writeapi.settings import budgets, trusted_proxies

    from .budgets import Budgets
    from .commands import bound
    from .requests import config_of, traced
    from .response_headers import closed_to_others

    refuse_wrong(os.environ, trusted_proxies, budgets)
    proxies, hsts, further = trusted_proxies(os.environ), strict_transport(os.environ), mcp_hosts(os.environ)
    listener = bound(host, port)
    listener.listen(128)
    endpoint = Endpoint(server_of(library), hosts_of(library.site_url, (host, *further)))
    name = f"[{host}]" if ":" in host else host
    click.echo(f"serving http://{name}:{listener.getsockname()[1]}{PATH} (Ctrl+C stops)")
    log_to_stderr()
    within = Budgets(library.site_url, budgets(os.environ), proxies).before(alone(endpoint))
    app = closed_to_others(traced(within, PATH, proxies), hsts)
    uvicorn.Server(config_of(app)).run(sockets=[listener])
