"""The schemas of tools as every client's converter takes them: no reference, no null, and no more than is asked for."""

from collections.abc import Mapping
from typing import Any

from pydantic import BaseModel

Schema = dict[str, Any]
_DEEP = 3
"""So deep a result's schema goes; what lies below is an object or a list."""


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
