"""Who may ask for what: signing in with an editor's key, a session for every page, its token in every form."""

import hmac
import re
from ipaddress import ip_address
from urllib.parse import quote, urlsplit

from flask import Request, Response, g, request
from limits import RateLimitItem, parse
from werkzeug.exceptions import MethodNotAllowed

from writeapi.keys import hash_of, is_key
from writeapi.limits import WRITES, named_limits
from writeapi.services import caller_of
from writeapi.store.records import Session

from .site import Form, moved, page, signed, site

COOKIE = "review"
TOKEN_FIELD = "csrf"  # noqa: S105 - the name of the field, not a token
PUBLIC = frozenset({"sign_in", "enter", "asset"})
"""The only views that need no session; whatever is added is closed until it stands here."""

MAX_FIELDS = 200
"""Fields of a form: an approval of a whole page of reports has about a hundred."""
MAX_PUBLIC_FORM = 8 * 1024
"""Bytes of a form that needs no session: a key and where to go."""
RETRY_SECONDS = 60

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
        return page("message.html", 403, title="From another site", text="This form was sent from another site.")
    if request.endpoint in PUBLIC:
        request.max_content_length = MAX_PUBLIC_FORM
        return None
    session = session_of(request)
    if session is None:
        return _stranger() if writes else moved(f"/sign-in?next={quote(request.full_path.rstrip('?'), safe='')}")
    g.signed = g.sender = session
    return (_unreadable() or _of_another_sign_in(session)) if writes else None


def _of_another_sign_in(session: Session) -> Response | None:
    if hmac.compare_digest(request.form.get(TOKEN_FIELD, "").encode(), session.csrf.encode()):
        return None
    text = "The form does not belong to this sign-in. Open the page again, and copy what was typed from here."
    return page("message.html", 403, title="An old form", text=text, typed=Form(request.form).written())


def _unreadable() -> Response | None:
    """What keeps a form from being read at all: no length, or so many fields that reading them takes long."""
    if request.content_length is None:
        return page("message.html", 411, title="Without a length", text="The form was sent without its length.")
    if request.mimetype == _PLAIN_FORM and request.get_data().count(b"&") >= MAX_FIELDS:
        text = f"The form has more than {MAX_FIELDS} fields; nothing was changed. Go back and take fewer."
        return page("message.html", 413, title="Too many fields", text=text)
    return None


def _stranger() -> Response:
    """The answer to a form of somebody who is not signed in.

    It is read only where its cookie was a session's not long ago: then what was typed can be copied.
    """
    if not _within("review-form", *named_limits(site().settings.write_limits).values()):
        text = "Too many forms came from this address without a sign-in. Try again in a minute."
        refused = page("message.html", 429, title="Too many forms", text=text)
        refused.headers["Retry-After"] = str(RETRY_SECONDS)
        return refused
    secret = request.cookies.get(COOKIE, "")
    if not (_SECRET.fullmatch(secret) and site().review.store.was_session(hash_of(secret))):
        text = "Nobody is signed in here: nothing was changed. Your browser may still have what was typed: go back."
        return page("message.html", 401, title="Signed out", text=text, sign_in=True)
    if answer := _unreadable():
        return answer
    text = "You are signed out: nothing was changed. What was typed can be copied from here."
    return page("message.html", 401, title="Signed out", text=text, typed=Form(request.form).written(), sign_in=True)


def _within(what: str, *limits: RateLimitItem) -> bool:
    """Whether the address that asks may try this once more; it is counted."""
    who = caller_of(request.environ, site().settings, None)
    return site().attempts.take([(limit, f"{what}/{who}") for limit in limits])[-1].within


def session_of(asked: Request) -> Session | None:
    """The session that a request's cookie opens, while it lasts and its editor is one."""
    secret = asked.cookies.get(COOKIE, "")
    return site().review.store.session(hash_of(secret)) if _SECRET.fullmatch(secret) else None


def from_elsewhere(asked: Request) -> bool:
    """Whether a browser says that another site, or nobody knows who, sent this."""
    if asked.headers.get("Sec-Fetch-Site", "same-origin") not in ("same-origin", "none"):
        return True
    origin = asked.headers.get("Origin")
    if origin is None:
        return False
    ours = urlsplit(site().settings.site_url)
    return origin.rpartition("://")[2] != asked.host and origin != f"{ours.scheme}://{ours.netloc}"


def safe_connection(asked: Request) -> bool:
    """Whether a key may be typed: over https, or on the machine itself.

    Behind proxies their word is taken; a proxy that the settings do not know of makes no connection safe.
    """
    if asked.scheme == "https":
        return True
    if site().settings.trusted_proxies:
        return asked.headers.get("X-Forwarded-Proto", "").rpartition(",")[2].strip() == "https"
    try:
        name = urlsplit(f"//{asked.host}").hostname or ""
        here = name == "localhost" or ip_address(name).is_loopback
    except ValueError:
        return False
    return here and not any(name in asked.headers for name in _FORWARDED)


ATTEMPTS = parse("10 per minute")
"""How often one address may try a key."""

_NEXT = re.compile(r"/[A-Za-z0-9_-]*(?:/[A-Za-z0-9_-]+)*(?:\?[A-Za-z0-9_=&.-]*)?")
UNSAFE = (
    "A key is typed over an encrypted connection only. Open these pages with https://, or on the machine itself at"
    " http://127.0.0.1. Behind a proxy, PLAYBOOKS_TRUSTED_PROXIES must say how many there are, and the proxy must set"
    " X-Forwarded-Proto."
)


def sign_in() -> Response:
    """The page where a key is typed."""
    if not safe_connection(request):
        return page("message.html", 403, title="Not over this connection", text=UNSAFE)
    return page("sign-in.html", then=_then(request.args.get("next", "")), said="")


def enter() -> Response:
    """Sign in with a key that was typed; an older session of this browser ends."""
    if not safe_connection(request):
        return page("message.html", 403, title="Not over this connection", text=UNSAFE)
    then = _then(request.form.get("next", ""))
    if not _within("sign-in", ATTEMPTS):
        answer = page("sign-in.html", 429, then=then, said="Too many attempts from this address: wait a minute.")
        answer.headers["Retry-After"] = str(RETRY_SECONDS)
        return answer
    key, store = request.form.get("key", "").strip(), site().review.store
    found = store.caller(hash_of(key)) if is_key(key) else None
    if found is None:
        return page("sign-in.html", 401, then=then, said="This key is not valid. Paste it whole; it begins with pbl_.")
    if not found.editor:
        return page("sign-in.html", 403, then=then, said="This key is no editor's.")
    if session_of(request):
        store.close_session(hash_of(request.cookies[COOKIE]))
    secret = site().review.random(32).hex()
    store.open_session(hash_of(key), hash_of(secret), site().review.random(32).hex())
    answer = moved(then)
    answer.set_cookie(COOKIE, secret, path=site().home, secure=True, httponly=True, samesite="Lax")
    return answer


def sign_out() -> Response:
    """End the session."""
    if signed():
        site().review.store.close_session(hash_of(request.cookies[COOKIE]))
    answer = moved("/sign-in")
    answer.delete_cookie(COOKIE, path=site().home, secure=True, httponly=True, samesite="Lax")
    return answer


def _then(path: str) -> str:
    return path if _NEXT.fullmatch(path) else "/"
