"""Streamable HTTP with manners: no session, no stream that hangs, a bound on what is read, every error in JSON."""

import json
import logging
from collections.abc import AsyncIterator, Iterable
from contextlib import asynccontextmanager
from functools import partial
from typing import Any

import anyio
from mcp.server import Server
from mcp.server.streamable_http_manager import StreamableHTTPSessionManager
from mcp.server.transport_security import TransportSecuritySettings
from mcp_types import PARSE_ERROR, PROTOCOL_VERSION_META_KEY, UNSUPPORTED_PROTOCOL_VERSION, jsonrpc_message_adapter
from mcp_types.version import MODERN_PROTOCOL_VERSIONS, SUPPORTED_PROTOCOL_VERSIONS
from pydantic import ValidationError
from starlette.datastructures import Headers
from starlette.responses import JSONResponse, Response
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from .transport import MAX_BODY, MAX_READ, ONLY_POST, PATH, TOO_LARGE_MESSAGE, lifespan, refusal, stopping

SECONDS = 10.0
"""A body that is not there after so long is not waited for."""
_LONGEST_ID = 200

ONE_MESSAGE = (
    'Send one JSON-RPC 2.0 object, no list of them, such as {"jsonrpc": "2.0", "id": 1, "method": "tools/list"}.'
)
LOOPBACK = ("127.0.0.1", "localhost", "[::1]")
# Under which name or from which page a stranger asks is answered, and is no line of our log.
logging.getLogger("mcp.server.transport_security").setLevel(logging.ERROR)


class Endpoint:
    """The ASGI application of one address. It answers within `running` only."""

    def __init__(self, server: Server[Any], hosts: Iterable[str]) -> None:
        """Make it; `hosts` are the names, without a port, that a request may come to beside loopback ones.

        Asked for under any other name it refuses, so that no page of a stranger reaches it by a name of its own.
        """
        names = list(dict.fromkeys((*LOOPBACK, *(name for name in hosts if name))))
        settings = TransportSecuritySettings(
            allowed_hosts=[form for name in names for form in (name, f"{name}:*")],
            allowed_origins=[
                form for name in names for way in ("http", "https") for form in (f"{way}://{name}", f"{way}://{name}:*")
            ],
        )
        self._manager = StreamableHTTPSessionManager(
            server, json_response=True, stateless=True, security_settings=settings, max_request_body_size=MAX_BODY
        )
        self._runs = False

    @asynccontextmanager
    async def running(self) -> AsyncIterator[None]:
        """For as long as the server lives; once only."""
        async with self._manager.run():
            self._runs = True
            try:
                yield
            finally:
                self._runs = False

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Answer one request."""
        response = await self._answer(scope, receive, send)
        if response is not None:
            await response(scope, receive, send)

    async def _answer(self, scope: Scope, receive: Receive, send: Send) -> Response | None:
        """What is answered; None when the protocol's own handler answered."""
        if scope["method"] == "OPTIONS":
            return Response(status_code=204, headers={"Allow": "POST, OPTIONS"})
        if scope["method"] != "POST":
            # A stream that a GET would open never says anything here, and a proxy would hold it for ever.
            return refusal(405, ONLY_POST, {"Allow": "POST, OPTIONS"})
        if not self._runs:
            return stopping()
        # The space around a header's value is no part of it (RFC 9110, 5.5), and not every server takes it off.
        scope = {**scope, "headers": [(name, value.strip(b" \t")) for name, value in scope["headers"]]}
        if Headers(scope=scope).get("content-encoding", "").lower() not in ("", "identity"):
            return refusal(415, "Send the body as it is, without Content-Encoding.", {"Accept-Encoding": "identity"})
        body = await _read(Headers(scope=scope), receive)
        if isinstance(body, Response):
            return body
        wrong = _no_message(body, Headers(scope=scope).get("mcp-protocol-version"))
        given: list[Message] = [{"type": "http.request", "body": body, "more_body": False}]

        async def whole() -> Message:
            return given.pop() if given else await receive()

        await self._manager.handle_request(scope, whole, partial(_in_our_words, send, [], wrong))
        return None


def alone(endpoint: Endpoint) -> ASGIApp:
    """The endpoint as the only thing that a process serves."""

    async def application(scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] == "lifespan":
            await lifespan(endpoint.running(), receive, send)
        elif scope["type"] == "http":
            here = scope["path"].rstrip("/") == PATH
            await (endpoint if here else refusal(404, f"There is nothing here but {PATH}."))(scope, receive, send)

    return application


async def _read(headers: Headers, receive: Receive) -> bytes | Response:
    """The whole body, or why it is not taken."""
    length = headers.get("content-length", "0")
    fits = length.isascii() and length.isdigit() and int(length[:12]) <= MAX_READ
    body, more = bytearray(), True
    with anyio.move_on_after(SECONDS) as limit:
        while more and fits:
            message = await receive()
            body += message.get("body", b"")
            more = message["type"] == "http.request" and message.get("more_body", False)
            fits = len(body) <= MAX_READ
    if limit.cancelled_caught:
        return refusal(408, "The body did not come in time.", {"Connection": "close"})
    if fits and len(body) <= MAX_BODY:
        return bytes(body)
    asked = _id(body) if fits else None
    if asked is None:
        return refusal(413, TOO_LARGE_MESSAGE, {"Connection": "close"})
    return refusal(200, TOO_LARGE_MESSAGE, of=asked)


def _id(body: bytearray) -> str | int | None:
    """The id of a request that is too long to be answered otherwise."""
    try:
        message = json.loads(body)
    except (ValueError, RecursionError):
        return None
    asked = message.get("id") if isinstance(message, dict) else None
    return asked if isinstance(asked, str | int) and len(str(asked)) <= _LONGEST_ID else None


def _no_message(body: bytes, version: str | None) -> Response | None:
    """What is wrong with a body that is no message, or one of a protocol that nobody speaks here, with the mend."""
    try:
        message = json.loads(body)
    except (ValueError, RecursionError):
        return refusal(400, f"The body is not JSON. {ONE_MESSAGE}", code=PARSE_ERROR)
    try:
        jsonrpc_message_adapter.validate_python(message)
    except ValidationError:
        return refusal(400, f"The body is no JSON-RPC message. {ONE_MESSAGE}")
    meta = (message.get("params") or {}).get("_meta")
    of_body = meta.get(PROTOCOL_VERSION_META_KEY, version) if isinstance(meta, dict) else version
    if version is None or version in SUPPORTED_PROTOCOL_VERSIONS or of_body != version:
        return None  # where the header and the body say different things, the protocol's handler says so
    words = f"MCP-Protocol-Version is {version[:64]!r}; this server speaks {', '.join(SUPPORTED_PROTOCOL_VERSIONS)}"
    data = {"supported": list(MODERN_PROTOCOL_VERSIONS), "requested": version[:64]}
    error = {"code": UNSUPPORTED_PROTOCOL_VERSION, "message": f"{words}. Send one of these.", "data": data}
    return JSONResponse({"jsonrpc": "2.0", "id": message.get("id"), "error": error}, 400, {"Cache-Control": "no-store"})


async def _in_our_words(send: Send, held: list[Message], wrong: Response | None, message: Message) -> None:
    """Send on, but for an error in plain words, which becomes JSON, and one of a body that has something `wrong`."""
    if message["type"] == "http.response.start":
        in_json = Headers(raw=message["headers"]).get("content-type", "").startswith("application/json")
        if message["status"] >= 400 and (not in_json or (wrong and message["status"] == 400)):
            held.append({**message, "in_json": in_json})
            return
    elif held:
        status, headers, in_json = (held[0][name] for name in ("status", "headers", "in_json"))
        words = message.get("body", b"").decode("utf-8", "replace")
        words = words or (
            "Accept must name application/json." if status == 406 else f"The request cannot be taken ({status})."
        )
        response = wrong if wrong and in_json else refusal(status, words)
        allowed = [pair for pair in headers if pair[0] == b"allow"]
        await send({"type": "http.response.start", "status": status, "headers": [*response.raw_headers, *allowed]})
        await send({"type": "http.response.body", "body": response.body})
        return
    await send(message)
