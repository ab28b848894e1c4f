"""A second validator for each model that calls no Python for a text: quick, and never kinder than the model's own.

What it refuses, the model's own validator looks at anew, and says what is wrong, or that nothing is.
"""

from __future__ import annotations

from functools import cache
from typing import Any, TypeVar, cast

from pydantic import BaseModel, ValidationError
from pydantic_core import CoreSchema, SchemaValidator

from .fields import QUICK

M = TypeVar("M", bound=BaseModel)


def from_values(model: type[M], value: object) -> M:
    """A record of plain values. Raises `ValidationError` as the model's own validator does."""
    try:
        return cast("M", _quick(model).validate_python(value))
    except ValidationError:
        return model.model_validate(value)


def from_json(model: type[M], raw: bytes) -> M:
    """The same of a record in JSON."""
    try:
        return cast("M", _quick(model).validate_json(raw))
    except ValidationError:
        return model.model_validate_json(raw)


@cache
def _quick(model: type[BaseModel]) -> SchemaValidator:
    # Else the models' own validators, which pydantic keeps at hand, would be taken in place of this schema.
    return SchemaValidator(cast("CoreSchema", _without_calls(model.__pydantic_core_schema__)), _use_prebuilt=False)


def _without_calls(schema: Any) -> Any:  # noqa: ANN401 - a part of pydantic's description of a model: of any shape
    """The same description with patterns in place of our functions, where there is a pattern for one."""
    if isinstance(schema, list):
        return [_without_calls(part) for part in schema]
    if not isinstance(schema, dict):
        return schema
    parts = {name: _without_calls(part) for name, part in schema.items()}
    if parts.get("type") not in ("function-after", "function-before"):
        return parts
    told, inner = QUICK.get(parts["function"]["function"]), parts["schema"]
    if told is None:
        return parts
    if inner["type"] == "str" and "pattern" not in inner:
        return {**inner, **told}
    return {"type": "chain", "steps": [{"type": "str", **told}, inner]}
