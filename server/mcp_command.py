"""The command `mcp`: the library over the Model Context Protocol, on stdio or over HTTP.

A client starts it anew for every session, so nothing is loaded here before it is needed.
"""

from __future__ import annotations

import os
import signal
from collections.abc import Callable, Mapping
from functools import cache, partial
from pathlib import Path
from typing import TYPE_CHECKING, Any, cast
from urllib.parse import urlsplit

import anyio
import click
from anyio import to_thread
from click.core import ParameterSource

from library.options import var_option
from library.problems import UsageError
from mcpserver.http import Endpoint, alone
from mcpserver.ports import FileReader, Peer, Record
from mcpserver.remote import InProcessWriter, Remote
from mcpserver.server import Handlers, run_on_stdio
from mcpserver.transport import PATH

from .environment import mcp_hosts, refuse_wrong, site_url_of, strict_transport

if TYPE_CHECKING:
    from starlette.types import ASGIApp, Receive, Scope, Send

KEY = "PLAYBOOKS_KEY"
_OUT = "The built site to read; what is sent goes to the queue in --var."
_PORT = "With --http: the port to listen on; 0 takes a free one."


@click.command(epilog="Example: playbooks mcp --base-url https://library.example")
@click.option("--out", type=click.Path(path_type=Path), default=Path("site"), show_default=True, help=_OUT)
@click.option("--base-url", help="Read and write another server's library instead, such as https://library.example.")
@var_option
@click.option("--http", is_flag=True, help=f"Serve {PATH} over HTTP instead of stdio.")
@click.option("--host", default="127.0.0.1", show_default=True, help="With --http: the address to listen on.")
@click.option("--port", type=click.IntRange(0, 65535), default=8002, show_default=True, help=_PORT)
def mcp(out: Path, base_url: str | None, var: Path, http: bool, host: str, port: int) -> None:
    """Serve the library to agents over MCP. On stdio, the key in PLAYBOOKS_KEY is sent along with what is written."""
    key = None if http else os.environ.get(KEY)
    source = click.get_current_context().get_parameter_source  # what the environment says holds for other commands too
    if base_url is not None and ParameterSource.COMMANDLINE in map(source, ("out", "var")):
        raise UsageError("--base-url reads and writes another library, --out and --var one here; give one or the other")
    if not http:
        refuse_wrong(os.environ)
    library = _remote(base_url, key) if base_url is not None else _local(out, var, key)
    if http:
        _serve(library, host, port)
    else:
        # A thread waits in a read of standard input, and Python's own handler would wait for that thread.
        signal.signal(signal.SIGINT, signal.SIG_DFL)
        anyio.run(run_on_stdio, library)


def _remote(base_url: str, key: str | None) -> Handlers:
    try:
        parts = urlsplit(base_url)
        whole = parts.scheme in ("http", "https") and bool(parts.hostname) and parts.port != 0
    except ValueError:
        whole = False
    if not whole or "@" in base_url or set("?# ") & set(base_url) or not base_url.isascii():
        raise UsageError(f"--base-url {base_url!r} is no plain http(s) address, such as https://library.example")
    plain = parts.scheme == "http" and parts.hostname not in ("127.0.0.1", "localhost", "::1")
    if key and plain:
        raise UsageError(f"{KEY} is set, and would be sent over plain http; use https")
    remote = Remote(base_url.removesuffix("/").removesuffix("/api/v1"))
    return Handlers(remote, remote, remote.site_url, Peer(None, _headers(key)))


def _local(out: Path, var: Path, key: str | None) -> Handlers:
    site_url = site_url_of(out, "build one, or name it with --out or --base-url")

    @cache
    def answering() -> Callable[[Mapping[str, str]], Record]:
        """What answers by the index, which is opened when the first question is asked."""
        from .engine import CurrentEngine
        from .mcp import search_by

        return search_by(CurrentEngine(out.absolute()))

    def search(question: Mapping[str, str]) -> Record:
        return answering()(question)

    made, one = cache(partial(_app_of, out, var, site_url)), anyio.Lock()

    async def live(scope: Scope, receive: Receive, send: Send) -> None:
        """The live application, which opens the queue when something is sent for the first time."""
        async with one:
            app = await to_thread.run_sync(made)
        await app(scope, receive, send)

    caller = Peer(("127.0.0.1", 0), _headers(key))
    return Handlers(FileReader(out, search), InProcessWriter(live), site_url, caller)


def _headers(key: str | None) -> tuple[tuple[bytes, bytes], ...]:
    if not key:
        return ()
    if not key.isascii() or not key.isprintable():
        raise UsageError(f"{KEY} holds no API key")
    return ((b"authorization", f"Bearer {key}".encode()),)


def _app_of(out: Path, var: Path, site_url: str) -> ASGIApp:
    from a2wsgi import WSGIMiddleware

    from writeapi import create_app
    from writeapi.logs import log_to_stderr

    from .engine import CurrentEngine
    from .queue import open_queue, services_of

    settings, store = open_queue(os.environ, site_url, var)
    log_to_stderr()
    app = create_app(services_of(settings, store, out.absolute()), CurrentEngine(out.absolute()))
    return cast("ASGIApp", WSGIMiddleware(cast("Any", app), workers=4))


def _serve(library: Handlers, host: str, port: int) -> None:
    import uvicorn

    from writeapi.logs import log_to_stderr
    from writeapi.settings import trusted_proxies

    from .commands import bound, listening
    from .mcp import hosts_of
    from .requests import config_of, traced
    from .response_headers import closed_to_others

    refuse_wrong(os.environ, trusted_proxies)
    proxies, hsts, further = trusted_proxies(os.environ), strict_transport(os.environ), mcp_hosts(os.environ)
    listener = listening(bound(host, port))
    endpoint = Endpoint(library.server(), hosts_of(library.site_url, (host, *further)))
    name = f"[{host}]" if ":" in host else host
    click.echo(f"serving http://{name}:{listener.getsockname()[1]}{PATH} (Ctrl+C stops)")
    log_to_stderr()
    app = closed_to_others(traced(alone(endpoint), PATH, proxies), hsts)
    uvicorn.Server(config_of(app)).run(sockets=[listener])
