"""JSON Schemas of what is answered and of what is sent, made from the models and tidied for an OpenAPI document."""

from collections.abc import Iterable, Mapping
from typing import Any

from pydantic import BaseModel
from pydantic.json_schema import JsonSchemaMode, models_json_schema

from library.records.schemas import Schema, bare, may_be_absent, never_null

_REF = "#/components/schemas/{model}"


def answer_schemas(models: Iterable[type[BaseModel]]) -> dict[str, Schema]:
    """The schema of each model as it is answered, and of all that they hold, by name.

    A field that may be absent is never null; every other field is required. Unknown fields are allowed, since
    fields may be added.
    """
    found = _definitions(models, "serialization")
    for schema in found.values():
        if "properties" in schema:
            schema.pop("additionalProperties", None)
            schema["required"] = [name for name, inner in schema["properties"].items() if not may_be_absent(inner)]
            schema["properties"] = {name: never_null(inner) for name, inner in schema["properties"].items()}
    return {name: bare(schema) for name, schema in sorted(found.items())}


def sent_schemas(models: Iterable[type[BaseModel]]) -> dict[str, Schema]:
    """The schema of each model as it is sent, by name: closed, and null counts as absent where a field is optional."""
    return {name: bare(schema) for name, schema in sorted(_definitions(models, "validation").items())}


def _definitions(models: Iterable[type[BaseModel]], mode: JsonSchemaMode) -> dict[str, Schema]:
    _, whole = models_json_schema([(model, mode) for model in models], ref_template=_REF)
    definitions: dict[str, Schema] = whole.get("$defs", {})
    return definitions


def looked_through(schema: Mapping[str, Any], definitions: Mapping[str, Any]) -> Mapping[str, Any]:
    """What a field's value is: of what may be null the other choice, of a reference what it leads to."""
    choice = next((one for one in schema.get("anyOf", ()) if one.get("type") != "null"), schema)
    name = choice.get("$ref", "").rpartition("/")[2]
    found: Mapping[str, Any] = definitions[name] if name else choice
    return found
