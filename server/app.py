"""The ASGI application: files by the route table, the live API by Flask, and the manners that all answers share."""

from __future__ import annotations

from collections.abc import Mapping
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
from library.errors import METHOD_NOT_ALLOWED, NOT_FOUND
from writeapi import create_app
from writeapi.errors import PROBLEM_JSON, ApiError, problem_details
from writeapi.live import opened, read_question

from .engine import CurrentEngine
from .files import Found, Site, is_live, read

METHODS = "GET, HEAD, OPTIONS"
CSP = (
    "default-src 'none'; style-src 'self'; script-src 'self'; img-src 'self' data:; connect-src 'self';"
    " form-action 'self'; base-uri 'none'; frame-ancestors 'none'"
)
_EVERYWHERE = {
    "Access-Control-Allow-Origin": "*",
    "Access-Control-Expose-Headers": "ETag, Link, Location, RateLimit, RateLimit-Policy, Retry-After",
    "X-Content-Type-Options": "nosniff",
    "Referrer-Policy": "strict-origin-when-cross-origin",
}
_PREFLIGHT = {
    "Access-Control-Allow-Methods": METHODS,
    "Access-Control-Allow-Headers": "Authorization, Content-Type, Idempotency-Key, If-None-Match",
    "Access-Control-Max-Age": "86400",
}


class Service:
    """One service over the built site behind `out`, with addresses below `desk`'s site."""

    def __init__(self, out: Path, desk: Desk) -> None:
        self.site = Site(out)
        self.desk = desk
        self.engine = CurrentEngine(out)
        self.live = cast("ASGIApp", WSGIMiddleware(cast("Any", create_app(desk.addresses.site_url, self.engine))))

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Answer one request."""
        if scope["type"] != "http":
            await _lifespan(receive, send)
            return
        path: str = scope["path"]
        if scope["method"] not in METHODS.split(", "):
            response: ASGIApp = self._problem(path, METHOD_NOT_ALLOWED.status)
        elif scope["method"] == "OPTIONS":
            response = Response(status_code=204, headers={"Allow": METHODS, **_PREFLIGHT})
        elif is_live(path):
            scope = {
                **scope,
                "path": path.removeprefix(API),
                "raw_path": path.removeprefix(API).encode(),
                "root_path": "",
            }
            response = self.live
        else:
            response = await to_thread.run_sync(partial(self.static, path, _query(scope), Headers(scope=scope)))
        await response(scope, receive, partial(_send_with_manners, send))

    def static(self, path: str, query: Mapping[str, str], headers: Headers) -> Response:
        """The answer that needs no application: a file, a way to one, or that there is none."""
        if path == API:
            path = f"{API}/"
        if path == "/search/" and "q" in query:
            return self.search_page(query)
        if path == f"{API}/runs" and (renamed := self.site.renamed(query.get("playbook", ""))):
            return RedirectResponse(f"{API}/runs?{urlencode({**query, 'playbook': renamed})}", status_code=308)
        if target := self.site.alias(path):
            return _redirect(target, query)
        found = self.site.find(path, query, headers.get("accept", ""))
        if found:
            return _file(found, headers) or self._problem(path, NOT_FOUND.status)
        if path == f"{API}/runs" and "playbook" in query:
            return Response(RunList(total=0, items=()).json_bytes(), media_type=JSON)
        return self._elsewhere(path, query) or self._problem(path, NOT_FOUND.status)

    def search_page(self, query: Mapping[str, str]) -> Response:
        """The search page with its results, for readers without scripts."""
        answer, problem, status = None, None, 200
        try:
            answer = opened(self.engine).answer(read_question({name: [value] for name, value in query.items()}))
        except ApiError as error:
            problem = " ".join(f"{item.pointer.lstrip('/')}: {item.detail}." for item in error.errors) or error.detail
            status = error.kind.status
        body = pages.search_results(self.desk, query["q"], answer, problem)
        return Response(
            body, status, {"Content-Type": HTML, "Cache-Control": "no-cache", "Content-Security-Policy": CSP}
        )

    def _elsewhere(self, path: str, query: Mapping[str, str]) -> Response | None:
        """The redirect to the same path with or without its last slash, where that one is there."""
        other = f"{path}/" if not path.endswith("/") else path.rstrip("/")
        there = other.startswith("/") and not other.startswith("//") and self.site.find(other, {}, "")
        return _redirect(other, query) if there else None

    def _problem(self, path: str, status: int) -> Response:
        """An error: problem details for machines, the 404 page for people."""
        kind = METHOD_NOT_ALLOWED if status == METHOD_NOT_ALLOWED.status else NOT_FOUND
        detail = (
            "This address takes no other methods than those in Allow."
            if kind is METHOD_NOT_ALLOWED
            else "There is nothing at this address."
        )
        headers = {"Allow": METHODS} if kind is METHOD_NOT_ALLOWED else {}
        page = read(self.site.out / "404.html")
        if kind is METHOD_NOT_ALLOWED or path == API or path.startswith(f"{API}/") or page is None:
            body = problem_details(self.desk.addresses.site_url, kind, detail)
            return Response(body, kind.status, {"Content-Type": PROBLEM_JSON, "Cache-Control": "no-store", **headers})
        return Response(
            page[0], kind.status, {"Content-Type": HTML, "Content-Security-Policy": CSP, "Cache-Control": "no-store"}
        )


def _redirect(target: str, query: Mapping[str, str]) -> Response:
    """A lasting redirect that keeps the query."""
    return RedirectResponse(target + (f"?{urlencode(query)}" if query else ""), status_code=308)


def _query(scope: Scope) -> dict[str, str]:
    """The query's parameters; of a repeated one the last."""
    return dict(parse_qsl(scope["query_string"].decode("latin-1"), keep_blank_values=True))


def _file(found: Found, headers: Headers) -> Response | None:
    """A file as an answer, or 304 when the reader has it already."""
    content = read(found.path)
    if content is None:
        return None
    body, etag = content
    answer = {
        "ETag": etag,
        "Cache-Control": "public, max-age=31536000, immutable"
        if found.forever
        else "public, max-age=0, must-revalidate",
    }
    if found.varies:
        answer["Vary"] = "Accept"
    known = {tag.strip().removeprefix("W/") for tag in headers.get("if-none-match", "").split(",")}
    if etag in known or "*" in known:
        return Response(status_code=304, headers=answer)
    answer["Content-Type"] = found.content_type
    if found.content_type == HTML:
        answer["Content-Security-Policy"] = CSP
    return Response(body, headers=answer)


async def _send_with_manners(send: Send, message: Message) -> None:
    """Put on every answer what all answers have."""
    if message["type"] == "http.response.start":
        headers = MutableHeaders(scope=message)
        for name, value in _EVERYWHERE.items():
            headers.setdefault(name, value)
    await send(message)


async def _lifespan(receive: Receive, send: Send) -> None:
    """Nothing to do at the start or the end; say so."""
    while True:
        message = await receive()
        await send({"type": f"{message['type']}.complete"})
        if message["type"] == "lifespan.shutdown":
            return
