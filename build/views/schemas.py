"""JSON Schemas of what is answered and of what is sent, made from the models and tidied for an OpenAPI document."""

from __future__ import annotations

from collections.abc import Iterable

from pydantic import BaseModel
from pydantic.json_schema import models_json_schema

from library.records.schemas import Schema, bare, may_be_absent, never_null

_REF = "#/components/schemas/{model}"


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
            schema["required"] = [name for name, inner in schema["properties"].items() if not may_be_absent(inner)]
            schema["properties"] = {name: never_null(inner) for name, inner in schema["properties"].items()}
    return {name: bare(schema) for name, schema in sorted(found.items())}


def sent_schemas(models: Iterable[type[BaseModel]]) -> dict[str, Schema]:
    """The schema of each model as it is sent, by name: closed, and null counts as absent where a field is optional."""
    pairs = [(model, "validation") for model in models]
    _, whole = models_json_schema(pairs, ref_template=_REF)  # type: ignore[arg-type]  # a list of a literal
    found: dict[str, Schema] = whole.get("$defs", {})
    return {name: bare(schema) for name, schema in sorted(found.items())}
