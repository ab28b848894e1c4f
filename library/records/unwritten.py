"""What `playbooks new` leaves to write: each such place is a problem, so that nothing hollow is published."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any, get_args

from pydantic import BaseModel
from pydantic.fields import FieldInfo

from ..content.yamlfile import Value
from ..problems import Pointer, Problem

MARK = "TODO"
"""How a value reads, or begins before a colon, that is still to be written."""


def place_of(description: str | None) -> str:
    """The text that stands where something is still to be written, with what belongs there."""
    return f"{MARK}: {description}" if description else MARK


def unwritten(value: Value | object, file: str, pointer: Pointer = ()) -> Iterator[Problem]:
    """A problem for each value that is still to be written."""
    if isinstance(value, dict):
        for key, inner in value.items():
            yield from unwritten(inner, file, (*pointer, key))
    elif isinstance(value, list):
        for index, inner in enumerate(value):
            yield from unwritten(inner, file, (*pointer, index))
    elif isinstance(value, str) and (value == MARK or value.startswith(f"{MARK}:")):
        words = value.removeprefix(MARK).removeprefix(":").strip()
        message = f"is still to be written{': ' if words else ''}{words}"
        yield Problem(file, pointer, "to-be-written", message)


def skeleton(model: type[BaseModel]) -> dict[str, Any]:
    """A record with a place to write for each field that it needs."""
    return {name: place_for(info) for name, info in model.model_fields.items() if info.is_required()}


def place_for(info: FieldInfo) -> Any:  # noqa: ANN401 - text, a list of places, or a record of them
    """What stands in a field until it is written."""
    inner = get_args(info.annotation)
    if inner and isinstance(inner[0], type) and issubclass(inner[0], BaseModel):
        return [skeleton(inner[0])]
    place = place_of(info.description)
    return [place] if Ellipsis in inner else place
