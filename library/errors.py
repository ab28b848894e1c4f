"""Every kind of error that the service answers with: its name in addresses, its status, its title and what to do."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class ErrorKind:
    """One kind of error, after RFC 9457: `slug` is the fragment of its `type`."""

    slug: str
    status: int
    title: str
    advice: str


NOT_FOUND = ErrorKind(
    "not-found", 404, "Not found", "Look the record up in its list; a record that was renamed leaves an alias."
)
METHOD_NOT_ALLOWED = ErrorKind(
    "method-not-allowed", 405, "Method not allowed", "Use one of the methods in the `Allow` header."
)
INVALID = ErrorKind("invalid", 422, "Invalid request", "Mend every field that `errors` points to, and send it again.")
SEARCH_AWAY = ErrorKind(
    "search-unavailable",
    503,
    "Search is not available",
    "Read the lists instead, or try again when the library was rebuilt.",
)
BROKEN = ErrorKind(
    "internal", 500, "Something broke here", "Try again; if it stays, tell the contact with the time of the request."
)

KINDS: tuple[ErrorKind, ...] = (NOT_FOUND, METHOD_NOT_ALLOWED, INVALID, SEARCH_AWAY, BROKEN)
