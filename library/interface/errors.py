"""Every error that the service answers with: its kinds, and the one shape that they all take."""

from dataclasses import dataclass

from ..records.fields import optional
from .answers import Answer


@dataclass(frozen=True, slots=True)
class ErrorKind:
    """One kind of error, after RFC 9457: `slug` is the fragment of its `type`."""

    slug: str
    status: int
    title: str
    advice: str


BAD_JSON = ErrorKind("not-json", 400, "Not JSON", "Send one JSON object in UTF-8, without duplicate keys or NaN.")
NO_FILTER = ErrorKind(
    "no-filter",
    400,
    "A list that is a file takes no filter",
    "Read the list that is made for it: by agent /api/v1/playbooks/by-agent/{slug}, likewise by-category, by-task and"
    " by-trust. To search by words, ask /api/v1/search?q=words.",
)
UNAUTHORIZED = ErrorKind(
    "bad-key",
    401,
    "The key is not valid",
    "Send a key that was not revoked, or leave the header out: no key is anonymous.",
)
FORBIDDEN = ErrorKind(
    "not-yours", 403, "Not yours to change", "Send the key that sent it, or the edit token that came with its receipt."
)
NOT_FOUND = ErrorKind(
    "not-found", 404, "Not found", "Look the record up in its list; a record that was renamed leaves an alias."
)
METHOD_NOT_ALLOWED = ErrorKind(
    "method-not-allowed", 405, "Method not allowed", "Use one of the methods in the `Allow` header."
)
HANDLE_TAKEN = ErrorKind("handle-taken", 409, "The handle is taken", "Choose another handle.")
STATE_CONFLICT = ErrorKind(
    "state", 409, "Its state does not allow that", "Read its status first; it may have been decided meanwhile."
)
TOO_SLOW = ErrorKind("too-slow", 408, "The body did not come in time", "Send the whole body within ten seconds.")
LENGTH_REQUIRED = ErrorKind("length-required", 411, "Length required", "Send the body whole, with its Content-Length.")
TOO_LARGE = ErrorKind("too-large", 413, "Too large", "Shorten the body to 64 KiB.")
ADDRESS_TOO_LONG = ErrorKind(
    "address-too-long", 414, "The address is too long", "Send a question that is so long as JSON to `POST /search`."
)
UNSUPPORTED_TYPE = ErrorKind("not-json-by-type", 415, "Not JSON by its type", "Send `Content-Type: application/json`.")
CODED_BODY = ErrorKind("coded", 415, "A coded body", "Send the body as it is, without `Content-Encoding`.")
INVALID = ErrorKind("invalid", 422, "Invalid request", "Mend every field that `errors` points to, and send it again.")
OTHER_BODY = ErrorKind(
    "idempotency", 422, "The idempotency key was used for another body", "Use a new key for a new body."
)
RATE_LIMITED = ErrorKind(
    "rate-limited",
    429,
    "Too many requests",
    "Wait the seconds that `Retry-After` says; `RateLimit` tells on every answer what is left.",
)
UNAVAILABLE = ErrorKind(
    "unavailable",
    503,
    "Not available now",
    "Send it again after the seconds in `Retry-After`, with the same idempotency key if it had one.",
)
SEARCH_AWAY = ErrorKind(
    "search-unavailable",
    503,
    "Search is not available",
    "Read the lists instead, or try again when the library was rebuilt.",
)
BROKEN = ErrorKind(
    "internal", 500, "Something broke here", "Try again; if it stays, tell the contact with the time of the request."
)

KINDS: tuple[ErrorKind, ...] = tuple(value for value in list(globals().values()) if isinstance(value, ErrorKind))
"""All of them, in the order in which they stand above."""


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
