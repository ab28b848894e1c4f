"""Reads the field tables of `docs/interface.md`, and holds answers against them."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from datetime import date, datetime
from pathlib import Path
from typing import Any

DOCUMENT = Path(__file__).resolve().parents[2] / "docs/interface.md"
_ROW = re.compile(r"^\| ([A-Za-z_]+) \| (.+?) \| (.*?) ?\|$")


@dataclass(frozen=True)
class Field:
    """One row of a table."""

    name: str
    type: str
    optional: bool
    ours: bool


def tables() -> dict[str, list[Field]]:
    """Every table of fields in the document, by its heading, rows in their order."""
    found: dict[str, list[Field]] = {}
    heading, within = "", False
    for line in DOCUMENT.read_text(encoding="utf-8").splitlines():
        if line.startswith("### "):
            heading = line[4:]
        within = line == "| Field | Type | Notes |" or (within and line.startswith("|"))
        row = _ROW.match(line)
        if within and row and row[1] != "Field":
            kind, optional = row[2].removesuffix(" (optional)"), row[2].endswith(" (optional)")
            whole = kind.startswith("array of {") and not kind.endswith("}")
            found.setdefault(heading, []).append(
                Field(row[1], row[2] if whole else kind, optional and not whole, "(ours)" in row[3])
            )
    return found


TABLES = tables()


def breaches(value: Any, table: str, where: str = "") -> Iterator[str]:
    """Everything in which an object is not what a table says, order of keys included."""
    fields = {field.name: field for field in TABLES[table]}
    if not isinstance(value, dict):
        yield f"{where}: {table} must be an object"
        return
    yield from (f"{where}.{name}: is in no table" for name in value.keys() - fields.keys())
    yield from (
        f"{where}.{name}: is missing" for name, field in fields.items() if name not in value and not field.optional
    )
    if [name for name in fields if name in value] != [name for name in value if name in fields]:
        yield f"{where}: the keys of {table} stand in another order"
    for name, field in fields.items():
        if name in value:
            yield from _of_type(value[name], field.type, f"{where}.{name}")


def _of_type(value: Any, kind: str, where: str) -> Iterator[str]:
    if kind.endswith(" or null"):
        yield from () if value is None else _of_type(value, kind.removesuffix(" or null"), where)
    elif kind in TABLES:
        yield from breaches(value, kind, where)
    elif " or " in kind and not kind.startswith("array of "):
        yield from min((list(_of_type(value, part, where)) for part in kind.split(" or ")), key=len)
    elif kind.startswith("array of "):
        yield from _of_items(value, kind.removeprefix("array of "), where)
    elif kind.startswith(("{", "object {")):
        yield from _of_shape(value, kind.removeprefix("object "), where)
    elif kind.startswith("map of "):
        yield from _of_items(list(value.values()), kind.removeprefix("map of "), where)
    elif not _is_plain(value, kind):
        yield f"{where}: {value!r} is no {kind}"


def _of_items(value: Any, kind: str, where: str) -> Iterator[str]:
    if not isinstance(value, list):
        yield f"{where}: must be an array"
        return
    for index, item in enumerate(value):
        yield from _of_type(item, kind, f"{where}[{index}]")


def _of_shape(value: Any, shape: str, where: str) -> Iterator[str]:
    fields: dict[str, str] = dict(part.split(": ", 1) for part in shape.strip("{}").split(", "))
    if not isinstance(value, dict):
        yield f"{where}: must be an object"
        return
    yield from (f"{where}.{name}: is in no table" for name in value.keys() - fields.keys())
    for name, kind in fields.items():
        if name in value:
            yield from _of_type(value[name], kind.removesuffix(" (optional)"), f"{where}.{name}")
        elif not kind.endswith(" (optional)"):
            yield f"{where}.{name}: is missing"


def _is_plain(value: Any, kind: str) -> bool:
    if kind.startswith("one of "):
        return value in kind.removeprefix("one of ").split(", ")
    if kind == "date":
        return isinstance(value, str) and date.fromisoformat(value).isoformat() == value
    if kind == "timestamp":
        return isinstance(value, str) and value.endswith("Z") and bool(datetime.fromisoformat(value))
    types: Mapping[str, tuple[type, ...]] = {
        "string": (str,),
        "integer": (int,),
        "boolean": (bool,),
        "number": (int, float),
    }
    if kind not in types:
        raise AssertionError(f"the document names a type that nobody knows: {kind!r}")
    return isinstance(value, types[kind]) and (kind == "boolean" or not isinstance(value, bool))
