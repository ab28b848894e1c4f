"""An id and a line in the log for every request to an ASGI application that logs none itself, such as MCP."""

from __future__ import annotations

import time

from starlette.datastructures import Headers, MutableHeaders
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from writeapi.logs import OUTER, id_of, log_access


class Traced:
    """The application at `route`. What is asked within has the same id: one number from the proxy to the queue."""

    def __init__(self, app: ASGIApp, route: str, trusted_proxies: int) -> None:
        self.app = app
        self.route = route
        self.trusted_proxies = trusted_proxies

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Answer one request, or live."""
        if scope["type"] != "http":
            await self.app(scope, receive, send)
            return
        began, status = time.perf_counter(), 500
        headers = Headers(scope=scope)
        request_id = id_of(headers.get("x-request-id", ""), self.trusted_proxies)

        async def named(message: Message) -> None:
            nonlocal status
            if message["type"] == "http.response.start":
                status = message["status"]
                MutableHeaders(scope=message)["X-Request-Id"] = request_id
            await send(message)

        outer = OUTER.set(request_id)
        try:
            await self.app(scope, receive, named)
        finally:
            OUTER.reset(outer)
            there = scope["path"].rstrip("/") == self.route
            caller = "bearer" if "authorization" in headers else "anonymous"
            log_access(request_id, scope["method"], self.route if there else None, status, began, caller)
