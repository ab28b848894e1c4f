"""Plain values to models: every error of a record as a problem with its pointer and a mend."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from difflib import get_close_matches
from types import UnionType
from typing import Any, TypeVar, Union, get_args, get_origin

from pydantic import BaseModel, TypeAdapter, ValidationError
from pydantic_core import ErrorDetails

from .problems import Pointer, Problem
from .quick import from_values

M = TypeVar("M", bound=BaseModel)

IN_YAML: Mapping[str, str] = {
    "missing": "is missing; add it",
    "string_type": "must be text",
    "tuple_type": "must be a list: one item a line, each after `- `",
    "model_type": "must be a mapping of keys to values",
    "model_attributes_type": "must be a mapping of keys to values",
    "dict_type": "must be a mapping of keys to values",
    "bool_parsing": "must be true or false",
    "int_parsing": "must be a whole number",
    "int_type": "must be a whole number",
    "enum": "must be one of {expected}",
    "literal_error": "must be one of {expected}",
    "string_too_short": "is too short: at least {min_length} characters",
    "string_too_long": "is too long: at most {max_length} characters",
    "too_short": "needs at least {min_length} item(s)",
    "too_long": "has too many items: at most {max_length}, and here are {actual_length}",
    "greater_than_equal": "must be at least {ge}",
    "less_than_equal": "must be at most {le}",
    "string_unicode": "is not text in UTF-8",
    "string_pattern_mismatch": "must look like {pattern}",
    "one-line": "must be one line; join the lines (a `>-` block does it)",
}
"""What each kind of error is called in a file of the content."""
IN_JSON: Mapping[str, str] = {
    **IN_YAML,
    "tuple_type": "must be an array",
    **dict.fromkeys(("model_type", "model_attributes_type", "dict_type"), "must be an object"),
    "one-line": "must be one line; join the lines",
}
"""The same in the body of a request."""
_CODES = {
    "missing": "missing-field",
    "extra_forbidden": "unknown-key",
    "enum": "not-allowed",
    "literal_error": "not-allowed",
}


def typed_keys(*models: type[BaseModel]) -> frozenset[str]:
    """The keys whose values are numbers or truth values, not text."""
    fields = (pair for model in models for pair in model.model_fields.items())
    return frozenset(name for name, info in fields if {bool, int} & {info.annotation, *get_args(info.annotation)})


def validate(model: type[M], value: object, file: str, words: Mapping[str, str] = IN_YAML) -> M | list[Problem]:
    """The record, or all that is wrong with it, in the words of the format that it came in."""
    try:
        return from_values(model, value)
    except ValidationError as errors:
        found = errors.errors(include_url=False, include_input=True)
        return [_problem(model, error, file, words) for error in found if not _echo(error)]


def _echo(error: ErrorDetails) -> bool:
    """Whether a list is called too short only because items in it are wrong, each of which is a problem itself."""
    given = error["input"]
    return error["type"] == "too_short" and isinstance(given, list) and len(given) >= error.get("ctx", {})["min_length"]


def _problem(model: type[BaseModel], error: ErrorDetails, file: str, told: Mapping[str, str]) -> Problem:
    pointer: Pointer = tuple(error["loc"])
    kind = "string_too_long" if error["type"] == "too_long" and isinstance(error["input"], str) else error["type"]
    code = _CODES.get(kind, kind.replace("_", "-"))
    if kind == "extra_forbidden":
        return Problem(file, pointer, code, _unknown_key(model, pointer))
    if kind == "empty" or (error["input"] == "" and kind != "missing"):
        return Problem(file, pointer, "empty", f"is empty; write it{_or_remove(model, pointer)}")
    words = told.get(kind)
    message = words.format(**error.get("ctx", {})) if words else error["msg"]
    if kind == "string_too_long" and isinstance(error["input"], str):
        message += f", and here are {len(error['input'])}"
    if kind in ("enum", "literal_error"):
        message += _nearest(
            str(error["input"]),
            str(error.get("ctx", {}).get("expected", "")).replace("'", "").replace(" or ", ", ").split(", "),
        )
    return Problem(file, pointer, code, message)


def _or_remove(model: type[BaseModel], pointer: Pointer) -> str:
    """What else mends an empty text: where its key or its item need not be there, to remove that."""
    if pointer and isinstance(pointer[-1], int):
        return " or remove the item"
    field = _model_at(model, pointer[:-1]).model_fields.get(str(pointer[-1])) if pointer else None
    return "" if field is None or field.is_required() else " or remove the key"


def _unknown_key(model: type[BaseModel], pointer: Pointer) -> str:
    known = list(_model_at(model, pointer[:-1]).model_fields)
    near = _nearest(str(pointer[-1]), known)
    return "is not a known key" + (near or f"; known are {', '.join(known)}")


def _nearest(word: str, known: list[str]) -> str:
    near = get_close_matches(word.lower(), known, n=1, cutoff=0.6)
    return f"; did you mean {near[0]!r}?" if near else ""


def _model_at(model: type[BaseModel], pointer: Pointer) -> type[BaseModel]:
    """The model that describes the value at `pointer`."""
    for part in pointer:
        if isinstance(part, str) and part in model.model_fields:
            model = next(_models_in(model.model_fields[part].annotation), model)
    return model


def _models_in(annotation: Any) -> Iterator[type[BaseModel]]:  # noqa: ANN401 - a type of any shape
    if isinstance(annotation, type) and issubclass(annotation, BaseModel):
        yield annotation
    elif get_origin(annotation) in (tuple, Union, UnionType):
        for inner in get_args(annotation):
            yield from _models_in(inner)


def json_schema(model: type[BaseModel]) -> dict[str, Any]:
    """The JSON Schema of a record, for editors."""
    return TypeAdapter(model).json_schema()
