"""From the bytes of a request to an intake model, strictly, and back to an answer: once for each `Idempotency-Key`."""

import hashlib
import re
from collections.abc import Callable, Iterable, Mapping
from typing import Any, TypeVar

from flask import Request, Response, request
from pydantic import BaseModel

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

from ..services import caller
from ..store import Once
from .problem_details import ApiError

JSON = "application/json"
M = TypeVar("M", bound=Intake)
_KEY = re.compile(r"[!-~]{1,255}")


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


def idempotency_key() -> str | None:
    """The key of the request; None without one. Raises `ApiError` 422 for one that is none."""
    key = request.headers.get("Idempotency-Key")
    if key is None:
        return None
    if not _KEY.fullmatch(key):
        detail = "must be 1-255 printable ASCII characters without a space, such as a UUID"
        raise invalid([FieldProblem(pointer="", code="idempotency-key", detail=f"the header Idempotency-Key {detail}")])
    return key


def once(body: BaseModel, answer: Callable[[str, str], bytes]) -> Once | None:
    """What the store needs to answer a repeated request as it did the first; the key is kept as a hash only."""
    key = idempotency_key()
    if key is None:
        return None
    sent = hashlib.sha256(f"{request.path}\n{body.model_dump_json()}".encode()).digest()
    return Once(caller(), hashlib.sha256(key.encode()).hexdigest(), sent, answer)


def reply(body: bytes, status: int = 200, headers: dict[str, str] | None = None) -> Response:
    """A JSON answer that no cache may store."""
    return Response(body, status, {"Cache-Control": "no-store", **(headers or {})}, content_type=JSON)


def created(body: bytes, location: str | None = None) -> Response:
    """201, with the address of what was created where it has one."""
    return reply(body, 201, {"Location": location} if location else None)
