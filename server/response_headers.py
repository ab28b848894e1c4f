"""The headers that answers share, whoever gives them: this server, gunicorn behind a proxy, nginx, a static host."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from functools import partial
from typing import TYPE_CHECKING

from starlette.datastructures import MutableHeaders
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from build.views.routes import API

if TYPE_CHECKING:
    from _typeshed.wsgi import StartResponse, WSGIApplication, WSGIEnvironment

READS = ("GET", "HEAD", "OPTIONS")

CSP = (
    "default-src 'none'; style-src 'self'; script-src 'self'; img-src 'self'; font-src 'self';"
    " connect-src 'self'; manifest-src 'self'; form-action 'self'; base-uri 'none'; frame-ancestors 'none'"
)
ON_READS: Mapping[str, str] = {
    "Access-Control-Allow-Origin": "*",
    "Access-Control-Expose-Headers": "ETag, Link, Location, RateLimit, RateLimit-Policy, Retry-After, X-Request-Id",
}
"""Only reads are open to other sites' scripts."""

EVERYWHERE: Mapping[str, str] = {
    "Content-Security-Policy": CSP,
    "X-Content-Type-Options": "nosniff",
    "Referrer-Policy": "strict-origin-when-cross-origin",
    "Permissions-Policy": "camera=(), geolocation=(), microphone=(), payment=(), usb=()",
}
"""On every answer, unless it brings its own: a JSON answer that somebody opens as a page may do nothing either."""

PREFLIGHT: Mapping[str, str] = {
    "Access-Control-Allow-Methods": ", ".join(READS),
    "Access-Control-Allow-Headers": "Accept, If-None-Match",
    "Access-Control-Max-Age": "86400",
}
FOR_EVER = "public, max-age=31536000, immutable"
ASK_AGAIN = "public, max-age=0, must-revalidate"
"""How long a file may be kept: one whose name has its digest, and any other, which is asked for again by its tag."""

STRICT = "Strict-Transport-Security"


def headers_for(method: str, hsts: str = "") -> dict[str, str]:
    """The headers of an answer to `method`, where it has none of these names itself."""
    told = {**EVERYWHERE, **(ON_READS if method in READS else {})}
    return {**told, STRICT: hsts} if hsts else told


async def send_with_headers(send: Send, method: str, hsts: str, message: Message) -> None:
    """Put on an answer what all answers have."""
    if message["type"] == "http.response.start":
        headers = MutableHeaders(scope=message)
        for name, value in headers_for(method, hsts).items():
            headers.setdefault(name, value)
    await send(message)


def closed_to_others(app: ASGIApp, hsts: str = "") -> ASGIApp:
    """An ASGI application that is closed to other sites' scripts, with the headers that all answers have."""

    async def answer(scope: Scope, receive: Receive, send: Send) -> None:
        await app(scope, receive, partial(send_with_headers, send, "POST", hsts))

    return answer


def with_headers(app: WSGIApplication, hsts: str = "") -> WSGIApplication:
    """A WSGI application with the headers that all answers have; reads of the API are open to other sites' scripts."""

    def answer(environ: WSGIEnvironment, start_response: StartResponse) -> Iterable[bytes]:
        open_to_all = environ.get("PATH_INFO", "").startswith(f"{API}/")
        told = headers_for(environ["REQUEST_METHOD"] if open_to_all else "POST", hsts)

        def start(status: str, headers: list[tuple[str, str]], *rest: object) -> object:
            known = {name.lower() for name, _ in headers}
            more = [(name, value) for name, value in told.items() if name.lower() not in known]
            return start_response(status, [*headers, *more], *rest)  # type: ignore[arg-type]  # what came is handed on

        return app(environ, start)  # type: ignore[arg-type]  # the same

    return answer
