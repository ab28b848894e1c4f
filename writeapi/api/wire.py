"""Bytes of a request to an intake model, strictly: every way in which they are not one is an error that says so."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from typing import Any, TypeVar

from flask import Request

from library.interface import bodies
from library.interface.errors import (
    BAD_JSON,
    CODED_BODY,
    INVALID,
    LENGTH_REQUIRED,
    TOO_LARGE,
    UNSUPPORTED_TYPE,
    FieldProblem,
)
from library.interface.intake import Intake
from library.records.validating import IN_JSON, validate

from .problem_details import ApiError

M = TypeVar("M", bound=Intake)


def read_model(
    request: Request,
    model: type[M],
    *,
    private: frozenset[str] = frozenset(),
    further: Callable[[Mapping[str, Any]], Iterable[FieldProblem]] = lambda _values: (),
) -> M:
    """The model in a request's body.

    `private` names the fields that may hold private data, such as an e-mail; `further` finds what else is wrong with
    the values. Raises `ApiError` 400, 411, 413, 415 or 422; a 422 names every problem.
    """
    value = read_json(request)
    result = validate(model, value, "body", IN_JSON)
    problems: list[FieldProblem] = []
    if isinstance(result, list):
        problems += (
            FieldProblem(pointer=bodies.pointer(item.pointer), code=item.code, detail=item.message) for item in result
        )
    if isinstance(value, dict):
        problems += (
            FieldProblem(pointer=bodies.pointer(place), code="private-data", detail=f"holds {kind}; take it out")
            for place, kind in bodies.private_matter(
                {name: inner for name, inner in value.items() if name not in private}
            )
        )
        problems += further(value)
    if problems or isinstance(result, list):
        raise invalid(problems)
    return result


def invalid(problems: Iterable[FieldProblem]) -> ApiError:
    """The error that names what is wrong with a body."""
    return ApiError(INVALID, "The body cannot be taken as it is; `errors` names every place.", problems)


def read_json(request: Request) -> bodies.Json:
    """The strict JSON value in a request's body. Raises `ApiError` with the reason."""
    try:
        return bodies.parse(_body(request))
    except bodies.NotJson as error:
        raise ApiError(BAD_JSON, str(error)) from error


def _body(request: Request) -> bytes:
    if request.headers.get("Transfer-Encoding") or request.content_length is None:
        raise ApiError(LENGTH_REQUIRED, "Send the body whole, with its Content-Length.")
    if request.content_length > bodies.MAX_BODY:
        raise ApiError(TOO_LARGE, f"The body may have {bodies.MAX_BODY // 1024} KiB.")
    charset = request.mimetype_params.get("charset", "utf-8").lower()
    if request.mimetype != "application/json" or charset not in ("utf-8", "utf8"):
        raise ApiError(UNSUPPORTED_TYPE, "Send `Content-Type: application/json`, in UTF-8.")
    if request.headers.get("Content-Encoding", "identity").strip().lower() not in ("", "identity"):
        takes = {"Accept-Encoding": "identity"}
        raise ApiError(CODED_BODY, "Send the body as it is, without `Content-Encoding`.", headers=takes)
    raw = request.get_data(cache=False)
    if len(raw) != request.content_length:
        raise ApiError(BAD_JSON, "The body ended before its Content-Length.")
    return raw
