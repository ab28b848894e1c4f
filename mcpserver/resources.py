"""Resources: every playbook as markdown, and as an Agent Skill, under addresses of their own."""

from __future__ import annotations

import re
from collections.abc import Sequence

from mcp_types import Resource, ResourceTemplate, TextResourceContents

from library.records.vocabulary import Status

from .asking import find_playbook, is_slug
from .paging import page
from .ports import LibraryReader, Record
from .skills import entry_of, read_skill, skill_uri

MARKDOWN = "text/markdown"
_URI = re.compile(r"(?P<kind>playbook|skill)://(?P<slug>[a-z0-9-]{1,64})(?P<file>/SKILL\.md)?")

TEMPLATES = [
    ResourceTemplate(
        name="playbook",
        title="A playbook",
        uri_template="playbook://{slug}",
        description="A whole playbook as markdown.",
        mime_type=MARKDOWN,
    ),
    ResourceTemplate(
        name="skill",
        title="A playbook as an Agent Skill",
        uri_template="skill://{slug}/SKILL.md",
        description="A playbook as an instruction file by the Agent Skills rules.",
        mime_type=MARKDOWN,
    ),
]


async def offered(reader: LibraryReader) -> Sequence[Record]:
    """The playbooks that are offered, by slug: all but withdrawn ones."""
    return [item for item in (await reader.listed("playbooks"))["items"] if item["status"] != Status.WITHDRAWN]


def slug_of(item: Record) -> str:
    """What lists of playbooks are ordered by."""
    return str(item["slug"])


async def resources_page(reader: LibraryReader, cursor: str | None) -> tuple[list[Resource], str | None]:
    """The next resources, two a playbook, and the cursor after them. Raises `BadCursor`."""
    books, following = page(await offered(reader), cursor, "resources", slug_of)
    found: list[Resource] = []
    for book in books:
        found.append(_playbook(book))
        if (skill := await entry_of(reader, slug_of(book))) is not None:
            found.append(_skill(book, skill))
    return found, following


def _playbook(book: Record) -> Resource:
    return Resource(
        uri=f"playbook://{book['slug']}",
        name=book["slug"],
        title=book["title"],
        description=book["summary"],
        mime_type=MARKDOWN,
    )


def _skill(book: Record, skill: Record) -> Resource:
    return Resource(
        uri=skill["uri"],
        name=skill["frontmatter"]["name"],
        title=f"Skill: {book['title']}",
        description=skill["frontmatter"]["description"],
        mime_type=MARKDOWN,
        size=skill["resources"][0]["size"],
    )


async def read_resource(reader: LibraryReader, uri: str) -> TextResourceContents | None:
    """The text at an address; None for one that is not ours. A former slug leads to the present one."""
    match = _URI.fullmatch(uri)
    if match is None or not is_slug(match["slug"]) or (match["kind"] == "skill") != (match["file"] is not None):
        return None
    book = await find_playbook(reader, match["slug"])
    if book is None:
        return None
    if match["kind"] == "playbook":
        text = await reader.markdown(slug_of(book))
    elif skill_uri(slug_of(book)) == uri:
        text = await read_skill(reader, slug_of(book))
    else:
        text = None
    return None if text is None else TextResourceContents(uri=uri, mime_type=MARKDOWN, text=text)
