"""The ASGI application: files by the route table, the live API by Flask, and the headers that all answers share."""

import hashlib
from collections.abc import Mapping, Sequence
from functools import partial
from pathlib import Path
from typing import Any, cast
from urllib.parse import urlencode

from a2wsgi import WSGIMiddleware
from anyio import CapacityLimiter, to_thread
from starlette.datastructures import Headers
from starlette.middleware.gzip import GZipMiddleware
from starlette.responses import PlainTextResponse, RedirectResponse, Response
from starlette.routing import Router
from starlette.types import ASGIApp, Receive, Scope, Send

from build.views.rendering import RenderEnvironment
from build.views.routes import API, HTML, JSON
from library.interface.answers import RunList
from library.interface.errors import ADDRESS_TOO_LONG, METHOD_NOT_ALLOWED, NO_FILTER, NOT_FOUND, TOO_SLOW, ErrorKind
from library.interface.operations import FILTERS
from mcpserver import PATH
from writeapi import create_app
from writeapi.api.wire import PROBLEM_JSON, problem_details
from writeapi.review.services import ReviewServices, Shelf
from writeapi.review.web.app import MAX_FORM, create_review_app
from writeapi.review.web.pages import MOUNT
from writeapi.services import Services

from .budgets import Budget, Budgets, budget_of
from .files import FoundFile, SiteFiles, read
from .mcp import beside
from .query_pages import CurrentEngine, query_of, query_page
from .requests import read_body, traced
from .response_headers import ASK_AGAIN, CSP, FOR_EVER, PREFLIGHT, READS, closed_to_others, send_with_headers

LONGEST_ADDRESS = 16 * 1024
WORKERS, READERS, EDITORS = 16, 2, 4
"""Threads for writes, where each waits for the disk in one; for what only reads; and for the pages of review."""


class Service:
    """One service over the built site behind `out`: files, the application that is live, and the pages of review.

    `env` has the settings and templates of the pages that a query fills in; another build may bring others.
    """

    def __init__(
        self,
        out: Path,
        env: RenderEnvironment,
        services: Services,
        shelf: Shelf,
        hosts: Sequence[str] = (),
        *,
        hsts: str = "",
    ) -> None:
        self.site = SiteFiles(out, env.site.root)
        self.env = env
        self.engine = CurrentEngine(out)
        self.services = services
        self.hsts = hsts
        live = create_app(services, self.engine)
        self._addresses = live.url_map.bind("")
        self.live, self._reads = (
            cast("ASGIApp", WSGIMiddleware(cast("Any", live), workers=threads)) for threads in (WORKERS, READERS)
        )
        review = ReviewServices(services.store, shelf, services.random)
        pages = create_review_app(review, services.settings)
        self._review = cast("ASGIApp", WSGIMiddleware(cast("Any", pages), workers=EDITORS))
        settings = services.settings
        self.budgets = Budgets(settings.site_url, settings.budgets, settings.trusted_proxies)
        self._readers = CapacityLimiter(READERS)
        self.mcp = beside(out, self.live, self.engine, settings.site_url, hosts)

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Answer one request."""
        if scope["type"] == "lifespan":
            await Router(lifespan=self.mcp.running).lifespan(scope, receive, send)
            return
        path, method = scope["path"], scope["method"]
        # WSGI writes `-` and `_` of a name alike: `Remote_User` would be the `Remote-User` that only a proxy may send.
        scope = {**scope, "headers": [pair for pair in scope["headers"] if b"_" not in pair[0]]}
        budget = budget_of(method, path, asks=bool(scope["query_string"]))
        if refused := await self.budgets.refused(scope, budget):
            await refused(scope, receive, partial(send_with_headers, send, method, self.hsts))
            return
        await self._answer(path, method, budget, scope, receive, send)

    async def _answer(self, path: str, method: str, budget: Budget, scope: Scope, receive: Receive, send: Send) -> None:
        answered = partial(send_with_headers, send, method, self.hsts)
        if len(scope.get("raw_path") or path) + len(scope["query_string"]) > LONGEST_ADDRESS:
            await self._problem(API, ADDRESS_TOO_LONG, detail=ADDRESS_TOO_LONG.advice)(scope, receive, answered)
            return
        if path == MOUNT or path.startswith(f"{MOUNT}/"):
            async with self.budgets.turn(scope, budget.together):
                await closed_to_others(self.review, self.hsts)(scope, receive, send)
            return
        if path.rstrip("/") == PATH:
            mcp = traced(self.mcp, PATH, self.services.settings.trusted_proxies)
            await closed_to_others(mcp, self.hsts)(scope, receive, send)
            return
        live = set[str]()  # the methods of an address that the application answers, not a file
        if path.startswith(f"{API}/"):
            live = set(self._addresses.allowed_methods(path.removeprefix(API))) - {"OPTIONS"}
        readable = not live or self.site.find(path, {}, "") is not None
        allowed = (*READS, *sorted(live - set(READS))) if readable else (*sorted(live), "OPTIONS")
        if method == "OPTIONS":
            response: ASGIApp = Response(status_code=204, headers={"Allow": ", ".join(allowed), **PREFLIGHT})
        elif method in live:
            below = path.removeprefix(API)
            scope = {**scope, "path": below, "raw_path": below.encode(), "root_path": ""}
            if (whole := await read_body(scope, receive)) is None:
                response = self._problem(path, TOO_SLOW)
            else:
                async with self.budgets.turn(scope, budget.together):
                    await (self.live if budget.name == "writes" else self._reads)(scope, whole, answered)
                return
        elif method not in READS or not readable:
            response = self._problem(path, METHOD_NOT_ALLOWED, allowed)
        else:
            query = query_of(scope["query_string"].decode("latin-1"))
            headers = Headers(scope=scope)
            response = await to_thread.run_sync(self.static, path, query, headers, limiter=self._readers)
        await response(scope, receive, answered)

    async def review(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Answer one request for the pages of review: forms are read whole, and nothing is open to other sites."""
        if (whole := await read_body(scope, receive, limit=MAX_FORM)) is None:
            slow = PlainTextResponse("The form did not come in time.", 408, {"Cache-Control": "no-store"})
            await slow(scope, receive, send)
            return
        below = scope["path"].removeprefix(MOUNT) or "/"
        await self._review({**scope, "path": below, "raw_path": below.encode(), "root_path": ""}, whole, send)

    def close(self) -> None:
        """Let go of the database."""
        self.services.store.close()

    def static(self, path: str, query: Mapping[str, str], headers: Headers) -> Response:
        """The answer that needs no application: a file, a way to one, or that there is none."""
        if not query.keys().isdisjoint(FILTERS) and self.site.is_list(path):  # a file filters nothing
            return self._problem(path, NO_FILTER, detail=NO_FILTER.advice)
        if path == API:
            path = f"{API}/"
        if page := query_page(self.env, self.site.out, self.engine, self.services, path, query):
            return Response(page.get_data(), page.status_code, dict(page.headers))
        if path == f"{API}/runs" and (renamed := self.site.former().get(query.get("playbook", ""))):
            return RedirectResponse(f"{API}/runs?{urlencode({**query, 'playbook': renamed})}", status_code=308)
        if target := self.site.alias(path):
            return _redirect(target, query)
        found = self.site.find(path, query, headers.get("accept", ""))
        body = read(found.path) if found else None
        if path == f"{API}/runs" and "playbook" in query and not found:
            found, body = FoundFile(self.site.out, JSON), RunList(total=0, items=(), next=None).json_bytes()
        if found and body is not None:
            return _content(body, found, headers)
        other = f"{path}/" if not path.endswith("/") else path.rstrip("/")
        there = other.startswith("/") and not other.startswith("//") and self.site.find(other, {}, "")
        return _redirect(other, query) if there else self._problem(path, NOT_FOUND)

    def _problem(self, path: str, kind: ErrorKind, allowed: Sequence[str] = (), detail: str = "") -> Response:
        """An error: problem details for machines, the 404 page for people."""
        page = read(self.site.out / "404.html")
        if kind is METHOD_NOT_ALLOWED or path == API or path.startswith(f"{API}/") or page is None:
            body = problem_details(self.env.addresses.site_url, kind, detail or kind.advice)
            headers = {"Content-Type": PROBLEM_JSON, "Cache-Control": "no-store"}
            return Response(body, kind.status, headers | ({"Allow": ", ".join(allowed)} if allowed else {}))
        headers = {"Content-Type": HTML, "Content-Security-Policy": CSP, "Cache-Control": "no-store"}
        return Response(page, kind.status, headers)


def compressed(app: ASGIApp) -> ASGIApp:
    """An application whose answers come gzipped to whoever accepts that; their entity tags are weak for that.

    The pages of review hold secrets beside what was sent in, whose length would tell of them: they stay as they are.
    """
    gzipped = GZipMiddleware(app, compresslevel=6)

    async def answer(scope: Scope, receive: Receive, send: Send) -> None:
        await (app if scope.get("path", "").startswith(MOUNT) else gzipped)(scope, receive, send)

    return answer


def _redirect(target: str, query: Mapping[str, str]) -> Response:
    return RedirectResponse(target + (f"?{urlencode(query)}" if query else ""), status_code=308)


def _content(body: bytes, found: FoundFile, headers: Headers) -> Response:
    """Content that may be kept as long as its entity tag is the same; 304 when the reader has it already."""
    etag = f'W/"{hashlib.blake2b(body, digest_size=12).hexdigest()}"'
    kept = FOR_EVER if found.forever else ASK_AGAIN
    answer = {"ETag": etag, "Cache-Control": kept, "Content-Security-Policy": CSP}
    answer |= ({"Vary": "Accept"} if found.varies else {}) | ({"Link": found.links} if found.links else {})
    known = {tag.strip().removeprefix("W/") for tag in headers.get("if-none-match", "").split(",")}
    if etag.removeprefix("W/") in known or "*" in known:
        return Response(status_code=304, headers=answer)
    answer["Content-Type"] = found.content_type
    return Response(body, headers=answer)
