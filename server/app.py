"""The ASGI application: files by the route table, the live API by Flask, and the manners that all answers share."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import partial
from pathlib import Path
from typing import Any, cast
from urllib.parse import parse_qsl, urlencode

from a2wsgi import WSGIMiddleware
from anyio import to_thread
from starlette.datastructures import Headers, MutableHeaders
from starlette.responses import RedirectResponse, Response
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from build import pages
from build.desk import Desk
from build.routes import API, HTML, JSON
from library.answers import RunList
from library.errors import METHOD_NOT_ALLOWED, NOT_FOUND, TOO_SLOW, ErrorKind
from mcpserver.http import PATH
from writeapi import RETRY_SECONDS, Services, create_app
from writeapi.errors import PROBLEM_JSON, ApiError, problem_details
from writeapi.keys import is_id
from writeapi.live import PARAMETERS, opened, read_question
from writeapi.review.services import Shelf
from writeapi.status import status_of
from writeapi.store import Unavailable

from .bodies import read_body
from .editors import EditorsPages, is_reviews
from .engine import CurrentEngine
from .files import Found, Site, etag_of, read
from .mcp import beside

READS = ("GET", "HEAD", "OPTIONS")
WORKERS = 16
"""Threads that the live application has; a write waits for the disk in one of them."""

CSP = (
    "default-src 'none'; style-src 'self'; script-src 'self'; img-src 'self' data:; connect-src 'self';"
    " form-action 'self'; base-uri 'none'; frame-ancestors 'none'"
)
SEARCH_CSP = CSP.replace("script-src 'self'", "script-src 'self' 'wasm-unsafe-eval'")
"""Of the search page alone: Pagefind, which searches where no live service answers, is WebAssembly."""

_ON_READS = {
    "Access-Control-Allow-Origin": "*",
    "Access-Control-Expose-Headers": "ETag, Link, Location, RateLimit, RateLimit-Policy, Retry-After, X-Request-Id",
}
_EVERYWHERE = {
    "X-Content-Type-Options": "nosniff",
    "Referrer-Policy": "strict-origin-when-cross-origin",
}
_PREFLIGHT = {
    "Access-Control-Allow-Methods": ", ".join(READS),
    "Access-Control-Allow-Headers": "Accept, If-None-Match",
    "Access-Control-Max-Age": "86400",
}


class Service:
    """One service over the built site behind `out`: files, the application that is live, and the pages of review."""

    def __init__(self, out: Path, desk: Desk, services: Services, shelf: Shelf, hosts: Sequence[str] = ()) -> None:
        self.site = Site(out, desk.site.root)
        self.desk = desk
        self.engine = CurrentEngine(out)
        self.services = services
        live = create_app(services, self.engine)
        self._addresses = live.url_map.bind("")
        self.live = cast("ASGIApp", WSGIMiddleware(cast("Any", live), workers=WORKERS))
        self.editors = EditorsPages(services, shelf, self.engine)
        self.mcp = beside(out, self.live, self.engine, services.settings.site_url, hosts)

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Answer one request."""
        if scope["type"] == "lifespan":
            await self.mcp.lifespan(receive, send)
            return
        path, method = scope["path"], scope["method"]
        if is_reviews(path):
            await self.editors(scope, receive, send)
            return
        if path.rstrip("/") == PATH:
            await self.mcp(scope, receive, partial(_send_with_manners, send, "POST"))
            return
        live = self._live_methods(path)
        readable = not live or self.site.find(path, {}, "") is not None
        allowed = (*READS, *sorted(live - set(READS))) if readable else (*sorted(live), "OPTIONS")
        if method == "OPTIONS":
            response: ASGIApp = Response(status_code=204, headers={"Allow": ", ".join(allowed), **_PREFLIGHT})
        elif method in live:
            below = path.removeprefix(API)
            scope = {**scope, "path": below, "raw_path": below.encode(), "root_path": ""}
            response = self.live
            if (whole := await read_body(Headers(scope=scope), receive)) is None:
                response = self._problem(path, TOO_SLOW)
            else:
                receive = whole
        elif method not in READS or not readable:
            response = self._problem(path, METHOD_NOT_ALLOWED, allowed)
        else:
            response = await to_thread.run_sync(partial(self.static, path, _query(scope), Headers(scope=scope)))
        await response(scope, receive, partial(_send_with_manners, send, method))

    def close(self) -> None:
        """Let go of the database."""
        self.services.store.close()

    def _live_methods(self, path: str) -> set[str]:
        """The methods of an address that the application answers, not a file."""
        if not path.startswith(f"{API}/"):
            return set()
        return set(self._addresses.allowed_methods(path.removeprefix(API))) - {"OPTIONS"}

    def static(self, path: str, query: Mapping[str, str], headers: Headers) -> Response:
        """The answer that needs no application: a file, a way to one, or that there is none."""
        if path == API:
            path = f"{API}/"
        if page := self._page_with_answer(path, query):
            return page
        if path == f"{API}/runs" and (renamed := self.site.renamed(query.get("playbook", ""))):
            return RedirectResponse(f"{API}/runs?{urlencode({**query, 'playbook': renamed})}", status_code=308)
        if target := self.site.alias(path):
            return _redirect(target, query)
        found = self.site.find(path, query, headers.get("accept", ""))
        if found:
            return _file(found, headers, SEARCH_CSP if path == "/search/" else CSP) or self._problem(path, NOT_FOUND)
        if path == f"{API}/runs" and "playbook" in query:
            body = RunList(total=0, items=()).json_bytes()
            return _content(body, etag_of(body), Found(self.site.out, JSON), headers)
        return self._elsewhere(path, query) or self._problem(path, NOT_FOUND)

    def _page_with_answer(self, path: str, query: Mapping[str, str]) -> Response | None:
        """The pages that a query fills in; without it they are files."""
        if path == "/search/" and "q" in query:
            return self.search_page(query)
        if path == "/submissions/" and (name := query.get("id", "").strip()):
            return self.submission_page(name)
        return None

    def search_page(self, query: Mapping[str, str]) -> Response:
        """The search page with its results, for readers without scripts."""
        answer, problem, status = None, None, 200
        query = {name: value for name, value in query.items() if name in PARAMETERS}  # links come with more than ours
        try:
            if query["q"].strip():
                answer = opened(self.engine).answer(read_question({name: [value] for name, value in query.items()}))
        except ApiError as error:
            problem = " ".join(f"{item.pointer.lstrip('/')}: {item.detail}." for item in error.errors) or error.detail
            status = error.kind.status
        body = pages.search_results(self.desk, query["q"], answer, problem, query)
        return Response(
            body, status, {"Content-Type": HTML, "Cache-Control": "no-cache", "Content-Security-Policy": SEARCH_CSP}
        )

    def submission_page(self, name: str) -> Response:
        """Where a submission stands, for readers without scripts."""
        record, problem, status, more = None, None, 200, {}
        try:
            record = self.services.store.submission(name) if is_id(name) else None
            if record is None:
                problem, status = "There is no submission with this id.", 404
        except Unavailable:
            problem, status = "The queue cannot be asked now; try again in a moment.", 503
            more = {"Retry-After": str(RETRY_SECONDS)}
        body = pages.submission_status(self.desk, name[:64], status_of(record) if record else None, problem)
        headers = {"Content-Type": HTML, "Cache-Control": "no-store", "Content-Security-Policy": CSP}
        return Response(body, status, headers | more)

    def _elsewhere(self, path: str, query: Mapping[str, str]) -> Response | None:
        """The redirect to the same path with or without its last slash, where that one is there."""
        other = f"{path}/" if not path.endswith("/") else path.rstrip("/")
        there = other.startswith("/") and not other.startswith("//") and self.site.find(other, {}, "")
        return _redirect(other, query) if there else None

    def _problem(self, path: str, kind: ErrorKind, allowed: Sequence[str] = ()) -> Response:
        """An error: problem details for machines, the 404 page for people."""
        page = read(self.site.out / "404.html")
        if kind is METHOD_NOT_ALLOWED or path == API or path.startswith(f"{API}/") or page is None:
            body = problem_details(self.desk.addresses.site_url, kind, kind.title + ".")
            headers = {"Content-Type": PROBLEM_JSON, "Cache-Control": "no-store"}
            return Response(body, kind.status, headers | ({"Allow": ", ".join(allowed)} if allowed else {}))
        return Response(
            page[0], kind.status, {"Content-Type": HTML, "Content-Security-Policy": CSP, "Cache-Control": "no-store"}
        )


def _redirect(target: str, query: Mapping[str, str]) -> Response:
    """A lasting redirect that keeps the query."""
    return RedirectResponse(target + (f"?{urlencode(query)}" if query else ""), status_code=308)


def _query(scope: Scope) -> dict[str, str]:
    """The query's parameters; of a repeated one the last."""
    return dict(parse_qsl(scope["query_string"].decode("latin-1"), keep_blank_values=True))


def _file(found: Found, headers: Headers, policy: str) -> Response | None:
    """A file as an answer, or 304 when the reader has it already."""
    content = read(found.path)
    if content is None:
        return None
    return _content(*content, found, headers, policy)


def _content(body: bytes, etag: str, found: Found, headers: Headers, policy: str = CSP) -> Response:
    """Content that may be kept as long as its entity tag is the same."""
    answer = {
        "ETag": etag,
        "Cache-Control": "public, max-age=31536000, immutable"
        if found.forever
        else "public, max-age=0, must-revalidate",
    }
    if found.varies:
        answer["Vary"] = "Accept"
    if found.links:
        answer["Link"] = found.links
    known = {tag.strip().removeprefix("W/") for tag in headers.get("if-none-match", "").split(",")}
    if etag in known or "*" in known:
        return Response(status_code=304, headers=answer)
    answer["Content-Type"] = found.content_type
    if found.content_type == HTML:
        answer["Content-Security-Policy"] = policy
    return Response(body, headers=answer)


async def _send_with_manners(send: Send, method: str, message: Message) -> None:
    """Put on every answer what all answers have; only reads are open to other sites' scripts."""
    if message["type"] == "http.response.start":
        headers = MutableHeaders(scope=message)
        for name, value in {**_EVERYWHERE, **(_ON_READS if method in READS else {})}.items():
            headers.setdefault(name, value)
    await send(message)
