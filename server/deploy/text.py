"""Blocks of nginx's configuration as text: quoted, indented, nothing else."""

from __future__ import annotations

from collections.abc import Iterable, Mapping


def quoted(text: str) -> str:
    """A value in quotes; `$` keeps its meaning."""
    return "'" + text.replace("\\", "\\\\").replace("'", "\\'") + "'"


def pattern(text: str) -> str:
    """A regular expression in quotes: its backslashes stay as they are."""
    return f'"{text}"'


def block(head: str, *lines: str | Iterable[str]) -> str:
    """A block with its lines; each may be of several lines itself."""
    inner = [line for item in lines for line in ([item] if isinstance(item, str) else item) if line]
    body = "\n".join(f"    {line}" if line else "" for text in inner for line in text.split("\n"))
    return f"{head} {{\n{body}\n}}"


def mapped(source: str, name: str, values: Mapping[str, str], default: str = "''") -> str:
    """A map from what `source` is to the variable `name`; its keys and values stand as they are written."""
    return block(f"map {source} ${name}", [f"default {default};"], [f"{key} {value};" for key, value in values.items()])
