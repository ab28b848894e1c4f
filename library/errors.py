"""Every error that the service answers with: its kinds, and the one shape that they all take."""

from __future__ import annotations

from dataclasses import dataclass

from .answers import Answer
from .fields import optional


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


class FieldProblem(Answer):
    """One thing wrong with a request."""

    pointer: str
    code: str
    detail: str


class ProblemDetails(Answer):
    """An error, after RFC 9457."""

    type: str
    title: str
    status: int
    detail: str
    errors: tuple[FieldProblem, ...] | None = optional()
