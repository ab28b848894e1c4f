"""The application of the pages: who may ask for what, its addresses as a table, and errors as pages.

An editor signs in with a key; every page but that one needs a session, and every form its token.
"""

from __future__ import annotations

import hmac
import re
import tomllib
from collections.abc import Callable, Mapping, Sequence
from datetime import UTC, datetime
from functools import partial
from ipaddress import ip_address
from pathlib import Path
from typing import Any
from urllib.parse import quote, urlsplit

from flask import Flask, Request, Response, g, request
from jinja2 import StrictUndefined
from limits import RateLimitItem, parse
from werkzeug.exceptions import HTTPException, MethodNotAllowed, RequestEntityTooLarge
from werkzeug.exceptions import NotFound as NoPage

from library.interface.errors import KINDS
from library.problems import ContentError, LibraryError
from library.records.fields import HANDLE
from library.records.vocabulary import Scope
from writeapi.keys import hash_of, is_key
from writeapi.limits import WRITES, counters_of, named_limits
from writeapi.logs import log_requests
from writeapi.review.services import ReviewServices
from writeapi.services import address_in, origin_of
from writeapi.settings import ReviewProxy, ServiceSettings
from writeapi.store.engine import Conflict, NotFound, Unavailable
from writeapi.store.records import Session

from ..decisions.texts import of_library
from . import pages
from .pages import FILTERS, TEMPLATES, Form, ReviewSite, editor, moved, page, signed, site

COOKIE = "review"
HOST_COOKIE = f"__Host-{COOKIE}"
"""Its name where the connection is encrypted: browsers take it from this very host alone, and for all of it."""
TOKEN_FIELD = "csrf"  # noqa: S105 - the name of the field, not a token
PUBLIC = frozenset({"sign_in", "enter", "asset"})
"""The only views that need no session; whatever is added is closed until it stands here."""

MAX_FIELDS = 200  # fields of a form: an approval of a whole page of reports has about a hundred
MAX_PUBLIC_FORM = 8 * 1024  # bytes of a form that needs no session: a key and where to go

_OF_PAGES = ("GET", "HEAD", "POST")
_PLAIN_FORM = "application/x-www-form-urlencoded"
_SECRET = re.compile(r"[0-9a-f]{64}")
_FORWARDED = ("X-Forwarded-For", "X-Forwarded-Proto", "X-Forwarded-Host", "Forwarded")


def guard() -> Response | None:
    """Before every view: None lets the request through, anything else is its answer."""
    if isinstance(request.routing_exception, MethodNotAllowed) and request.method not in _OF_PAGES:
        raise request.routing_exception  # no form and no link comes by it: nobody is asked to sign in for that
    writes = request.method in WRITES
    if writes and from_elsewhere(request):
        return _says("from-elsewhere")
    if (proxy := site().settings.review_proxy) and request.endpoint != "asset":
        return _by_proxy(proxy, writes=writes)
    if request.endpoint in PUBLIC:
        request.max_content_length = MAX_PUBLIC_FORM
        return None
    session = session_of(request)
    if session is None:
        return _stranger() if writes else moved(f"/sign-in?next={quote(request.full_path.rstrip('?'), safe='')}")
    return _let_in(session, writes=writes)


def _let_in(session: Session, *, writes: bool) -> Response | None:
    g.signed = g.sender = session
    return (_unreadable() or _of_another_sign_in(session)) if writes else None


def _by_proxy(proxy: ReviewProxy, *, writes: bool) -> Response | None:
    """Let in the editor whom the proxy names, over a connection of its own; a key opens nothing here.

    The address is that of the connection: what `X-Forwarded-For` says, anybody may have written.
    """
    connected = request.environ.get("REMOTE_ADDR")
    address = address_in(connected)
    inside = not connected if proxy.network is None else address is not None and address in proxy.network
    handle = request.headers.get(proxy.header, "") if inside else ""
    found = site().review.store.contributor(handle) if HANDLE.fullmatch(handle) else None
    if found is None or found.revoked or not found.editor:
        return _says("not-by-proxy")
    if request.endpoint in {*PUBLIC, "sign_out", "account", "end_session"}:  # there is no session
        return moved("/")
    token = hmac.new(site().settings.secret, b"review:" + handle.encode(), "sha256").hexdigest()
    return _let_in(Session(found, token), writes=writes)


def _of_another_sign_in(session: Session) -> Response | None:
    if hmac.compare_digest(request.form.get(TOKEN_FIELD, "").encode(), session.csrf.encode()):
        return None
    return _says("old-form", typed=Form(request.form).written())


def _unreadable() -> Response | None:
    """What keeps a form from being read at all: no length, or so many fields that reading them takes long."""
    if request.content_length is None:
        return _says("no-length")
    if request.mimetype == _PLAIN_FORM and request.get_data().count(b"&") >= MAX_FIELDS:
        return _says("too-many-fields", most=MAX_FIELDS)
    return None


def _stranger() -> Response:
    """The answer to a form of somebody who is not signed in.

    It is read only where its cookie was a session's not long ago: then what was typed can be copied.
    """
    if not _within("review-form", *named_limits(site().settings.write_limits).values()):
        return _says("too-many-forms")
    secret = secret_of(request)
    if not (_SECRET.fullmatch(secret) and site().review.store.was_session(hash_of(secret))):
        return _says("signed-out", sign_in=True)
    return _unreadable() or _says("signed-out-while-typing", typed=Form(request.form).written(), sign_in=True)


def _within(what: str, *limits: RateLimitItem) -> bool:
    """Whether the address that asks may try this once more; it is counted."""
    who = origin_of(request.environ, site().settings)
    return site().attempts.take([(limit, f"{what}/{who}") for limit in limits])[-1].within


def session_of(asked: Request) -> Session | None:
    """The session that a request's cookie opens, while it lasts and its editor is one."""
    secret = secret_of(asked)
    return site().review.store.session(hash_of(secret)) if _SECRET.fullmatch(secret) else None


def secret_of(asked: Request) -> str:
    """What the cookie of a request says; over https none of another name counts."""
    return asked.cookies.get(HOST_COOKIE if encrypted(asked) else COOKIE, "")


def from_elsewhere(asked: Request) -> bool:
    """Whether a browser says that another site, or nobody knows who, sent this."""
    if asked.headers.get("Sec-Fetch-Site", "same-origin") not in ("same-origin", "none"):
        return True
    origin = asked.headers.get("Origin", asked.host)
    ours = urlsplit(site().settings.site_url)
    return origin.rpartition("://")[2] != asked.host and origin != f"{ours.scheme}://{ours.netloc}"


def encrypted(asked: Request) -> bool:
    """Whether a request came over https. Behind proxies their word is taken."""
    proxied = bool(site().settings.trusted_proxies)
    told = asked.headers.get("X-Forwarded-Proto", "").rpartition(",")[2].strip()
    return asked.scheme == "https" or (proxied and told == "https")


def safe_connection(asked: Request) -> bool:
    """Whether a key may be typed: over https, or on the machine itself.

    A proxy that the settings do not know of makes no connection safe.
    """
    if encrypted(asked) or site().settings.trusted_proxies:
        return encrypted(asked)
    try:
        name = urlsplit(f"//{asked.host}").hostname or ""
        here = name == "localhost" or ip_address(name).is_loopback
    except ValueError:
        return False
    return here and not any(name in asked.headers for name in _FORWARDED)


ATTEMPTS = parse("10 per minute")  # how often one address may try a key

_NEXT = re.compile(r"/(?!/)[A-Za-z0-9_-]*(?:/[A-Za-z0-9_-]+)*(?:\?[A-Za-z0-9_=&.-]*)?")


def sign_in() -> Response:
    """The page where a key is typed."""
    if not safe_connection(request):
        return _says("unsafe")
    return page("sign-in.html", then=_then(request.args.get("next", "")), said="")


def enter() -> Response:
    """Sign in with a key that was typed; an older session of this browser ends."""
    if not safe_connection(request):
        return _says("unsafe")
    then = _then(request.form.get("next", ""))
    if not _within("sign-in", ATTEMPTS):
        answer = page("sign-in.html", 429, then=then, said="Too many attempts from this address: wait a minute.")
        answer.headers["Retry-After"] = "60"
        return answer
    key, store = request.form.get("key", "").strip(), site().review.store
    found = store.caller(hash_of(key)) if is_key(key) else None
    if found is None:
        return page("sign-in.html", 401, then=then, said="This key is not valid. Paste it whole; it begins with pbl_.")
    if not found.editor:
        return page("sign-in.html", 403, then=then, said="This key is no editor's.")
    if not store.caller(hash_of(key), Scope.REVIEW):
        return page("sign-in.html", 403, then=then, said="This key is not for review; an operator makes one that is.")
    if former := session_of(request):
        store.close_session(hash_of(secret_of(request)), former.editor.id)
    secret = site().review.random(32).hex()
    store.open_session(hash_of(key), hash_of(secret), site().review.random(32).hex())
    answer = moved(then)
    name, path = (HOST_COOKIE, "/") if encrypted(request) else (COOKIE, site().home)
    answer.set_cookie(name, secret, path=path, secure=True, httponly=True, samesite="Lax")
    return answer


def sign_out() -> Response:
    """End the session."""
    site().review.store.close_session(hash_of(secret_of(request)), editor().id)
    answer = moved("/sign-in")
    name, path = (HOST_COOKIE, "/") if encrypted(request) else (COOKIE, site().home)
    answer.delete_cookie(name, path=path, secure=True, httponly=True, samesite="Lax")
    return answer


def account() -> Response:
    """The editor's sessions, each with a button that ends it."""
    return page("account.html", sessions=site().review.store.sign_ins(editor().id), own=hash_of(secret_of(request)))


def end_session() -> Response:
    """End one of the editor's sessions, perhaps this one."""
    secret = request.form.get("session", "")
    if _SECRET.fullmatch(secret):
        site().review.store.close_session(bytes.fromhex(secret), editor().id)
    return moved("/account")


def _then(path: str) -> str:
    return path if _NEXT.fullmatch(path) else "/"


_MESSAGES: Mapping[str, Mapping[str, Any]] = tomllib.loads(
    Path(__file__).with_name("messages.toml").read_text(encoding="utf-8")
)


def _says(name: str, *, typed: Sequence[tuple[str, str]] = (), sign_in: bool = False, **words: object) -> Response:
    """A page of `messages.toml`, with what was `typed` to be copied."""
    told = _MESSAGES[name]
    text = told["text"].format(**words)
    answer = page("message.html", told["status"], title=told["title"], text=text, typed=typed, sign_in=sign_in)
    if "retry" in told:
        answer.headers["Retry-After"] = str(told["retry"])
    return answer


MAX_FORM = 1024 * 1024
"""Bytes of a form: drafts have up to about 200 KB, and what is not ASCII takes three times its length on the way."""
CSP = (
    "default-src 'none'; style-src 'self'; script-src 'self'; img-src 'self'; font-src 'self';"
    " frame-src 'self'; form-action 'self'; base-uri 'none'; frame-ancestors 'none'"
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
    "letters.woff2": ("assets/letters.woff2", "font/woff2"),
    "icon.svg": ("assets/icon.svg", "image/svg+xml; charset=utf-8"),
    "review.css": ("review/review.css", "text/css; charset=utf-8"),
    "review.js": ("review/review.js", "text/javascript; charset=utf-8"),
}
"""What the pages load; anything else below `/assets/` is nothing."""


def asset(name: str) -> Response:
    """A style sheet, the script, the picture, or the letters, which a preview asks for without an origin."""
    if name not in ASSETS:
        raise NoPage
    file, kind = ASSETS[name]
    answer = Response((TEMPLATES / file).read_bytes(), content_type=kind)
    if kind.startswith("font/"):
        answer.headers.update({"Access-Control-Allow-Origin": "*", "Cache-Control": "private, max-age=86400"})
    return answer


View = Callable[..., Response]
VIEWS: tuple[tuple[str, str, View], ...] = (
    ("GET", "/assets/<name>", asset),
    ("GET", "/sign-in", sign_in),
    ("POST", "/sign-in", enter),
    ("POST", "/sign-out", sign_out),
    ("GET", "/account", account),
    ("POST", "/end-session", end_session),
    ("GET", "/", pages.waiting),
    ("POST", "/approve-runs", pages.approve_runs),
    ("GET", "/on-its-way", pages.on_its_way),
    ("GET", "/withdraw-playbook", pages.ask_withdrawal),
    ("POST", "/withdraw-playbook", pages.withdraw_playbook),
    ("GET", "/<subject>", pages.show),
    ("GET", "/<subject>/preview/<int:number>", pages.preview),
)


def create_review_app(
    review: ReviewServices, settings: ServiceSettings, clock: Callable[[], datetime] = lambda: datetime.now(UTC)
) -> Flask:
    """The Flask application; its addresses are relative to `/review`. `clock` gives the time for ages."""
    app = Flask(__name__, static_folder=None, template_folder=str(TEMPLATES / "review"))
    app.config.update(MAX_CONTENT_LENGTH=MAX_FORM, MAX_FORM_MEMORY_SIZE=MAX_FORM, MAX_FORM_PARTS=MAX_FIELDS)
    app.url_map.merge_slashes = False
    app.jinja_options = {"undefined": StrictUndefined, "trim_blocks": True, "lstrip_blocks": True}
    place = ReviewSite(review, settings, counters_of(settings), clock)
    app.extensions["review"] = place
    app.jinja_env.filters.update(FILTERS)
    app.jinja_env.globals.update(home=place.home, token_field=TOKEN_FIELD, proxied=bool(settings.review_proxy))
    app.context_processor(lambda: {"signed": signed()})
    log_requests(app, settings.trusted_proxies)
    app.before_request(guard)
    for kind in (LibraryError, HTTPException, MemoryError):
        app.register_error_handler(kind, _error_page)
    for method, rule, view in VIEWS:
        # the mount itself, without a slash, is the first page: a redirect would not know the site's sub-path
        app.add_url_rule(rule, view.__name__, view, methods=[method], strict_slashes=rule != "/")
    for name, post in pages.POSTS.items():
        app.add_url_rule(f"/<subject>/{name}", name, partial(pages.act, post), methods=["POST"])

    @app.after_request
    def with_manners(response: Response) -> Response:
        """Put on every answer what keeps it private and inert; a preview has a stricter policy of its own."""
        for name, value in HEADERS.items():
            response.headers.setdefault(name, value)
        return response

    return app


def _error_page(error: LibraryError | HTTPException | MemoryError) -> Response:
    typed = Form(request.form).written() if signed() and not isinstance(error, RequestEntityTooLarge) else []
    match error:
        case Unavailable() | MemoryError():
            return _says("away", typed=typed)
        case NotFound() | NoPage():
            return _says("nothing-here", typed=typed)
        case Conflict():
            return _says("faster", typed=typed, why=error)
        case LibraryError():
            return _says("content", typed=typed, why=of_library(error) if isinstance(error, ContentError) else error)
    status = error.code or 500
    title = next((kind.title for kind in KINDS if kind.status == status), "This does not work")
    text = error.description or title
    if isinstance(error, RequestEntityTooLarge):
        most = (request.max_content_length or MAX_FORM) // 1024
        text = f"The form has more than {most} KiB or {MAX_FIELDS} parts; nothing was changed. Go back and shorten it."
    answer = page("message.html", status, title=title, text=text, typed=typed, sign_in=False)
    answer.headers.extend(pair for pair in error.get_headers() if pair[0] not in ("Content-Type", "Content-Length"))
    return answer
