"""The page of every operation, for people: made from the same document that machines read. Pure."""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Any

from library.interface.operations import OPERATIONS

from .openapi import Samples, document
from .rendering import RenderEnvironment
from .schemas import looked_through

_METHODS = ("get", "post", "put", "delete")


@dataclass(frozen=True, slots=True)
class ParameterRow:
    """One parameter, or one field of a body. `under` is the body that the field is in."""

    name: str
    kind: str
    needed: bool
    about: str


@dataclass(frozen=True, slots=True)
class StatusRow:
    """One status that an operation answers with."""

    status: str
    about: str


@dataclass(frozen=True, slots=True)
class OperationEntry:
    """One operation as the page shows it."""

    name: str
    method: str
    path: str
    summary: str
    about: str
    proof: str
    parameters: tuple[ParameterRow, ...]
    fields: tuple[ParameterRow, ...]
    answers: tuple[StatusRow, ...]


_BY_NAME = {operation.name: operation for operation in OPERATIONS}
_PROOFS: Mapping[str, str] = {
    "none": "no key",
    "key or none": "with a key or without",
    "key": "a key is needed",
    "key or token": "the sender's key, or the edit token",
}


def operations(env: RenderEnvironment, seen: Samples) -> bytes:
    """The page."""
    whole = document(env.site, seen)
    groups = [(tag["name"], tag["description"], list(_of(tag["name"], whole))) for tag in whole["tags"]]
    return env.page("operations.html", groups=groups, server=whole["servers"][0]["url"])


def _of(tag: str, whole: Mapping[str, Any]) -> Iterator[OperationEntry]:
    """The operations of one tag, in the order of the document."""
    for path, methods in whole["paths"].items():
        for method in _METHODS:
            told = methods.get(method)
            if told and tag in told["tags"]:
                yield OperationEntry(
                    told["operationId"],
                    method.upper(),
                    path,
                    told["summary"],
                    told["description"],
                    _PROOFS[_BY_NAME[told["operationId"]].proof],
                    tuple(_parameters(told)),
                    tuple(_body(told, whole)),
                    tuple(_answers(told, whole)),
                )


def _parameters(told: Mapping[str, Any]) -> Iterator[ParameterRow]:
    for item in told.get("parameters", ()):
        kind = f"{_kind(item['schema'])}, in the {item['in']}"
        yield ParameterRow(item["name"], kind, item.get("required", False), item["description"])


def _body(told: Mapping[str, Any], whole: Mapping[str, Any]) -> Iterator[ParameterRow]:
    """The fields of a body, those of an object in it under its name."""
    if "requestBody" in told:
        yield from _fields(told["requestBody"]["content"]["application/json"]["schema"], whole["components"]["schemas"])


def _fields(schema: Mapping[str, Any], definitions: Mapping[str, Any], under: str = "") -> Iterator[ParameterRow]:
    schema = looked_through(schema, definitions)
    for name, field in schema.get("properties", {}).items():
        kind = looked_through(field, definitions)
        needed = name in schema.get("required", ())
        yield ParameterRow(under + name, _kind(kind), needed, field.get("description", ""))
        yield from _fields(kind, definitions, f"{under}{name}.")


def _kind(schema: Mapping[str, Any]) -> str:
    """A type in words: `string of at most 64 characters`."""
    if "enum" in schema:
        return "one of " + ", ".join(schema["enum"])
    if schema.get("type") == "array":
        least = f"at least {schema['minItems']}, " if "minItems" in schema else ""
        return f"array of {_kind(schema['items'])} ({least}at most {schema['maxItems']})"
    kind = str(schema.get("type", "object"))
    if "maxLength" in schema:
        return f"{kind} of at most {schema['maxLength']:,} characters"
    return f"{kind}, {schema['minimum']:,} to {schema['maximum']:,}" if "maximum" in schema else kind


def _answers(told: Mapping[str, Any], whole: Mapping[str, Any]) -> Iterator[StatusRow]:
    for status, answer in told["responses"].items():
        known = whole["components"]["responses"].get(answer.get("$ref", "").rpartition("/")[2], answer)
        content = known.get("content", {}).get("application/json", {}).get("schema", {})
        name = content.get("$ref", "").rpartition("/")[2]
        yield StatusRow(status, known["description"] + (f" `{name}`" if name else ""))
