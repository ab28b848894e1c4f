"""Bytes of a request to an intake model, strictly: every way in which they are not one is an error that says so."""

from __future__ import annotations

import json
import math
import re
from collections.abc import Iterator
from typing import Any, NoReturn, TypeVar

from flask import Request
from pydantic import BaseModel

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
from library.validating import validate

from .errors import ApiError

M = TypeVar("M", bound=Intake)
MAX_BODY = 64 * 1024
MAX_DEPTH = 32
MAX_DIGITS = 300
_STRING = re.compile(r'"[^"\\]*(?:\\.[^"\\]*)*"')
_BRACKET = re.compile(r"[\[\]{}]")


class _Refused(ValueError):
    """Something that JSON allows some parsers to take, and that means different things to different ones."""


def read_model(request: Request, model: type[M], *, private: frozenset[str] = frozenset()) -> M:
    """The model in a request's body. `private` names the fields that may hold private data, such as an e-mail.

    Raises `ApiError` 400, 411, 413, 415 or 422; a 422 names every problem.
    """
    value = read_json(request)
    result = validate(model, value, "body")
    if isinstance(result, list):
        raise invalid(
            FieldProblem(pointer=pointer(found.pointer), code=found.code, detail=found.message) for found in result
        )
    problems = list(_private_matter(result, private))
    if problems:
        raise invalid(problems)
    return result


def invalid(problems: Iterator[FieldProblem] | list[FieldProblem]) -> ApiError:
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
    return request.get_data(cache=False)


def parse(raw: bytes) -> Any:  # noqa: ANN401
    """Strict JSON: UTF-8, no duplicate keys, no NaN, no number that cannot be held, no endless nesting."""
    try:
        text = raw.decode("utf-8")
        _refuse_depth(text)
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


def _refuse_depth(text: str) -> None:
    """Count brackets outside of strings, before a parser that would recurse into them."""
    depth = 0
    for bracket in _BRACKET.findall(_STRING.sub("", text)):
        depth += 1 if bracket in "[{" else -1
        if depth > MAX_DEPTH:
            raise _Refused(f"The body is nested more than {MAX_DEPTH} levels deep.")


def _object(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    values = dict(pairs)
    if len(values) != len(pairs):
        names = [name for name, _ in pairs]
        twice = next(name for name in names if names.count(name) > 1)
        raise _Refused(f"The key {json.dumps(twice[:40])} stands twice in one object.")
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
    """A JSON pointer, after RFC 6901."""
    return "".join("/" + str(part).replace("~", "~0").replace("/", "~1") for part in parts)


def _private_matter(value: object, private: frozenset[str], parts: Pointer = ()) -> Iterator[FieldProblem]:
    """Every field that holds private data: the field and the kind, never the value."""
    if isinstance(value, BaseModel):
        for name in type(value).model_fields:
            if name not in private:
                yield from _private_matter(getattr(value, name), private, (*parts, name))
    elif isinstance(value, tuple):
        for index, item in enumerate(value):
            yield from _private_matter(item, private, (*parts, index))
    elif isinstance(value, str):
        for kind in dict.fromkeys(finding.words for finding in privacy.find(value) if finding.refused):
            yield FieldProblem(pointer=pointer(parts), code="private-data", detail=f"holds {kind}; take it out")
