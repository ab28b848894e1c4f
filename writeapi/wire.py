"""Bytes of a request to an intake model, strictly: every way in which they are not one is an error that says so."""

from __future__ import annotations

import json
import math
import re
from collections.abc import Callable, Iterable, Iterator, Mapping
from typing import Any, NoReturn, TypeVar

from flask import Request

from library import privacy
from library.errors import (
    BAD_JSON,
    INVALID,
    LENGTH_REQUIRED,
    TOO_LARGE,
    UNSUPPORTED_TYPE,
    FieldProblem,
)
from library.intake import Intake
from library.problems import Pointer
from library.validating import IN_JSON, validate

from .errors import ApiError

M = TypeVar("M", bound=Intake)
MAX_BODY = 64 * 1024
MAX_DEPTH = 32
MAX_VALUES = 1_000
MAX_DIGITS = 300
LONGEST_KEY = 64
HIDDEN_KEY = "(private data)"
_STRING = re.compile(r'"[^"\\]*+(?:\\.[^"\\]*+)*+(?:"|\\?\Z)', re.DOTALL)
"""A string, or the rest of a text in which one is not closed: so that no quote is ever looked at twice."""
_BRACKET = re.compile(r"[\[\]{}]")


class _Refused(ValueError):
    """Something that JSON allows some parsers to take, and that means different things to different ones."""


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
            FieldProblem(pointer=pointer(item.pointer), code=item.code, detail=item.message) for item in result
        )
    if isinstance(value, dict):
        problems += _private_matter({name: inner for name, inner in value.items() if name not in private})
        problems += further(value)
    if problems or isinstance(result, list):
        raise invalid(problems)
    return result


def invalid(problems: Iterable[FieldProblem]) -> ApiError:
    """The error that names what is wrong with a body."""
    return ApiError(INVALID, "The body cannot be taken as it is; `errors` names every place.", problems)


def read_json(request: Request) -> Any:  # noqa: ANN401 - whatever JSON holds
    """The JSON value in a request's body."""
    return parse(_body(request))


def _body(request: Request) -> bytes:
    if request.headers.get("Transfer-Encoding") or request.content_length is None:
        raise ApiError(LENGTH_REQUIRED, "Send the body whole, with its Content-Length.")
    if request.content_length > MAX_BODY:
        raise ApiError(TOO_LARGE, f"The body may have {MAX_BODY // 1024} KiB.")
    charset = request.mimetype_params.get("charset", "utf-8").lower()
    if request.mimetype != "application/json" or charset not in ("utf-8", "utf8"):
        raise ApiError(UNSUPPORTED_TYPE, "Send `Content-Type: application/json`, in UTF-8.")
    raw = request.get_data(cache=False)
    if len(raw) != request.content_length:
        raise ApiError(BAD_JSON, "The body ended before its Content-Length.")
    return raw


def parse(raw: bytes) -> Any:  # noqa: ANN401
    """Strict JSON: UTF-8, no duplicate keys, no NaN, no number that cannot be held, no endless nesting."""
    try:
        text = raw.decode("utf-8")
        _refuse_shape(text)
        value = json.loads(
            text, object_pairs_hook=_object, parse_constant=_constant, parse_float=_float, parse_int=_integer
        )
        json.dumps(value, ensure_ascii=False).encode("utf-8")
    except UnicodeDecodeError as error:
        raise ApiError(BAD_JSON, f"The body is not UTF-8: byte {error.start} cannot be read.") from error
    except UnicodeEncodeError as error:
        raise ApiError(BAD_JSON, "The body holds half of a surrogate pair, which is no character.") from error
    except json.JSONDecodeError as error:
        raise ApiError(
            BAD_JSON, f"The body is not JSON: {error.msg}, line {error.lineno}, column {error.colno}."
        ) from error
    except _Refused as error:
        raise ApiError(BAD_JSON, str(error)) from error
    return value


def _refuse_shape(text: str) -> None:
    """Count brackets and commas outside of strings: before a parser recurses, and before each value has a problem."""
    bare = _STRING.sub("", text)
    if bare.count(",") >= MAX_VALUES:
        raise _Refused(f"The body holds more than {MAX_VALUES:,} values.")
    depth = 0
    for bracket in _BRACKET.findall(bare):
        depth += 1 if bracket in "[{" else -1
        if depth > MAX_DEPTH:
            raise _Refused(f"The body is nested more than {MAX_DEPTH} levels deep.")


def _object(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    values: dict[str, Any] = {}
    for name, value in pairs:
        if name in values:
            raise _Refused(f"The key {json.dumps(_shown(name))} stands twice in one object.")
        values[name] = value
    return values


def _constant(name: str) -> NoReturn:
    raise _Refused(f"{name} is not a JSON number.")


def _float(text: str) -> float:
    number = float(text)
    if not math.isfinite(number):
        raise _Refused("A number is too large to be held.")
    return number


def _integer(text: str) -> int:
    if len(text) > MAX_DIGITS:
        raise _Refused("A number is too large to be held.")
    return int(text)


def pointer(parts: Pointer) -> str:
    """A JSON pointer, after RFC 6901; a key in it that holds private data is not repeated."""
    return "".join("/" + _shown(str(part)).replace("~", "~0").replace("/", "~1") for part in parts)


def _shown(name: str) -> str:
    """A key that the caller chose, as an answer may repeat it."""
    return HIDDEN_KEY if any(finding.refused for finding in privacy.find(name)) else name[:LONGEST_KEY]


def _private_matter(value: object, parts: Pointer = ()) -> Iterator[FieldProblem]:
    """Every text that holds private data: its place and the kind, never the value."""
    if isinstance(value, dict):
        for name, inner in value.items():
            yield from _private_matter(name, (*parts, name))
            yield from _private_matter(inner, (*parts, name))
    elif isinstance(value, list):
        for index, inner in enumerate(value):
            yield from _private_matter(inner, (*parts, index))
    elif isinstance(value, str):
        for kind in dict.fromkeys(finding.words for finding in privacy.find(value) if finding.refused):
            yield FieldProblem(pointer=pointer(parts), code="private-data", detail=f"holds {kind}; take it out")
