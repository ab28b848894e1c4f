"""What `playbooks new` leaves to write: each such place is a problem, so that nothing hollow is published."""

from collections.abc import Iterator

from pydantic import BaseModel
from pydantic.fields import FieldInfo

from ..content.yamlfile import Value
from ..problems import Problem
from .fields import is_list, models_in
from .values import texts_of

MARK = "TODO"
"""How a value reads, or begins before a colon, that is still to be written."""


def place_of(description: str | None) -> str:
    """The text that stands where something is still to be written, with what belongs there."""
    return f"{MARK}: {description}" if description else MARK


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
    place = place_of(info.description)
    return [place] if is_list(info) else place
