"""Drafts: records that are not published yet, and the places in them that are still to be written."""

from collections.abc import Iterable, Iterator

from pydantic import BaseModel
from pydantic.fields import FieldInfo

from ..content.yamlfile import Value
from ..problems import Pointer, Problem
from ..rules import privacy
from .fields import is_list, models_in, texts_of
from .naming import EDITED

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
