"""From the bytes of a request to an intake model, strictly, and back to an answer; errors have one shape (RFC 9457)."""

from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import Any, TypeVar

from flask import Flask, Request, Response
from werkzeug.exceptions import HTTPException, MethodNotAllowed

from library.interface import bodies, errors
from library.interface.errors import UNAUTHORIZED, ErrorKind, FieldProblem, ProblemDetails
from library.interface.intake import Intake
from library.records.validating import IN_JSON, validate

from ..store.engine import Conflict, Mismatch, StoreError, Unavailable

PROBLEM_JSON = "application/problem+json"
RETRY_SECONDS = 5


class ApiError(Exception):
    """An error that the caller is told: its kind, a sentence, and each field's problem."""

    def __init__(
        self, kind: ErrorKind, detail: str, errors: Iterable[FieldProblem] = (), headers: dict[str, str] | None = None
    ) -> None:
        super().__init__(detail)
        self.kind = kind
        self.detail = detail
        self.errors = tuple(errors)
        self.headers = headers or ({"WWW-Authenticate": "Bearer"} if kind == UNAUTHORIZED else {})


def problem_details(site_url: str, kind: ErrorKind, detail: str, errors: Iterable[FieldProblem] = ()) -> bytes:
    """The body of an error."""
    page, places = f"{site_url.rstrip('/')}/docs/errors/#{kind.slug}", tuple(errors) or None
    made = ProblemDetails(type=page, title=kind.title, status=kind.status, detail=detail, errors=places)
    return made.json_bytes()


def register_errors(app: Flask, site_url: str) -> None:
    """Let every error of the application take the one shape."""

    def answer(error: ApiError) -> Response:
        body = problem_details(site_url, error.kind, error.detail, error.errors)
        response = Response(body, error.kind.status, {"Cache-Control": "no-store"}, content_type=PROBLEM_JSON)
        response.headers.update(error.headers)
        return response

    def http(error: HTTPException) -> Response:
        kind = next((kind for kind in errors.KINDS if kind.status == error.code), errors.BROKEN)
        takes = error.valid_methods if isinstance(error, MethodNotAllowed) else None
        headers = {"Allow": ", ".join(sorted(takes))} if takes else None
        return answer(ApiError(kind, kind.advice, headers=headers))

    def refused(error: StoreError | MemoryError) -> Response:
        """What a caller is told of what the store refuses: 503 when it cannot be asked now, else what is in the way."""
        if isinstance(error, Mismatch):
            told = "this Idempotency-Key came with another body"
            place = FieldProblem(pointer="", code="idempotency-key", detail=told)
            return answer(ApiError(errors.OTHER_BODY, "Use a new Idempotency-Key for a new body.", [place]))
        if isinstance(error, Conflict):
            return answer(ApiError(errors.STATE_CONFLICT, f"{error} Read its status, or send a new one."))
        detail = f"Nothing can be taken now; try again in {RETRY_SECONDS} seconds."
        return answer(ApiError(errors.UNAVAILABLE, detail, headers={"Retry-After": str(RETRY_SECONDS)}))

    app.register_error_handler(ApiError, answer)
    app.register_error_handler(HTTPException, http)
    for refusal in (Unavailable, Mismatch, Conflict, MemoryError):  # there may be memory in a moment
        app.register_error_handler(refusal, refused)


JSON = "application/json"
MOST_PARAMETERS = 50  # of a query: each that is unknown is looked at and answered
M = TypeVar("M", bound=Intake)


def read_model(
    request: Request,
    model: type[M],
    *,
    private: frozenset[str] = frozenset(),
    further: Callable[[Mapping[str, Any]], Iterable[FieldProblem]] = lambda _values: (),
) -> tuple[M, Mapping[str, Any]]:
    """The model in a request's body, and the values that it was read from.

    `private` names the fields that may hold private data, such as an e-mail; `further` finds what else is wrong with
    the values. Raises `ApiError` 400, 411, 413, 415 or 422; a 422 names every problem.
    """
    value = read_json(request)
    result = validate(model, value, "body", IN_JSON)
    wrong = [(one.pointer, one.code, one.message) for one in result] if isinstance(result, list) else []
    given = value if isinstance(value, dict) else {}
    open_fields = {name: inner for name, inner in given.items() if name not in private}
    found = bodies.private_matter(open_fields)
    wrong += ((place, "private-data", f"holds {kind}; take it out") for place, kind in found)
    problems = [FieldProblem(pointer=bodies.pointer(place), code=code, detail=text) for place, code, text in wrong]
    problems += further(given)
    if problems or isinstance(result, list):
        raise invalid(problems)
    return result, given


def read_query(model: type[M], arguments: Mapping[str, Sequence[str]]) -> M:
    """The model in a query string, where a parameter without a value is as one that is not there, but for a number.

    Raises `ApiError` 422 with everything that is wrong with it.
    """
    if len(arguments) > MOST_PARAMETERS:
        raise ApiError(errors.INVALID, f"The query has more than {MOST_PARAMETERS} parameters; send fewer.")
    given = {name: values[0] for name, values in arguments.items() if values[0] or name == "limit"}
    read = validate(model, given, "query", IN_JSON)
    wrong = [(bodies.pointer(one.pointer), one.code, one.message) for one in read] if isinstance(read, list) else []
    twice = (name for name, values in arguments.items() if len(values) > 1)
    wrong += [(bodies.pointer((name,)), "repeated", "stands more than once; give it once") for name in twice]
    if wrong or isinstance(read, list):
        problems = [FieldProblem(pointer=place, code=code, detail=text) for place, code, text in wrong]
        raise ApiError(errors.INVALID, "The query cannot be answered as it is.", problems)
    return read


def invalid(problems: Iterable[FieldProblem]) -> ApiError:
    """The error that names what is wrong with a body."""
    return ApiError(errors.INVALID, "The body cannot be taken as it is; `errors` names every place.", problems)


def read_json(request: Request) -> bodies.Json:
    """The strict JSON value in a request's body. Raises `ApiError` with the reason."""
    if request.headers.get("Transfer-Encoding") or request.content_length is None:
        raise ApiError(errors.LENGTH_REQUIRED, "Send the body whole, with its Content-Length.")
    if request.content_length > bodies.MAX_BODY:
        raise ApiError(errors.TOO_LARGE, f"The body may have {bodies.MAX_BODY // 1024} KiB.")
    charset = request.mimetype_params.get("charset", "utf-8").lower()
    if request.mimetype != "application/json" or charset not in ("utf-8", "utf8"):
        raise ApiError(errors.UNSUPPORTED_TYPE, "Send `Content-Type: application/json`, in UTF-8.")
    if request.headers.get("Content-Encoding", "identity").strip().lower() not in ("", "identity"):
        takes = {"Accept-Encoding": "identity"}
        raise ApiError(errors.CODED_BODY, "Send the body as it is, without `Content-Encoding`.", headers=takes)
    raw = request.get_data(cache=False)
    if len(raw) != request.content_length:
        raise ApiError(errors.BAD_JSON, "The body ended before its Content-Length.")
    try:
        return bodies.parse(raw)
    except bodies.NotJson as error:
        raise ApiError(errors.BAD_JSON, str(error)) from error


def reply(body: bytes, status: int = 200, headers: dict[str, str] | None = None) -> Response:
    """A JSON answer that no cache may store."""
    return Response(body, status, {"Cache-Control": "no-store", **(headers or {})}, content_type=JSON)


def created(body: bytes, location: str | None = None) -> Response:
    """201, with the address of what was created where it has one."""
    return reply(body, 201, {"Location": location} if location else None)
