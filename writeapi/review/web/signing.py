"""Signing in with an editor's key, and out again."""

import re

from flask import Response, request
from limits import parse

from writeapi.api.callers import caller_of
from writeapi.keys import hash_of, is_key

from .guard import COOKIE, safe_connection, session_of
from .site import moved, page, signed, site

ATTEMPTS = parse("10 per minute")
"""How often one address may try a key."""

_NEXT = re.compile(r"/[A-Za-z0-9_-]*(?:/[A-Za-z0-9_-]+)*(?:\?[A-Za-z0-9_=&.-]*)?")
_RETRY_SECONDS = 60
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
    address = caller_of(request.environ, site().settings, None)
    if not site().attempts.take([(ATTEMPTS, f"sign-in/{address}")])[-1].within:
        answer = page("sign-in.html", 429, then=then, said="Too many attempts from this address: wait a minute.")
        answer.headers["Retry-After"] = str(_RETRY_SECONDS)
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
    """Where to go after signing in: one of these pages, or the queue."""
    return path if _NEXT.fullmatch(path) else "/"
