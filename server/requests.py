"""How requests come to an ASGI application: uvicorn as it is, bodies whole and in time, an id and a line in the log."""

import asyncio
import resource
import time

import anyio
import uvicorn
from starlette.datastructures import Headers, MutableHeaders
from starlette.requests import ClientDisconnect, Request
from starlette.types import ASGIApp, Message, Receive, Scope, Send
from uvicorn.protocols.http.httptools_impl import HttpToolsProtocol

from library.interface.bodies import MAX_BODY
from writeapi.logs import OUTER, id_of, log_access

SECONDS = 10.0
"""A body that is not there after so long is not waited for: some slow senders must not keep everybody else out."""
MAX_HEAD = 256 * 1024  # bytes of a request line with headers, or of trailers: uvicorn keeps them all in memory
MAX_HEADERS = 100  # as gunicorn has it


class IdleGo(HttpToolsProtocol):
    """A connection; the idle one made first goes where there are more than a quarter of the files that may be open."""

    unread = 0

    def data_received(self, data: bytes) -> None:
        """Take what came, unless it is no part of a body and has no end."""
        self.unread += len(data)
        super().data_received(data)
        if self.unread > MAX_HEAD and not self.transport.is_closing():
            self.send_400_response(f"A request line with its headers may have {MAX_HEAD // 1024} KiB.")

    def on_header(self, name: bytes, value: bytes) -> None:
        """One header, or a trailer."""
        if len(self.headers) == MAX_HEADERS:
            raise ValueError(f"more than {MAX_HEADERS} headers")
        super().on_header(name, value)

    def on_headers_complete(self) -> None:
        """The head has an end: what comes as a trailer is no header of this request, whoever sent it."""
        self.unread = 0
        super().on_headers_complete()
        self.headers = []

    def on_body(self, body: bytes) -> None:
        """A piece of a body, which is bounded where it is read."""
        self.unread = 0
        super().on_body(body)

    def connection_made(self, transport: asyncio.Transport) -> None:  # type: ignore[override]  # as uvicorn's own
        """Make room, so that who connects and says nothing keeps nobody else out."""
        super().connection_made(transport)
        self.made = self.loop.time()
        here = [one for one in self.connections if isinstance(one, IdleGo) and not one.transport.is_closing()]
        if len(here) > resource.getrlimit(resource.RLIMIT_NOFILE)[0] // 4:
            idle = (one for one in here if one.cycle is None or one.cycle.response_complete)
            min(idle, key=lambda one: one.made, default=self).transport.close()


def config_of(application: ASGIApp) -> uvicorn.Config:
    """How uvicorn serves an application of ours, which writes its own log and asks no proxy who calls."""
    return uvicorn.Config(
        application, http=IdleGo, log_level="error", access_log=False, server_header=False, proxy_headers=False
    )


async def read_body(scope: Scope, receive: Receive, seconds: float = SECONDS, limit: int = MAX_BODY) -> Receive | None:
    """What gives the whole body at once, before a thread is taken for it; None when it did not come in time, or at all.

    A body that has no length, or one over the `limit` in bytes, is left unread: the application refuses it by its
    headers.
    """
    length = Headers(scope=scope).get("content-length", "")
    if not (length.isascii() and length.isdigit()) or int(length[:12]) > limit:
        return receive
    given: list[Message] = []
    try:
        with anyio.move_on_after(seconds):
            given.append({"type": "http.request", "body": await Request(scope, receive).body()})
    except ClientDisconnect:
        return None

    async def whole() -> Message:
        return given.pop() if given else await receive()

    return whole if given else None


def traced(app: ASGIApp, route: str, trusted_proxies: int) -> ASGIApp:
    """An application that logs nothing itself, such as MCP, with an id and a line in the log for each request.

    What is asked within has the same id: one number from the proxy to the queue.
    """

    async def answer(scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] != "http":
            await app(scope, receive, send)
            return
        began, status, headers = time.perf_counter(), 500, Headers(scope=scope)
        request_id = id_of(headers.get("x-request-id", ""), trusted_proxies)

        async def named(message: Message) -> None:
            nonlocal status
            if message["type"] == "http.response.start":
                status = message["status"]
                MutableHeaders(scope=message)["X-Request-Id"] = request_id
            await send(message)

        outer = OUTER.set(request_id)
        try:
            await app(scope, receive, named)
        finally:
            OUTER.reset(outer)
            asked = route if scope["path"].rstrip("/") == route else None
            caller = "bearer" if "authorization" in headers else "anonymous"
            log_access(request_id, scope["method"], asked, status, began, caller)

    return answer
