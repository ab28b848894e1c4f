"""The schemas of tools as every client's converter takes them: no reference, no null, and no more than is asked for."""

from collections.abc import Mapping
from typing import Any

from pydantic import BaseModel

Schema = dict[str, Any]
_TOLD = ("type", "enum", "items", "properties", "required", "additionalProperties")
"""What a schema of arguments says, beside descriptions; the bounds are the reader's, which clamps or names them."""
_DEEP = 3
"""So deep a result's schema goes; what lies below is an object or a list."""


def whole(model: type[BaseModel]) -> Schema:
    """The schema of a model with each reference replaced by what it names, and fields absent where they may be null."""
    schema = model.model_json_schema(by_alias=True, mode="validation")
    return _plain(schema, schema.get("$defs", {}))


def of_arguments(schema: Schema) -> Schema:
    """What clients see of the schema of a tool's arguments."""
    told = _only(schema)
    for name, inner in schema["properties"].items():
        if "description" in inner:
            told["properties"][name]["description"] = inner["description"]
    return told


def of_result(model: type[BaseModel]) -> Schema:
    """What clients see of the schema of a tool's result: the names and types of the upper levels."""
    schema = model.model_json_schema(by_alias=True, mode="serialization")
    return _result(_plain(schema, schema.get("$defs", {})), _DEEP)


def _plain(schema: Schema, definitions: Mapping[str, Schema]) -> Schema:
    if "$ref" in schema:
        named = definitions[schema["$ref"].rpartition("/")[2]]
        return _plain({**named, **{name: value for name, value in schema.items() if name != "$ref"}}, definitions)
    if "anyOf" in schema:
        kinds = [kind for kind in schema["anyOf"] if kind != {"type": "null"}]
        beside = {name: value for name, value in schema.items() if name not in ("anyOf", "default")}
        return _plain({**kinds[0], **beside, "nullable": True}, definitions) if len(kinds) == 1 else {}
    plain = {name: value for name, value in schema.items() if name not in ("$defs", "title")}
    if "items" in plain:
        plain["items"] = _plain(plain["items"], definitions)
    if "properties" in plain:
        plain["properties"] = {name: _plain(inner, definitions) for name, inner in plain["properties"].items()}
    return plain


def _only(schema: Schema) -> Schema:
    told = {name: schema[name] for name in _TOLD if name in schema}
    if "properties" in told:
        told["properties"] = {name: _only(inner) for name, inner in told["properties"].items()}
    if "items" in told:
        told["items"] = _only(told["items"])
    return told


def _result(schema: Schema, depth: int) -> Schema:
    if "nullable" in schema:
        return {}  # a list of types is what converters stumble over
    told = {name: schema[name] for name in ("type",) if name in schema}
    if depth and "properties" in schema:
        told["properties"] = {name: _result(inner, depth - 1) for name, inner in schema["properties"].items()}
        told["required"] = schema.get("required", [])
    if depth and "items" in schema:
        told["items"] = _result(schema["items"], depth - 1)
    return told
