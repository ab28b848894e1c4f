"""Streamable HTTP with manners: no session, no stream that hangs, a bound on what is read, every error in JSON."""

import json
import logging
from collections.abc import AsyncIterator, Iterable, Mapping
from contextlib import AbstractAsyncContextManager, asynccontextmanager
from types import MappingProxyType
from typing import Any

import anyio
from mcp.server import Server
from mcp.server.streamable_http import check_accept_headers
from mcp.server.streamable_http_manager import StreamableHTTPSessionManager
from mcp.server.transport_security import TransportSecurityMiddleware, TransportSecuritySettings
from mcp_types import INVALID_REQUEST, PARSE_ERROR, jsonrpc_message_adapter
from pydantic import ValidationError
from starlette.requests import ClientDisconnect, Request
from starlette.responses import Response
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from . import PATH

MAX_BODY = 64 * 1024
MAX_READ = 1024 * 1024
"""So much is read of a message that is too long, for its id: its caller is answered, and its session lives."""
SECONDS = 10.0  # a body that is not there after so long is not waited for
ONLY_POST = "Send a POST with one JSON-RPC message."
TOO_LARGE_MESSAGE = f"A message may have {MAX_BODY // 1024} KiB. Shorten the longest argument, and send it again."
ONE_MESSAGE = (
    'Send one JSON-RPC 2.0 object, no list of them, such as {"jsonrpc": "2.0", "id": 1, "method": "tools/list"}.'
)
# Under which name or from which page a stranger asks is answered, and is no line of our log.
logging.getLogger("mcp.server.transport_security").setLevel(logging.ERROR)


def refusal(
    status: int,
    message: str,
    headers: Mapping[str, str] = MappingProxyType({}),
    code: int = INVALID_REQUEST,
    of: str | int | None = None,
) -> Response:
    """An error of the transport as the JSON-RPC error that it is to a client; `of` is the request's id."""
    body = json.dumps({"jsonrpc": "2.0", "id": of, "error": {"code": code, "message": message}})
    return Response(body, status, {"Cache-Control": "no-store", **headers}, media_type="application/json")


STOPPING = refusal(503, "The server is starting or stopping.", {"Retry-After": "5"})
TOO_LARGE = refusal(413, TOO_LARGE_MESSAGE, {"Connection": "close"})


class Endpoint:
    """The ASGI application of one address. It answers within `running` only."""

    def __init__(self, server: Server[Any], hosts: Iterable[str]) -> None:
        """Make it; `hosts` are the names, without a port, that a request may come to beside loopback ones.

        Asked for under any other name it refuses, so that no page of a stranger reaches it by a name of its own.
        """
        names = list(dict.fromkeys(("127.0.0.1", "localhost", "[::1]", *(name for name in hosts if name))))
        settings = TransportSecuritySettings(
            allowed_hosts=[form for name in names for form in (name, f"{name}:*")],
            allowed_origins=[
                form for name in names for way in ("http", "https") for form in (f"{way}://{name}", f"{way}://{name}:*")
            ],
        )
        self._security = TransportSecurityMiddleware(settings)
        self._server = server
        self._answer: ASGIApp = STOPPING

    @asynccontextmanager
    async def running(self) -> AsyncIterator[None]:
        """For as long as the server lives."""
        manager = StreamableHTTPSessionManager(self._server, json_response=True, stateless=True)
        async with manager.run():
            self._answer = manager.handle_request
            try:
                yield
            finally:
                self._answer = STOPPING

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Answer one request."""
        # The space around a header's value is no part of it (RFC 9110, 5.5), and not every server takes it off.
        scope = {**scope, "headers": [(name, value.strip(b" \t")) for name, value in scope["headers"]]}
        request = Request(scope, receive)
        body = await self._refused(request) or await _read(request)
        if isinstance(body, bytes):
            body = _wrong_with(body) or body
        if isinstance(body, Response):
            await body(scope, receive, send)
            return
        given: list[Message] = [{"type": "http.request", "body": body, "more_body": False}]

        async def whole() -> Message:
            return given.pop() if given else await receive()

        await self._answer(scope, whole, send)

    async def _refused(self, request: Request) -> Response | None:
        """Why a request is not taken, by its head; None for one that is."""
        if request.method == "OPTIONS":
            return Response(status_code=204, headers={"Allow": "POST, OPTIONS"})
        if request.method != "POST":
            # A stream that a GET would open never says anything here, and a proxy would hold it for ever.
            return refusal(405, ONLY_POST, {"Allow": "POST, OPTIONS"})
        if request.headers.get("content-encoding", "").lower() not in ("", "identity"):
            return refusal(415, "Send the body as it is, without Content-Encoding.", {"Accept-Encoding": "identity"})
        if (stranger := await self._security.validate_request(request, is_post=True)) is not None:
            return refusal(stranger.status_code, bytes(stranger.body).decode())
        return None if check_accept_headers(request)[0] else refusal(406, "Accept must name application/json.")


def alone(endpoint: Endpoint) -> ASGIApp:
    """The endpoint as the only thing that a process serves."""

    async def application(scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] == "lifespan":
            await lifespan(endpoint.running(), receive, send)
        elif scope["type"] == "http":
            here = scope["path"].rstrip("/") == PATH
            await (endpoint if here else refusal(404, f"There is nothing here but {PATH}."))(scope, receive, send)

    return application


async def lifespan(running: AbstractAsyncContextManager[None], receive: Receive, send: Send) -> None:
    """Keep an endpoint running as long as the application lives that it is mounted in."""
    await receive()
    async with running:
        await send({"type": "lifespan.startup.complete"})
        await receive()
    await send({"type": "lifespan.shutdown.complete"})


async def _read(request: Request) -> bytes | Response:
    """The whole body, or why it is not taken."""
    body, fits = bytearray(), True
    if int(request.headers.get("content-length", "0")[:12]) > MAX_READ:
        return TOO_LARGE
    try:
        with anyio.fail_after(SECONDS):
            async for part in request.stream():
                body += part
                if not (fits := len(body) <= MAX_READ):
                    break
    except (TimeoutError, ClientDisconnect):
        return refusal(408, "The body did not come in time.", {"Connection": "close"})
    return bytes(body) if fits else TOO_LARGE


def _wrong_with(body: bytes) -> Response | None:
    """What is wrong with a body that is no message, or too long, with the mend."""
    too_long = len(body) > MAX_BODY
    try:
        message = json.loads(body)
        jsonrpc_message_adapter.validate_python(message)
    except ValidationError:
        return TOO_LARGE if too_long else refusal(400, f"The body is no JSON-RPC message. {ONE_MESSAGE}")
    except (ValueError, RecursionError):
        return TOO_LARGE if too_long else refusal(400, f"The body is not JSON. {ONE_MESSAGE}", code=PARSE_ERROR)
    return refusal(200, TOO_LARGE_MESSAGE, of=message.get("id")) if too_long else None
