"""What one caller may ask for, by the table `budgets.yaml`: counted before anything else is done for a request."""

from __future__ import annotations

import math
import re
import threading
import time
from collections.abc import Callable, Iterable, Mapping
from contextlib import AbstractAsyncContextManager, nullcontext
from pathlib import Path
from typing import TYPE_CHECKING
from weakref import WeakValueDictionary

import anyio
import msgspec
import msgspec.yaml
from starlette.datastructures import Headers
from starlette.responses import Response

from build.views.routes import API
from library.interface.errors import RATE_LIMITED, UNAVAILABLE
from library.interface.operations import OPERATIONS
from library.problems import count_of
from mcpserver import PATH as MCP
from writeapi.api.wire import PROBLEM_JSON, problem_details
from writeapi.logs import id_of, log_access
from writeapi.review.web.pages import MOUNT
from writeapi.services import address_of

from .query_pages import QUERY_PARAMETERS, SEARCH

if TYPE_CHECKING:
    from _typeshed.wsgi import StartResponse, WSGIApplication, WSGIEnvironment
    from starlette.types import ASGIApp, Receive, Scope, Send

CALM = 1.0  # seconds that a refused caller waits for the answer where waiting takes no thread: an endless loop is slow
APART = 0.01  # seconds between two such answers: a hundred connections that wait alike would all ask again at once
_BUSY = "The threads that are there for reads are all at work; try again in a second."
MOST = 20_000  # so many callers are remembered; of more, those that asked longest ago are forgotten


class Budget(msgspec.Struct, frozen=True):
    """So many requests `second` by second, `burst` more at once, and so many answered `together`; 0 is any number."""

    name: str
    second: int
    burst: int
    together: int = 0


BUDGETS: Mapping[str, Budget] = {
    budget.name: budget
    for budget in msgspec.yaml.decode(Path(__file__).with_suffix(".yaml").read_bytes(), type=tuple[Budget, ...])
}
_LIVE = re.compile(
    "|".join(
        re.sub(r"\\\{[a-z]+\\\}", "[^/]+", re.escape(API + operation.path))
        for operation in OPERATIONS
        if operation.live and operation.method == "GET"
    )
)


def budget_of(method: str, path: str, *, asks: bool = False) -> Budget:
    """The budget that a request is of; `asks` says that the address has a query.

    Slashes count once: Flask answers `//search` too.
    """
    path = re.sub("/+", "/", path)
    if path == MOUNT or path.startswith(f"{MOUNT}/"):
        name = "review"
    elif path.rstrip("/") == MCP:
        name = "mcp"
    elif path in (f"{API}/search", f"{API}/find") or (path == SEARCH and asks):
        name = "search"
    elif method in ("POST", "PUT", "PATCH", "DELETE"):
        name = "writes"
    else:
        name = "answers" if _LIVE.fullmatch(path) or (path in QUERY_PARAMETERS and asks) else "files"
    return BUDGETS[name]


def _asking(scope: Scope) -> tuple[object, str]:
    """The address of the connection, and whom all its headers say that it is for: a proxy may add a line of its own."""
    return (scope.get("client") or ("",))[0], ", ".join(Headers(scope=scope).getlist("x-forwarded-for"))


class Budgets:
    """Counts callers in this process, `times` the table; none with 0. Threads may share it."""

    def __init__(
        self, site_url: str, times: int, trusted_proxies: int, clock: Callable[[], float] = time.monotonic
    ) -> None:
        self.site_url = site_url
        self._times, self._proxies, self._clock = times, trusted_proxies, clock
        self._until: dict[tuple[str, str], float] = {}
        self._lock = threading.Lock()
        self._turns = WeakValueDictionary[str, anyio.Semaphore]()
        self._told = 0.0

    def over(self, budget: Budget, connected: object, forwarded: str) -> int:
        """In how many whole seconds the caller may ask again; 0 for one within its budget, whose request counts."""
        if not self._times:
            return 0
        key = budget.name, address_of(connected, forwarded, self._proxies)
        each = 1 / (budget.second * self._times)
        with self._lock:
            now = self._clock()
            until = max(now, self._until.pop(key, now))
            wait = until - now - each * budget.burst * self._times
            self._until[key] = until if wait > 0 else until + each
            if len(self._until) > MOST:
                del self._until[next(iter(self._until))]
        return math.ceil(wait) if wait > 0 else 0

    async def refused(self, scope: Scope, budget: Budget) -> Response | None:
        """The answer to a request beyond its caller's budget, a moment later; None for one within it."""
        seconds = self.over(budget, *_asking(scope))
        if not seconds:
            return None
        began = time.perf_counter()
        await anyio.sleep(self.pause())
        request_id = self._logged(Headers(scope=scope).get("x-request-id", ""), scope["method"], budget, 429, began)
        told, after = self._words(budget, seconds), {"Retry-After": str(seconds), "X-Request-Id": request_id}
        if budget.name == "mcp":
            from mcpserver.server import refusal  # half a second of a start, which gunicorn's workers have no use for

            return refusal(429, told, after)
        body = problem_details(self.site_url, RATE_LIMITED, told)
        return Response(body, 429, {"Content-Type": PROBLEM_JSON, "Cache-Control": "no-store", **after})

    def pause(self) -> float:
        """How long, in seconds, the next refusal waits: `CALM` or, where many do, until after the last; 5 at most."""
        now = self._clock()
        self._told = max(now + CALM, min(self._told + APART, now + 5 * CALM))
        return self._told - now

    def turn(self, scope: Scope, together: int) -> AbstractAsyncContextManager[object]:
        """Within it so many requests of one caller are answered at a time; the next waits, and no thread with it."""
        who = address_of(*_asking(scope), self._proxies)
        if not (self._times and who):
            return nullcontext()
        turn = self._turns[who] = self._turns.get(who) or anyio.Semaphore(together)
        return turn

    def within(self, app: WSGIApplication, threads: int = 0) -> WSGIApplication:
        """A WSGI application that answers only what is within its caller's budget.

        Of its process's `threads`, where they are known, reads of all callers take three quarters at most.
        """
        reading = threading.Semaphore(threads - threads // 4 if threads else MOST)

        def answer(environ: WSGIEnvironment, start_response: StartResponse) -> Iterable[bytes]:
            method, path = environ["REQUEST_METHOD"], environ.get("PATH_INFO", "")
            budget = budget_of(method, path, asks=bool(environ.get("QUERY_STRING")))
            seconds = self.over(budget, environ.get("REMOTE_ADDR"), environ.get("HTTP_X_FORWARDED_FOR", ""))
            if not seconds and budget.name == "writes":
                return app(environ, start_response)
            if not seconds and reading.acquire(blocking=False):
                try:
                    return app(environ, start_response)
                finally:
                    reading.release()
            kind, words = (RATE_LIMITED, self._words(budget, seconds)) if seconds else (UNAVAILABLE, _BUSY)
            given = environ.get("HTTP_X_REQUEST_ID", "")
            request_id = self._logged(given, method, budget, kind.status, time.perf_counter())
            after = {"Retry-After": str(seconds or 1), "X-Request-Id": request_id, "Cache-Control": "no-store"}
            start_response(f"{kind.status} {kind.title}", [("Content-Type", PROBLEM_JSON), *after.items()])
            return [problem_details(self.site_url, kind, words)]

        return answer

    def _logged(self, given: str, method: str, budget: Budget, status: int, began: float) -> str:
        """Write the line of a refusal, whose route is its budget; its id."""
        request_id = id_of(given, self._proxies)
        log_access(request_id, method, f"budget {budget.name}", status, began, "anonymous")
        return request_id

    def before(self, app: ASGIApp) -> ASGIApp:
        """The same for an ASGI application whose requests are all of MCP."""

        async def answer(scope: Scope, receive: Receive, send: Send) -> None:
            refused = await self.refused(scope, BUDGETS["mcp"]) if scope["type"] == "http" else None
            await (refused or app)(scope, receive, send)

        return answer

    def _words(self, budget: Budget, seconds: int) -> str:
        most, soon = budget.second * self._times, count_of(seconds, "second")
        return f"At most {most} requests of this kind a second for one caller; try again in {soon}."
