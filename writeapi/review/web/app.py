"""The application of the pages: its addresses as a table, the headers of every answer, and errors as pages."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from datetime import UTC, datetime
from functools import partial
from typing import TYPE_CHECKING

from flask import Flask, Response, request
from jinja2 import StrictUndefined
from werkzeug.exceptions import HTTPException, RequestEntityTooLarge
from werkzeug.exceptions import NotFound as NoPage

from library.interface.errors import KINDS
from library.problems import ContentError, LibraryError
from writeapi.limits import counters_of
from writeapi.logs import log_requests
from writeapi.review.services import ReviewServices
from writeapi.settings import ServiceSettings
from writeapi.store.engine import Conflict, NotFound, Unavailable

from ..decisions.texts import of_library
from . import guard, item, queue
from .guard import MAX_FIELDS, TOKEN_FIELD
from .site import FILTERS, TEMPLATES, Form, ReviewSite, page, signed

if TYPE_CHECKING:
    from _typeshed.wsgi import StartResponse, WSGIEnvironment

MAX_FORM = 1024 * 1024
"""Bytes of a form: drafts have up to about 200 KB, and what is not ASCII takes three times its length on the way."""
RETRY_SECONDS = 5
CSP = (
    "default-src 'none'; style-src 'self'; script-src 'self'; img-src 'self' data:; frame-src 'self';"
    " form-action 'self'; base-uri 'none'; frame-ancestors 'none'"
)
HEADERS = {
    "Cache-Control": "no-store",
    "Content-Security-Policy": CSP,
    "X-Content-Type-Options": "nosniff",
    "Referrer-Policy": "same-origin",
    "Cross-Origin-Opener-Policy": "same-origin",
    "X-Robots-Tag": "noindex",
}
ASSETS = {
    "style.css": ("assets/style.css", "text/css; charset=utf-8"),
    "icon.svg": ("assets/icon.svg", "image/svg+xml"),
    "review.css": ("review/review.css", "text/css; charset=utf-8"),
    "review.js": ("review/review.js", "text/javascript; charset=utf-8"),
}
"""What the pages load; anything else below `/assets/` is nothing."""


def asset(name: str) -> Response:
    """A style sheet, the script or the picture."""
    if name not in ASSETS:
        raise NoPage
    file, kind = ASSETS[name]
    return Response((TEMPLATES / file).read_bytes(), content_type=kind)


View = Callable[..., Response]
VIEWS: tuple[tuple[str, str, View], ...] = (
    ("GET", "/assets/<name>", asset),
    ("GET", "/sign-in", guard.sign_in),
    ("POST", "/sign-in", guard.enter),
    ("POST", "/sign-out", guard.sign_out),
    ("GET", "/", queue.waiting),
    ("POST", "/approve-runs", queue.approve_runs),
    ("GET", "/on-its-way", queue.on_its_way),
    ("GET", "/withdraw-playbook", queue.ask_withdrawal),
    ("POST", "/withdraw-playbook", queue.withdraw_playbook),
    ("GET", "/<subject>", item.show),
    ("GET", "/<subject>/preview/<int:number>", item.preview),
)


def create_review_app(
    review: ReviewServices, settings: ServiceSettings, clock: Callable[[], datetime] = lambda: datetime.now(UTC)
) -> Flask:
    """The Flask application; its addresses are relative to `/review`. `clock` gives the time for ages."""
    app = Flask(__name__, static_folder=None, template_folder=str(TEMPLATES / "review"))
    app.config.update(MAX_CONTENT_LENGTH=MAX_FORM, MAX_FORM_MEMORY_SIZE=MAX_FORM, MAX_FORM_PARTS=MAX_FIELDS)
    app.jinja_options = {"undefined": StrictUndefined, "trim_blocks": True, "lstrip_blocks": True}
    place = ReviewSite(review, settings, counters_of(settings), clock)
    app.extensions["review"] = place
    app.jinja_env.filters.update(FILTERS)
    app.jinja_env.globals.update(home=place.home, token_field=TOKEN_FIELD)
    app.context_processor(lambda: {"signed": signed()})
    log_requests(app, settings.trusted_proxies)
    app.before_request(guard.guard)
    app.after_request(_with_manners)
    for kind in (LibraryError, HTTPException):
        app.register_error_handler(kind, _error_page)
    for method, rule, view in VIEWS:
        app.add_url_rule(rule, view.__name__, view, methods=[method])
    for name, post in item.POSTS.items():
        app.add_url_rule(f"/<subject>/{name}", name, partial(item.act, post), methods=["POST"])
    inner = app.wsgi_app

    def answer(environ: WSGIEnvironment, start_response: StartResponse) -> Iterable[bytes]:
        """Let the mount itself, without a slash, be the first page: a redirect would not know the site's sub-path."""
        return inner({**environ, "PATH_INFO": environ.get("PATH_INFO") or "/"}, start_response)

    app.wsgi_app = answer  # type: ignore[method-assign]  # as Flask's documentation does it
    return app


def _with_manners(response: Response) -> Response:
    """Put on every answer what keeps it private and inert; a preview has a stricter policy of its own."""
    for name, value in HEADERS.items():
        response.headers.setdefault(name, value)
    return response


def _error_page(error: LibraryError | HTTPException) -> Response:
    headers: list[tuple[str, str]] = []
    typed = Form(request.form).written() if signed() and not isinstance(error, RequestEntityTooLarge) else []
    match error:
        case Unavailable():
            status, title = 503, "Not available now"
            text = f"The queue cannot be reached now: nothing was changed. Try again in {RETRY_SECONDS} seconds."
            headers = [("Retry-After", str(RETRY_SECONDS))]
        case NotFound():
            status, title, text = 404, "Nothing here", "There is no run report and no submission with this id."
        case Conflict():
            status, title, text = 409, "Somebody was faster", str(error)
        case LibraryError():
            why = of_library(error) if isinstance(error, ContentError) else str(error)
            status, title = 503, "The content cannot be used"
            text = f"Until this is mended nothing can be tried, and nothing was changed:\n{why}"
        case NoPage():
            status, title, text = 404, "Nothing here", "There is no page at this address."
        case HTTPException():
            status = error.code or 500
            title = next((kind.title for kind in KINDS if kind.status == status), "This does not work")
            text = error.description or title
            headers = [pair for pair in error.get_headers() if pair[0] not in ("Content-Type", "Content-Length")]
    if isinstance(error, RequestEntityTooLarge):
        most = (request.max_content_length or MAX_FORM) // 1024
        text = f"The form has more than {most} KiB or {MAX_FIELDS} parts; nothing was changed. Go back and shorten it."
    answer = page("message.html", status, title=title, text=text, typed=typed)
    answer.headers.extend(headers)
    return answer
