"""One shape for every error, after RFC 9457: problem details with all that is wrong, never only the first."""

from collections.abc import Iterable

from flask import Flask, Response
from werkzeug.exceptions import HTTPException, MethodNotAllowed

from library.interface.errors import (
    BROKEN,
    KINDS,
    METHOD_NOT_ALLOWED,
    NOT_FOUND,
    ErrorKind,
    FieldProblem,
    ProblemDetails,
)

PROBLEM_JSON = "application/problem+json"


class ApiError(Exception):
    """An error that the caller is told: its kind, a sentence, and each field's problem."""

    def __init__(
        self, kind: ErrorKind, detail: str, errors: Iterable[FieldProblem] = (), headers: dict[str, str] | None = None
    ) -> None:
        super().__init__(detail)
        self.kind = kind
        self.detail = detail
        self.errors = tuple(errors)
        self.headers = headers or {}


def problem_details(site_url: str, kind: ErrorKind, detail: str, errors: Iterable[FieldProblem] = ()) -> bytes:
    """The body of an error."""
    return ProblemDetails(
        type=f"{site_url.rstrip('/')}/docs/errors/#{kind.slug}",
        title=kind.title,
        status=kind.status,
        detail=detail,
        errors=tuple(errors) or None,
    ).json_bytes()


def register_errors(app: Flask, site_url: str) -> None:
    """Let every error of the application take the one shape."""

    def answer(error: ApiError) -> Response:
        body = problem_details(site_url, error.kind, error.detail, error.errors)
        response = Response(body, error.kind.status, {"Cache-Control": "no-store"}, content_type=PROBLEM_JSON)
        response.headers.update(error.headers)
        return response

    def http(error: HTTPException) -> Response:
        kind = next((kind for kind in KINDS if kind.status == error.code), BROKEN)
        details = {
            NOT_FOUND: "There is nothing at this address.",
            METHOD_NOT_ALLOWED: "This address does not take that method.",
        }
        takes = error.valid_methods if isinstance(error, MethodNotAllowed) else None
        headers = {"Allow": ", ".join(sorted(takes))} if takes else None
        return answer(ApiError(kind, details.get(kind, error.description or kind.title), headers=headers))

    app.register_error_handler(ApiError, answer)
    app.register_error_handler(HTTPException, http)
