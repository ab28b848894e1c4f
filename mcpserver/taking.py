"""Arguments as models send them, and schemas as clients' converters take them.

What was meant is taken: other names, numbers as text, a limit out of bounds; each liberty is told. Schemas have no
reference, no null, and no more than is asked for.
"""

import json
import re
from collections.abc import Mapping
from contextlib import suppress
from typing import Any

from pydantic import BaseModel, ConfigDict, TypeAdapter, ValidationError

from library.problems import sure

Schema = dict[str, Any]
_DEEP = 3
"""So deep a result's schema goes; what lies below is an object or a list."""
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
_LAX: Mapping[str, TypeAdapter[Any]] = {
    "integer": TypeAdapter(int),
    "boolean": TypeAdapter(bool),
    "string": TypeAdapter(str, config=ConfigDict(coerce_numbers_to_str=True)),
}
_SHORT = 64


def taken(schema: Schema, sent: Mapping[str, Any]) -> tuple[dict[str, Any], Notes]:
    """The arguments as the schema has them, and a sentence for each that was read otherwise than it was written.

    What cannot be meant is left as it is, for whoever judges.
    """
    known, needed = schema["properties"], schema.get("required", ())
    notes: Notes = []
    found = {}
    free = [name for name in known if name not in sent]
    for said, value in sent.items():
        name = said if said in known else _name(said, free) or said
        if name != said:
            notes.append(f"`{said[:_SHORT]}` was read as `{name}`.")
            free.remove(name)
        if name in known and name not in needed and value in (None, ""):
            continue  # absent, as some clients write it
        found[name] = _read(name, known.get(name, {}), value, notes)
    return found, notes


def _name(said: str, free: list[str]) -> str | None:
    word = re.sub("([a-z])([A-Z])", r"\1_\2", said[:_SHORT]).replace("-", "_").lower()
    return next((own for own in free if word == own or word in _MEANT.get(own, "").split()), None) or sure(word, free)


def _read(name: str, schema: Schema, value: object, notes: Notes) -> object:
    kind, meant = schema.get("type"), _meant(schema, value)
    if "enum" in schema and meant != value:
        notes.append(f"{name} was read as {meant}.")
    if isinstance(meant, dict) and kind == "object" and "properties" in schema:
        meant, inner = taken(schema, meant)
        notes += inner
    if kind == "integer" and type(meant) is int and "default" in schema:
        bounded = max(schema.get("minimum", meant), min(meant, schema.get("maximum", meant)))
        if bounded != meant:  # what has a default is a wish, and no datum
            notes.append(f"{name} {str(meant)[:_SHORT]} was taken as {bounded}.")
        return bounded
    return meant


def _meant(schema: Schema, value: object) -> object:
    """What a value stands for where another type is asked for, or one word of a few; else the value."""
    kind, words = schema.get("type", ""), {str(own).replace("-", "_"): own for own in schema.get("enum", ())}
    if isinstance(value, str) and words:
        word = re.sub(r"[\s-]+", "_", value.strip()[:_SHORT]).lower()
        return words.get(word) or words.get(sure(word, words) or "", value)
    if isinstance(value, str) and kind in ("array", "object"):
        with suppress(ValueError, RecursionError):
            return json.loads(value)
        return [value] if schema.get("items", {}).get("type") == "string" else value
    if kind in _LAX and not isinstance(value, bool):
        with suppress(ValidationError):
            return _LAX[kind].validate_python(value)
    return value


def whole(model: type[BaseModel]) -> Schema:
    """The schema of arguments with each reference replaced by what it names; what may be null there is absent."""
    schema = model.model_json_schema(by_alias=True, mode="validation")
    return _plain(schema, schema.get("$defs", {}), null=True)


def of_arguments(schema: Schema) -> Schema:
    """What clients see of the schema of a tool's arguments; the bounds are the reader's, which clamps or names them."""
    told = _told(schema, ("type", "enum", "additionalProperties"), 9)
    for name, inner in schema["properties"].items():
        if "description" in inner:
            told["properties"][name]["description"] = inner["description"]
    return told


def of_result(model: type[BaseModel]) -> Schema:
    """What clients see of the schema of a tool's result: the names and types of the upper levels."""
    schema = model.model_json_schema(by_alias=True, mode="serialization")
    return _told(_plain(schema, schema.get("$defs", {}), null=False), ("type",), _DEEP)


def _plain(schema: Schema, definitions: Mapping[str, Schema], *, null: bool) -> Schema:
    """A schema without references; what may be `null` has its other type, or where that must be said, any."""
    if "$ref" in schema:
        named = definitions[schema["$ref"].rpartition("/")[2]]
        beside = {name: value for name, value in schema.items() if name != "$ref"}
        return _plain({**named, **beside}, definitions, null=null)
    if "anyOf" in schema:
        kinds = [kind for kind in schema["anyOf"] if kind != {"type": "null"}]
        beside = {name: value for name, value in schema.items() if name not in ("anyOf", "default")}
        return _plain({**kinds[0], **beside}, definitions, null=null) if null and len(kinds) == 1 else {}
    plain = {name: value for name, value in schema.items() if name not in ("$defs", "title")}
    if "items" in plain:
        plain["items"] = _plain(plain["items"], definitions, null=null)
    if "properties" in plain:
        plain["properties"] = {
            name: _plain(inner, definitions, null=null) for name, inner in plain["properties"].items()
        }
    return plain


def _told(schema: Schema, names: tuple[str, ...], depth: int) -> Schema:
    told = {name: schema[name] for name in names if name in schema}
    if depth and "properties" in schema:
        told["properties"] = {name: _told(inner, names, depth - 1) for name, inner in schema["properties"].items()}
        told["required"] = schema.get("required", [])
    if depth and "items" in schema:
        told["items"] = _told(schema["items"], names, depth - 1)
    return told
