"""JSON Schemas of what is answered and of what is sent, made from the models and tidied for an OpenAPI document."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from pydantic import BaseModel
from pydantic.json_schema import models_json_schema

Schema = dict[str, Any]
_REF = "#/components/schemas/{model}"
_NULL = {"type": "null"}


def answer_schemas(models: Iterable[type[BaseModel]]) -> dict[str, Schema]:
    """The schema of each model as it is answered, and of all that they hold, by name.

    A field that may be absent is never null; every other field is required. Unknown fields are allowed, since
    fields may be added.
    """
    pairs = [(model, "serialization") for model in models]
    _, whole = models_json_schema(pairs, ref_template=_REF)  # type: ignore[arg-type]  # a list of a literal
    found: dict[str, Schema] = whole.get("$defs", {})
    for schema in found.values():
        if "properties" in schema:
            schema.pop("additionalProperties", None)
            schema["required"] = [name for name, inner in schema["properties"].items() if not _may_be_absent(inner)]
            schema["properties"] = {name: _never_null(inner) for name, inner in schema["properties"].items()}
    return {name: _bare(schema) for name, schema in sorted(found.items())}


def sent_schemas(models: Iterable[type[BaseModel]]) -> dict[str, Schema]:
    """The schema of each model as it is sent, by name: closed, and null counts as absent where a field is optional."""
    pairs = [(model, "validation") for model in models]
    _, whole = models_json_schema(pairs, ref_template=_REF)  # type: ignore[arg-type]  # a list of a literal
    found: dict[str, Schema] = whole.get("$defs", {})
    return {name: _bare(schema) for name, schema in sorted(found.items())}


def _may_be_absent(field: Schema) -> bool:
    return "default" in field and field["default"] is None


def _never_null(field: Schema) -> Schema:
    """A field of an answer: without the null that the model holds where the answer leaves it out."""
    if not _may_be_absent(field):
        return field
    rest = {name: value for name, value in field.items() if name != "anyOf"}
    kept = [choice for choice in field.get("anyOf", ()) if choice != _NULL]
    return {**rest, **kept[0]} if len(kept) == 1 else {**rest, "anyOf": kept}


def _bare(schema: Any) -> Any:  # noqa: ANN401 - any part of a schema
    """The schema without titles, which repeat the names, and without defaults that say nothing."""
    if isinstance(schema, list):
        return [_bare(item) for item in schema]
    if not isinstance(schema, dict):
        return schema
    kept = {name: value for name, value in schema.items() if name != "title" or not isinstance(value, str)}
    if _may_be_absent(kept) or "const" in kept:
        kept.pop("default", None)
    if "properties" in kept:
        inner = {name: _bare(value) for name, value in kept["properties"].items()}
        return {**{name: _bare(value) for name, value in kept.items() if name != "properties"}, "properties": inner}
    return {name: _bare(value) for name, value in kept.items()}
