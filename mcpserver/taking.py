"""What a model meant by its arguments: other names, numbers as text, a limit out of bounds; each liberty is told."""

import json
import re
from collections.abc import Iterator, Mapping
from contextlib import suppress
from typing import Any

from library.problems import sure

from .schemas import Schema

Notes = list[str]
_MEANT = {
    "q": "query question text search keywords task prompt",
    "slug": "playbook name title id url playbook_slug",
    "playbook": "slug playbook_slug name url",
    "id": "run_id submission_id run submission",
    "limit": "max_results top_k count page_size size n",
    "cursor": "next_cursor page_token",
    "outcome": "result status",
    "duration_minutes": "minutes duration",
    "edit_token": "token",
}
"""Other words by which models call an argument."""
_WHOLE = re.compile(r"[+-]?\d{1,9}(?:\.0*)?")
_TRUTH = {"true": True, "yes": True, "1": True, "false": False, "no": False, "0": False}
_SHORT = 64


def taken(schema: Schema, sent: Mapping[str, Any]) -> tuple[dict[str, Any], Notes]:
    """The arguments as the schema has them, and a sentence for each that was read otherwise than it was written.

    What cannot be meant is left as it is, for whoever judges.
    """
    known, needed = schema["properties"], schema.get("required", ())
    notes: Notes = []
    found = {}
    for name, value in _named(known, sent, notes):
        if name in known and name not in needed and value in (None, ""):
            continue  # absent, as some clients write it
        found[name] = _read(name, known.get(name, {}), value, notes)
    return found, notes


def _named(known: Mapping[str, Schema], sent: Mapping[str, Any], notes: Notes) -> Iterator[tuple[str, Any]]:
    free = [name for name in known if name not in sent]
    for name, value in sent.items():
        meant = None if name in known else _name(name, free)
        if meant:
            notes.append(f"`{name[:_SHORT]}` was read as `{meant}`.")
            free.remove(meant)
        yield meant or name, value


def _name(name: str, free: list[str]) -> str | None:
    word = re.sub("([a-z])([A-Z])", r"\1_\2", name[:_SHORT]).replace("-", "_").lower()
    return next((own for own in free if word == own or word in _MEANT.get(own, "").split()), None) or sure(word, free)


def _read(name: str, schema: Schema, value: object, notes: Notes) -> object:
    kind = schema.get("type")
    if isinstance(value, str):
        meant = _text(kind, schema, value)
    elif kind == "string" and isinstance(value, int | float) and not isinstance(value, bool):
        meant = str(value)
    elif kind == "integer" and isinstance(value, float) and value.is_integer():
        meant = int(value)
    else:
        meant = value
    if "enum" in schema and meant != value:
        notes.append(f"{name} was read as {meant}.")
    if isinstance(meant, dict) and kind == "object" and "properties" in schema:
        meant, inner = taken(schema, meant)
        notes += inner
    if kind == "integer" and isinstance(meant, int) and not isinstance(meant, bool) and "default" in schema:
        bounded = max(schema.get("minimum", meant), min(meant, schema.get("maximum", meant)))
        if bounded != meant:  # what has a default is a wish, and no datum
            notes.append(f"{name} {str(meant)[:_SHORT]} was taken as {bounded}.")
        return bounded
    return meant


def _text(kind: str | None, schema: Schema, value: str) -> object:
    """What a text stands for where something else is asked for, or one word of a few."""
    bare, words = value.strip(), {str(own).replace("-", "_"): own for own in schema.get("enum", ())}
    if kind == "integer" and _WHOLE.fullmatch(bare):
        return int(bare.partition(".")[0])
    if kind == "boolean":
        return _TRUTH.get(bare.lower(), value)
    if kind in ("array", "object"):
        with suppress(ValueError, RecursionError):
            return json.loads(bare)
        return [value] if schema.get("items", {}).get("type") == "string" else value
    word = re.sub(r"[\s-]+", "_", bare[:_SHORT]).lower()
    return words.get(word) or words.get(sure(word, words) or "", value)
