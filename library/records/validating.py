"""Plain values to models: every error of a record as a problem with its pointer and a mend."""

from collections.abc import Mapping, Sequence
from contextlib import suppress
from dataclasses import replace
from typing import Any, TypeVar

from pydantic import BaseModel, ValidationError
from pydantic_core import ErrorDetails

from ..interface.answers import AgentAnswer, LessonAnswer, PlaybookAnswer, TaskAnswer
from ..problems import Pointer, Problem, did_you_mean, nearest, sure
from ..rules import privacy
from .fields import models_in, types_in
from .models import Agent, Lesson, Playbook, Task
from .naming import slug_of
from .who import folded

M = TypeVar("M", bound=BaseModel)

IN_YAML: Mapping[str, str] = {
    "missing": "is missing; add it",
    "string_type": "must be text",
    "string_type_dict": "must be text; put it in quotes, because a colon and a space in it begin a key",
    "string_type_list": "must be text, not a list; write one text after the key",
    "tuple_type": "must be a list: one item a line, each after `- `",
    "model_type": "must be a mapping of keys to values: {keys}",
    "model_attributes_type": "must be a mapping of keys to values: {keys}",
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
    "string_type_dict": "must be text, not an object",
    "string_type_list": "must be text, not an array",
    **dict.fromkeys(("string_type_int", "string_type_float", "string_type_bool"), "must be text; put it in quotes"),
    "tuple_type": "must be an array",
    **dict.fromkeys(("model_type", "model_attributes_type", "dict_type"), "must be an object"),
    "one-line": "must be one line; join the lines",
}
"""The same in the body of a request."""
_CODES = {"missing": "missing-field", "enum": "not-allowed", "literal_error": "not-allowed"}

_WORKED_OUT: Mapping[type[BaseModel], frozenset[str]] = {
    typed: frozenset(shown.model_fields) - frozenset(typed.model_fields)
    for typed, shown in ((Playbook, PlaybookAnswer), (Lesson, LessonAnswer), (Agent, AgentAnswer), (Task, TaskAnswer))
}
"""What the library itself says of a record, beside what was typed."""


def typed_keys(*models: type[BaseModel]) -> frozenset[str]:
    """The keys whose values are numbers or truth values, not text."""
    fields = (pair for model in models for pair in model.model_fields.items())
    return frozenset(info.alias or name for name, info in fields if {bool, int} & {*types_in(info.annotation)})


def validate(model: type[M], value: object, file: str, words: Mapping[str, str] = IN_YAML) -> M | list[Problem]:
    """The record, or all that is wrong with it, in the words of the format that it came in."""
    try:
        return model.model_validate(value)
    except ValidationError as errors:
        found = [error for error in errors.errors(include_url=False, include_input=True) if not _echo(error)]
        meant = _meant(model, value, found)
        told = {(*pointer[:-1], name) for pointer, name in meant.items()}
        return [
            _unknown_key(model, pointer, file, meant.get(pointer))
            if error["type"] == "extra_forbidden"
            else _problem(model, error, file, words)
            for error in found
            if (pointer := tuple(error["loc"])) not in told or error["type"] != "missing"
        ]


def _meant(model: type[BaseModel], value: object, found: Sequence[ErrorDetails]) -> dict[Pointer, str]:
    """For each unknown key that is like a field which is not there, that field: first of all one that is missing."""
    meant: dict[Pointer, str] = {}
    for error in found:
        pointer: Pointer = tuple(error["loc"])
        if error["type"] != "extra_forbidden" or _is_worked_out(model, pointer):
            continue
        taken = {*_keys_at(value, pointer[:-1]), *(name for key, name in meant.items() if key[:-1] == pointer[:-1])}
        free = [name for name in _model_at(model, pointer[:-1]).model_fields if name not in taken]
        lacking = [other["loc"] for other in found if other["type"] == "missing"]
        missing = [str(place[-1]) for place in lacking if place[:-1] == pointer[:-1]]
        word = str(pointer[-1])
        near = nearest(word, [name for name in free if name in missing]) or nearest(word, free)
        if near:
            meant[pointer] = near
    return meant


def _keys_at(value: object, pointer: Pointer) -> list[str]:
    """The keys of the mapping at `pointer`; none where there is no such place."""
    inner: Any = value
    with suppress(LookupError, TypeError):
        for part in pointer:
            inner = inner[part]
        return list(inner)
    return []


def _is_worked_out(model: type[BaseModel], pointer: Pointer) -> bool:
    """Whether nobody types the key at `pointer`."""
    return len(pointer) == 1 and pointer[0] in _WORKED_OUT.get(model, ())


def _echo(error: ErrorDetails) -> bool:
    """Whether a list is called too short only because items in it are wrong, each of which is a problem itself."""
    given = error["input"]
    return error["type"] == "too_short" and isinstance(given, list) and len(given) >= error.get("ctx", {})["min_length"]


def _problem(model: type[BaseModel], error: ErrorDetails, file: str, told: Mapping[str, str]) -> Problem:
    pointer: Pointer = tuple(error["loc"])
    given, context = error["input"], error.get("ctx", {})
    kind = "string_too_long" if error["type"] == "too_long" and isinstance(given, str) else error["type"]
    code = _CODES.get(kind, kind.replace("_", "-"))
    if kind == "empty" or (given == "" and kind != "missing"):
        return Problem(file, pointer, "empty", f"is empty; write it{_or_remove(model, pointer)}")
    shape = f"{kind}_{type(given).__name__}"
    words = told.get(shape) or told.get(kind)
    needed = [name for name, field in _model_at(model, pointer).model_fields.items() if field.is_required()]
    message = words.format(**context, keys=", ".join(needed)) if words else error["msg"]
    if kind == "string_too_long" and isinstance(given, str):
        message += f", and here are {len(given)}"
    problem = Problem(file, pointer, code, message)
    if isinstance(given, str) and kind in ("enum", "literal_error"):
        known = str(context.get("expected", "")).replace("'", "").replace(" or ", ", ").split(", ")
        return replace(problem, message=message + did_you_mean(given, known)).mended("write", sure(given, known))
    return _as_slug(problem, given) if kind == "slug" else problem


def _as_slug(problem: Problem, text: str) -> Problem:
    """The slug that a name would have: what a name was typed for. Nothing private is said again in it."""
    if "," in text:
        return replace(problem, message="must be one slug; write each on a line of its own, after `- `")
    slug = slug_of(text, "")
    if not slug or any(finding.refused for finding in privacy.find(text)):
        return problem
    written = replace(problem, message=f"{problem.message}; did you mean {slug!r}?")
    return written.mended("write", slug if folded(text) == folded(slug) else None)


def _or_remove(model: type[BaseModel], pointer: Pointer) -> str:
    """What else mends an empty text: where its key or its item need not be there, to remove that."""
    if pointer and isinstance(pointer[-1], int):
        return " or remove the item"
    field = _model_at(model, pointer[:-1]).model_fields.get(str(pointer[-1])) if pointer else None
    return "" if field is None or field.is_required() else " or remove the key"


def _unknown_key(model: type[BaseModel], pointer: Pointer, file: str, meant: str | None) -> Problem:
    code = "unknown-key"
    key = str(pointer[-1])
    if _is_worked_out(model, pointer):
        return Problem(file, pointer, code, "is worked out by the library; remove it").mended("remove")
    if meant:
        problem = Problem(file, pointer, code, f"is not a known key; did you mean {meant!r}?")
        return problem.mended("rename", sure(key, [meant]))
    known = list(_model_at(model, pointer[:-1]).model_fields)
    end = did_you_mean(key, known, f"; known are {', '.join(known)}")
    return Problem(file, pointer, code, f"is not a known key{end}")


def _model_at(model: type[BaseModel], pointer: Pointer) -> type[BaseModel]:
    for part in pointer:
        if isinstance(part, str) and part in model.model_fields:
            model = next(iter(models_in(model.model_fields[part].annotation)), model)
    return model
