"""Plain values to models: every error of a record as a problem with its pointer and a mend.

And drafts: records that are not published yet, and the places in them that are still to be written.
"""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from functools import reduce
from operator import getitem
from pathlib import Path
from typing import Any, TypeVar

import msgspec.yaml
from pydantic import BaseModel, ValidationError
from pydantic.fields import FieldInfo
from pydantic_core import ErrorDetails

from ..content.yamlfile import Value
from ..interface.answers import AgentAnswer, LessonAnswer, PlaybookAnswer, TaskAnswer
from ..problems import Pointer, Problem, did_you_mean, nearest, sure
from ..rules import privacy
from .fields import is_list, models_in, texts_of, types_in
from .models import Agent, Lesson, Playbook, Task
from .naming import EDITED, slug_of
from .who import folded

M = TypeVar("M", bound=BaseModel)
_MESSAGES = msgspec.yaml.decode(Path(__file__).with_name("messages.yaml").read_bytes(), type=dict[str, dict[str, str]])
IN_YAML: Mapping[str, str] = _MESSAGES["yaml"]  # what each kind of error is called in a file of the content
IN_JSON: Mapping[str, str] = {**IN_YAML, **_MESSAGES["json"]}  # the same in the body of a request
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
    given: Any = value
    missing = {tuple(error["loc"]) for error in found if error["type"] == "missing"}
    for error in found[:50]:  # who made more mistakes is told of them all, but no longer what was meant
        pointer: Pointer = tuple(error["loc"])
        if error["type"] == "extra_forbidden" and not _is_worked_out(model, pointer):
            *inside, word = pointer
            taken = {*reduce(getitem, inside, given), *(to for key, to in meant.items() if key[:-1] == pointer[:-1])}
            free = [name for name in _model_at(model, pointer[:-1]).model_fields if name not in taken]
            lacking = [name for name in free if (*inside, name) in missing]
            if near := nearest(str(word), lacking) or sure(str(word), free):
                meant[pointer] = near
    return meant


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
    known = list(_model_at(model, pointer[:-1]).model_fields)
    near = meant or sure(key, known)
    end = f"did you mean {near!r}?" if near else f"known are {', '.join(known)}"
    problem = Problem(file, pointer, code, f"is not a known key; {end}")
    return problem.mended("rename", sure(key, [meant])) if meant else problem


def _model_at(model: type[BaseModel], pointer: Pointer) -> type[BaseModel]:
    for part in pointer:
        if isinstance(part, str) and part in model.model_fields:
            model = next(iter(models_in(model.model_fields[part].annotation)), model)
    return model


DRAFT = "draft"  # the `status` of a draft. It is none of a record: what has it is no record yet, and no reader meets it


def is_draft(value: object, file: str) -> bool:
    """Whether a file holds a draft: `status: draft`, in any kind of record that people write."""
    return file.partition("/")[0] in EDITED and isinstance(value, dict) and value.get("status") == DRAFT


def private_matter(texts: Iterable[tuple[Pointer, str]], file: str) -> Iterator[Problem]:
    """What no file may hold, and a draft neither, because whoever has the repository can read it."""
    for pointer, text in texts:
        for finding in privacy.find(text):
            if finding.refused:
                message = f"holds {finding.words}; take it out (it is not shown here on purpose)"
                yield Problem(file, pointer, "no-private-matter", message)


MARK = "TODO"  # how a value reads, or begins before a colon, that is still to be written


def unwritten(value: object, file: str) -> Iterator[Problem]:
    """A problem for each value that is still to be written."""
    for pointer, text in texts_of(value):
        if text == MARK or text.startswith(f"{MARK}:"):
            words = text.removeprefix(MARK).removeprefix(":").strip()
            yield Problem(file, pointer, "to-be-written", f"is still to be written{': ' if words else ''}{words}")


def skeleton(model: type[BaseModel]) -> dict[str, Value]:
    """A record with a place to write for each field that it needs."""
    return {name: place_for(info) for name, info in model.model_fields.items() if info.is_required()}


def place_for(info: FieldInfo) -> Value:
    """What stands in a field until it is written."""
    if records := models_in(info.annotation):
        return [skeleton(records[0])]
    place = f"{MARK}: {info.description}" if info.description else MARK
    return [place] if is_list(info) else place
