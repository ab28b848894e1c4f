"""The kinds of errors that callers know by their slugs and statuses: both are a promise."""

from __future__ import annotations

from library.interface.errors import KINDS

PROMISED = {
    "not-json": 400,
    "bad-key": 401,
    "no-filter": 400,
    "not-yours": 403,
    "not-found": 404,
    "method-not-allowed": 405,
    "handle-taken": 409,
    "state": 409,
    "too-slow": 408,
    "length-required": 411,
    "too-large": 413,
    "address-too-long": 414,
    "not-json-by-type": 415,
    "coded": 415,
    "invalid": 422,
    "idempotency": 422,
    "rate-limited": 429,
    "unavailable": 503,
    "search-unavailable": 503,
    "internal": 500,
}


def test_every_kind_has_the_slug_and_the_status_that_were_promised() -> None:
    assert {kind.slug: kind.status for kind in KINDS} == PROMISED
    assert all(kind.title and kind.advice.endswith(".") for kind in KINDS)
