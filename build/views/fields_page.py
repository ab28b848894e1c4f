"""The page of every field of every content file, from the descriptions that editors show too."""

from collections.abc import Iterator, Mapping
from typing import Any

import msgspec

from library.records.schemas import KINDS, Schema, schema_of

from .rendering import RenderEnvironment
from .schemas import looked_through


class FieldRow(msgspec.Struct, frozen=True):
    """One field: its anchor, its name with the list that it stands in, and what is known of it."""

    anchor: str
    name: str
    needed: bool
    what: str
    about: str


def fields_page(env: RenderEnvironment, _context: object) -> bytes:
    """Every kind of file with its fields."""
    schemas = {kind: schema_of(kind) for kind in KINDS}
    kinds = [(kind, whole["description"], list(_rows(whole, whole, kind))) for kind, whole in schemas.items()]
    return env.page("fields.html", kinds=kinds)


def _rows(schema: Mapping[str, Any], whole: Schema, anchor: str, before: str = "") -> Iterator[FieldRow]:
    """The fields of a file in their order, those of a record in a list after the list."""
    for name, field in schema["properties"].items():
        place = f"{anchor}-{name.replace('_', '-')}"
        inner = looked_through(field.get("items", field), whole.get("$defs", {}))
        about = field.get("description") or inner.get("description", "")
        yield FieldRow(place, before + name, name in schema.get("required", ()), _what(field, whole), about)
        if "properties" in inner:
            dots = "[]." if "items" in field else "."
            yield from _rows(inner, whole, place, f"{before}{name}{dots}")


def _what(field: Schema, whole: Schema) -> str:
    """The kind of a field's value in a few words."""
    if field.get("type") == "array":
        most = f", at most {field['maxItems']:,}" if "maxItems" in field else ""
        return f"list of {_plural(_what(field['items'], whole))}{most}"
    known = looked_through(field, whole.get("$defs", {}))
    if "enum" in known:
        return ", ".join(known["enum"])
    if "properties" in known:
        return "record"
    return _text(known)


def _text(known: Mapping[str, Any]) -> str:
    if known.get("type") != "string":
        return "true or false" if known.get("type") == "boolean" else "whole number"
    if known.get("format"):
        return {"uri": "address", "date": "date", "date-time": "moment"}[known["format"]]
    if known.get("pattern"):
        return "name" if "a-z0-9" in known["pattern"] else "text of a fixed form"
    return f"text, at most {known['maxLength']:,} characters" if "maxLength" in known else "text"


def _plural(words: str) -> str:
    head, comma, rest = words.partition(", at most")
    plain = {"record": "records", "name": "names", "text": "texts", "address": "addresses"}.get(head, head)
    return f"{plain}{' of' if comma else ''}{comma.replace(',', '') if comma else ''}{rest}"
