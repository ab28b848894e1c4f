"""The Skills extension (SEP-2640): `skills/list` and `skills/get`, with digest and size of every SKILL.md."""

from __future__ import annotations

import hashlib
from collections.abc import Mapping
from typing import Any

from library.content.yamlfile import parse
from library.records.vocabulary import Status

from .asking import is_slug
from .ports import LibraryReader, Record

EXTENSION = "io.modelcontextprotocol/skills"


def skill_uri(slug: str) -> str:
    """The address of a playbook's SKILL.md."""
    return f"skill://{slug}/SKILL.md"


def slug_in(uri: str) -> str | None:
    """The slug in an address of a SKILL.md; None for any other text."""
    slug = uri.removeprefix("skill://").removesuffix("/SKILL.md")
    return slug if is_slug(slug) and skill_uri(slug) == uri else None


async def read_skill(reader: LibraryReader, slug: str) -> str | None:
    """The text of a playbook's SKILL.md."""
    raw = await reader.skill(slug)
    return None if raw is None else raw.decode("utf-8")


async def entry_of(reader: LibraryReader, slug: str) -> dict[str, Any] | None:
    """The entry of a skill: its address, its head as it stands in the file, and its one file with digest and size."""
    raw = await reader.skill(slug)
    head = frontmatter(raw) if raw is not None else None
    if raw is None or head is None:
        return None
    uri = skill_uri(slug)
    file = {"uri": uri, "digest": f"sha256:{hashlib.sha256(raw).hexdigest()}", "size": len(raw)}
    return {"uri": uri, "frontmatter": head, "resources": [file]}


async def one_skill(reader: LibraryReader, uri: str) -> dict[str, Any] | None:
    """The entry of the skill at an address; None where none is offered."""
    slug = slug_in(uri)
    book = await reader.playbook(slug) if slug else None
    return None if slug is None or book is None or _gone(book) else await entry_of(reader, slug)


def frontmatter(raw: bytes) -> Mapping[str, Any] | None:
    """The head of an instruction file; None where it has none that can be read."""
    text = raw.decode("utf-8", "replace")
    opening, _, rest = text.partition("---\n")
    head, fence, _ = rest.partition("\n---\n")
    value = parse(head + "\n", "SKILL.md").value if fence and not opening else None
    return value if isinstance(value, dict) else None


def _gone(book: Record) -> bool:
    return bool(book["status"] == Status.WITHDRAWN)
