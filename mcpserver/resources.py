"""Resources: every playbook as markdown and as an Agent Skill, with the extension for skills (SEP-2640)."""

import hashlib
import re
from collections.abc import Sequence
from typing import Any

from mcp_types import Resource, ResourceTemplate, TextResourceContents

from library.content.yamlfile import parse
from library.records.vocabulary import Status

from .asking import find_playbook, is_slug
from .paging import page
from .ports import LibraryReader, Record

EXTENSION = "io.modelcontextprotocol/skills"
MARKDOWN = "text/markdown"
_PLAYBOOK = re.compile(r"playbook://([a-z0-9-]{1,64})")
_SKILL = re.compile(r"skill://([a-z0-9-]{1,64})/SKILL\.md")
_SCRIPT = re.compile(r"skill://([a-z0-9-]{1,64})/(scripts/([A-Za-z0-9][A-Za-z0-9._-]{0,60}))")

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
    ResourceTemplate(
        name="script",
        title="A script of a skill",
        uri_template="skill://{slug}/scripts/{name}",
        description="A script that travels with a skill, such as the check of a step.",
        mime_type="text/plain",
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
        found.append(
            Resource(
                uri=f"playbook://{book['slug']}",
                name=book["slug"],
                title=book["title"],
                description=book["summary"],
                mime_type=MARKDOWN,
            )
        )
        if (skill := await _entry(reader, slug_of(book))) is not None:
            found.append(
                Resource(
                    uri=skill["uri"],
                    name=skill["frontmatter"]["name"],
                    title=f"Skill: {book['title']}",
                    description=skill["frontmatter"]["description"],
                    mime_type=MARKDOWN,
                    size=skill["resources"][0]["size"],
                )
            )
    return found, following


async def read_resource(reader: LibraryReader, uri: str) -> TextResourceContents | None:
    """The text at an address; None for one that is not ours. A former slug leads to the present playbook."""
    text, kind = None, MARKDOWN
    if match := _PLAYBOOK.fullmatch(uri):
        book = await find_playbook(reader, match[1])
        text = await reader.markdown(slug_of(book)) if book else None
    elif (match := _SKILL.fullmatch(uri)) and is_slug(match[1]) and await reader.playbook(match[1]):
        raw = await reader.skill(match[1])
        text = None if raw is None else raw.decode("utf-8")
    elif (match := _SCRIPT.fullmatch(uri)) and is_slug(match[1]) and (book := await reader.playbook(match[1])):
        named = any(item["path"] == match[2] for item in book["scripts"])
        raw = await reader.script(match[1], match[3]) if named else None
        text, kind = None if raw is None else raw.decode("utf-8"), "text/plain"
    return None if text is None else TextResourceContents(uri=uri, mime_type=kind, text=text)


async def skills_page(reader: LibraryReader, cursor: str | None) -> tuple[list[dict[str, Any]], str | None]:
    """The next entries of skills, and the cursor after them. Raises `BadCursor`."""
    books, following = page(await offered(reader), cursor, "skills", slug_of)
    entries = [await _entry(reader, slug_of(book)) for book in books]
    return [entry for entry in entries if entry is not None], following


async def one_skill(reader: LibraryReader, uri: str) -> dict[str, Any] | None:
    """The entry of the skill at an address; None where none is offered."""
    match = _SKILL.fullmatch(uri)
    book = await reader.playbook(match[1]) if match and is_slug(match[1]) else None
    return await _entry(reader, slug_of(book)) if book and book["status"] != Status.WITHDRAWN else None


async def _entry(reader: LibraryReader, slug: str) -> dict[str, Any] | None:
    """The entry of a skill: its address, its head as it stands in the file, and its files with digests and sizes."""
    raw = await reader.skill(slug)
    head = _frontmatter(raw) if raw is not None else None
    if raw is None or head is None:
        return None
    uri = f"skill://{slug}/SKILL.md"
    files = {uri: raw}
    for path in str(head.get("metadata", {}).get("scripts", "")).split():
        if (body := await reader.script(slug, path.rpartition("/")[2])) is not None:
            files[f"skill://{slug}/{path}"] = body
    return {"uri": uri, "frontmatter": head, "resources": [_file(*item) for item in files.items()]}


def _file(uri: str, body: bytes) -> dict[str, Any]:
    return {"uri": uri, "digest": f"sha256:{hashlib.sha256(body).hexdigest()}", "size": len(body)}


def _frontmatter(raw: bytes) -> Record | None:
    """The head of an instruction file; None where it has none that can be read."""
    opening, _, rest = raw.decode("utf-8", "replace").partition("---\n")
    head, fence, _ = rest.partition("\n---\n")
    value = parse(head + "\n", "SKILL.md").value if fence and not opening else None
    return value if isinstance(value, dict) else None
