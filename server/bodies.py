"""Request bodies, read whole and within a time limit before any thread of the application is taken for them."""

from __future__ import annotations

import anyio
from starlette.datastructures import Headers
from starlette.types import Message, Receive

from library.bodies import MAX_BODY

SECONDS = 10.0
"""A body that is not there after so long is not waited for: some slow senders must not keep everybody else out."""


async def read_body(
    headers: Headers, receive: Receive, seconds: float = SECONDS, limit: int = MAX_BODY
) -> Receive | None:
    """What gives the whole body at once; None when it did not come in time.

    A body that has no length, or one over the `limit` in bytes, is left unread: the application refuses it by its
    headers.
    """
    length = headers.get("content-length", "")
    if not (length.isascii() and length.isdigit()) or int(length[:12]) > limit:
        return receive
    parts: list[bytes] = []
    ended: Message | None = None
    with anyio.move_on_after(seconds) as allowed:
        while ended is None:
            message = await receive()
            parts.append(message.get("body", b""))
            if message["type"] != "http.request" or not message.get("more_body", False):
                ended = message
    if allowed.cancelled_caught or ended is None:
        return None
    given = [ended if ended["type"] != "http.request" else {**ended, "body": b"".join(parts), "more_body": False}]

    async def whole() -> Message:
        return given.pop() if given else await receive()

    return whole
