"""The forms for a run report and for a submission: their fields from the schemas that the interface is described by."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from functools import cache
from typing import Any, Literal

from library.interface.answers import AgentList
from library.interface.bodies import MAX_BODY
from library.interface.intake import Intake, RunReport
from library.interface.operations import LICENCE
from library.rules import privacy

from .openapi import looked_through, sent_schemas
from .rendering import RenderEnvironment

Kind = Literal["line", "text", "address", "number", "choice", "list", "object"]
_ONE_LINE = 200
"""A text that may be longer than this has a box of several lines."""

_FIRST: Mapping[type[Intake], tuple[str, ...]] = {RunReport: ("outcome", "playbook", "agent", "what_changed", "lesson")}
"""The fields that a form begins with; the others follow as the model has them."""


@dataclass(frozen=True, slots=True)
class FormField:
    """One field of a form. `pointer` is its place in the body, after RFC 6901; of a list, `item` is one of it."""

    name: str
    pointer: str
    kind: Kind
    about: str
    needed: bool
    longest: int = 0
    lowest: int | None = None
    highest: int | None = None
    choices: tuple[str, ...] = ()
    default: str = ""
    item: FormField | None = None
    fields: tuple[FormField, ...] = ()


@cache
def entries(model: type[Intake]) -> tuple[FormField, ...]:
    """The fields of what a model takes, in the order of its form."""
    schemas = sent_schemas([model])
    first = _FIRST.get(model, ())
    found = _entries(schemas[model.__name__], schemas, "")
    return tuple(sorted(found, key=lambda entry: first.index(entry.name) if entry.name in first else len(first)))


def _entries(schema: Mapping[str, Any], schemas: Mapping[str, Any], above: str) -> list[FormField]:
    needed = schema.get("required", ())
    return [
        _entry(name, f"{above}/{name}", field, schemas, needed=name in needed)
        for name, field in schema["properties"].items()
    ]


def _entry(name: str, pointer: str, field: Mapping[str, Any], schemas: Mapping[str, Any], *, needed: bool) -> FormField:
    """One field by its schema; the reference and the null of an optional one are looked through."""
    bare = looked_through(field, schemas)
    kind = _kind(bare)
    return FormField(
        name,
        pointer,
        kind,
        field.get("description", ""),
        needed,
        longest=bare.get("maxLength", 0),
        lowest=bare.get("minimum"),
        highest=bare.get("maxItems", bare.get("maximum")),
        choices=tuple(bare.get("enum", ())),
        default=default if isinstance(default := field.get("default"), str) else "",
        item=_entry(name, f"{pointer}/0", bare["items"], schemas, needed=False) if kind == "list" else None,
        fields=tuple(_entries(bare, schemas, pointer)) if kind == "object" else (),
    )


def _kind(schema: Mapping[str, Any]) -> Kind:
    if "enum" in schema:
        return "choice"
    named: Mapping[str, Kind] = {"array": "list", "object": "object", "integer": "number"}
    if schema.get("type") in named:
        return named[schema["type"]]
    if schema.get("format") == "uri":
        return "address"
    return "text" if schema.get("maxLength", 0) > _ONE_LINE else "line"


def page(template: str, model: type[Intake]) -> Callable[[RenderEnvironment, AgentList], bytes]:
    """A view of the form that sends such a body, which is filled in with the agents that there are."""

    def view(env: RenderEnvironment, agents: AgentList) -> bytes:
        told = {"fields": entries(model), "private": privacy.browser_table(), "licence": LICENCE, "most": MAX_BODY}
        return env.page(template, **told, agents=agents.items)

    return view
