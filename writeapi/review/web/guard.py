"""Who may ask for what: a session for every page, its token in every form, and nothing from other sites."""

import hmac
import re
from ipaddress import ip_address
from urllib.parse import quote, urlsplit

from flask import Request, Response, g, request
from werkzeug.exceptions import MethodNotAllowed

from writeapi.api.callers import caller_of
from writeapi.keys import hash_of
from writeapi.limits import WRITES
from writeapi.store import Session

from .forms import typed_texts
from .site import moved, page, site

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
        return _stranger() if writes else _to_sign_in()
    g.signed = g.sender = session
    return _wrong_form(session) if writes else None


def _wrong_form(session: Session) -> Response | None:
    """What keeps a form of somebody who is signed in from being taken."""
    if answer := _unreadable():
        return answer
    if not hmac.compare_digest(request.form.get(TOKEN_FIELD, "").encode(), session.csrf.encode()):
        text = "The form does not belong to this sign-in. Open the page again, and copy what was typed from here."
        return page("message.html", 403, title="An old form", text=text, typed=typed_texts(request.form))
    return None


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
    address = caller_of(request.environ, site().settings, None)
    if not site().attempts.take([(limit, f"review-form/{address}") for limit in site().stranger_limits])[-1].within:
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
    return page("message.html", 401, title="Signed out", text=text, typed=typed_texts(request.form), sign_in=True)


def _to_sign_in() -> Response:
    """The way to the sign-in page, and back to what was asked for."""
    question = f"?{request.query_string.decode('latin-1')}" if request.query_string else ""
    return moved(f"/sign-in?next={quote(request.path + question, safe='')}")


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
    return _loopback(asked) and not any(name in asked.headers for name in _FORWARDED)


def _loopback(asked: Request) -> bool:
    try:
        name = urlsplit(f"//{asked.host}").hostname or ""
        return name == "localhost" or ip_address(name).is_loopback
    except ValueError:
        return False
