"""What is known of the endpoint before the protocol is loaded, which takes half a second: its address and refusals."""

import json
from collections.abc import Mapping
from contextlib import AbstractAsyncContextManager
from types import MappingProxyType

from starlette.responses import Response
from starlette.types import Receive, Send

PATH = "/mcp"
MAX_BODY = 64 * 1024
MAX_READ = 1024 * 1024
"""So much is read of a message that is too long, for its id: its caller is answered, and its session lives."""
ONLY_POST = "Send a POST with one JSON-RPC message."
TOO_LARGE_MESSAGE = f"A message may have {MAX_BODY // 1024} KiB. Shorten the longest argument, and send it again."
INVALID_REQUEST = -32600
"""JSON-RPC's own number."""


async def lifespan(running: AbstractAsyncContextManager[None], receive: Receive, send: Send) -> None:
    """Keep an endpoint running as long as the application lives that it is mounted in."""
    await receive()
    async with running:
        await send({"type": "lifespan.startup.complete"})
        await receive()
    await send({"type": "lifespan.shutdown.complete"})


def refusal(
    status: int,
    message: str,
    headers: Mapping[str, str] = MappingProxyType({}),
    code: int = INVALID_REQUEST,
    of: str | int | None = None,
) -> Response:
    """An error of the transport as the JSON-RPC error that it is to a client; `of` is the request's id."""
    body = {"jsonrpc": "2.0", "id": of, "error": {"code": code, "message": message}}
    told = {"Cache-Control": "no-store", **headers}
    return Response(json.dumps(body), status, told, media_type="application/json")


def stopping() -> Response:
    """The refusal of an endpoint that does not run."""
    return refusal(503, "The server is starting or stopping.", {"Retry-After": "5"})
