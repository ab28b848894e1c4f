"""What is listed: every playbook as markdown and as an Agent Skill (SEP-2640), its prompts and their variants."""

import hashlib
import re
from collections.abc import Mapping
from typing import Any

import mcp_types as types

from library.content.yamlfile import parse
from library.interface.answers import PROVENANCE_NOTE
from library.records.vocabulary import Status

from .asking import find_playbook, is_slug, offered, page, slug_of
from .ports import LibraryReader, Record

EXTENSION = "io.modelcontextprotocol/skills"
MARKDOWN = "text/markdown"
_PLAYBOOK = re.compile(r"playbook://([a-z0-9-]{1,64})")
_SKILL = re.compile(r"skill://([a-z0-9-]{1,64})/(.{1,80})")

_SKILL_IN_WORDS = "A playbook as an instruction file by the Agent Skills rules."
_FILE_IN_WORDS = "A file that travels with a skill: a reference, or a script such as the check of a step."
TEMPLATES = [
    types.ResourceTemplate(name=name, title=title, uri_template=uri, description=words, mime_type=kind)
    for name, title, uri, words, kind in (
        ("playbook", "A playbook", "playbook://{slug}", "A whole playbook as markdown.", MARKDOWN),
        ("skill", "A playbook as an Agent Skill", "skill://{slug}/SKILL.md", _SKILL_IN_WORDS, MARKDOWN),
        ("file", "A file of a skill", "skill://{slug}/{folder}/{name}", _FILE_IN_WORDS, "text/plain"),
    )
]
USE = "use_playbook"
MAX_VALUE = 8_192
_LONGEST = 200
"""So much of a list of names is said in an error."""

_CORE = "SKILL.md"
_WORD = re.compile(r"[^\W_]+")
_VARIABLE = re.compile(r"\{\{\s*([a-z][a-z0-9_]*)\s*\}\}")


async def resources_page(reader: LibraryReader, cursor: str | None) -> tuple[list[types.Resource], str | None]:
    """The next resources, two a playbook, and the cursor after them. Raises `BadCursor`."""
    books, following = page(await offered(reader), cursor, "resources")
    found: list[types.Resource] = []
    for book in books:
        slug, title, about = book["slug"], book["title"], book["summary"]
        uri = f"playbook://{slug}"
        found.append(types.Resource(uri=uri, name=slug, title=title, description=about, mime_type=MARKDOWN))
        if (skill := await _entry(reader, slug)) is not None:
            head, uri, size = skill["frontmatter"], skill["uri"], skill["resources"][0]["size"]
            name, title, about = head["name"], f"Skill: {title}", head["description"]
            found.append(
                types.Resource(uri=uri, name=name, title=title, description=about, mime_type=MARKDOWN, size=size)
            )
    return found, following


async def read_resource(reader: LibraryReader, uri: str) -> types.TextResourceContents | None:
    """The text at an address; None for one that is not ours. A former slug leads to the present playbook."""
    text, kind = None, MARKDOWN
    if match := _PLAYBOOK.fullmatch(uri):
        book = await find_playbook(reader, match[1])
        text = await reader.markdown(slug_of(book)) if book else None
    elif (match := _SKILL.fullmatch(uri)) and is_slug(match[1]):
        raw = (await reader.skill(match[1])).get(match[2])
        text, kind = None if raw is None else raw.decode("utf-8"), MARKDOWN if uri.endswith(".md") else "text/plain"
    return None if text is None else types.TextResourceContents(uri=uri, mime_type=kind, text=text)


async def skills_page(reader: LibraryReader, cursor: str | None) -> tuple[list[dict[str, Any]], str | None]:
    """The next entries of skills, and the cursor after them. Raises `BadCursor`."""
    books, following = page(await offered(reader), cursor, "skills")
    entries = [await _entry(reader, slug_of(book)) for book in books]
    return [entry for entry in entries if entry is not None], following


async def one_skill(reader: LibraryReader, uri: str) -> dict[str, Any] | None:
    """The entry of the skill at an address; None where none is offered."""
    match = _SKILL.fullmatch(uri)
    return await _entry(reader, match[1]) if match and is_slug(match[1]) and match[2] == _CORE else None


async def _entry(reader: LibraryReader, slug: str) -> dict[str, Any] | None:
    """The entry of a skill: its address, its head as it stands in the file, and its files with digests and sizes."""
    files = await reader.skill(slug)
    opening, _, rest = files.get(_CORE, b"").decode("utf-8", "replace").partition("---\n")
    text, fence, _ = rest.partition("\n---\n")
    head = parse(text + "\n", _CORE).value if fence and not opening else None
    if not isinstance(head, dict):
        return None
    resources = [
        {"uri": f"skill://{slug}/{path}", "digest": f"sha256:{hashlib.sha256(body).hexdigest()}", "size": len(body)}
        for path, body in files.items()
    ]
    return {"uri": f"skill://{slug}/{_CORE}", "frontmatter": head, "resources": resources}


class BadPrompt(Exception):
    """A prompt that is not there, or arguments that it does not take; the text says which."""


GENERAL = types.Prompt(
    name=USE,
    title="Use a playbook",
    description="Do a job by a playbook of the library. Beside these arguments it takes the variables of the playbook's"
    " prompt by their names.",
    arguments=[
        types.PromptArgument(name="slug", description="The playbook's slug, such as fix-flaky-tests.", required=True),
        types.PromptArgument(name="agent", description="The slug of the agent, for its variant.", required=False),
    ],
)
"""The prompt that takes any playbook."""


async def prompts_page(reader: LibraryReader, cursor: str | None) -> tuple[list[types.Prompt], str | None]:
    """The next prompts, and the cursor after them. Raises `BadCursor`."""
    found = [GENERAL] if cursor is None else []
    summaries, following = page(await offered(reader), cursor, "prompts")
    for summary in summaries:
        if (book := await reader.playbook(slug_of(summary))) is not None:
            found += [_prompt(book, variant) for variant in (None, *book["variants"])]
    return found, following


def _prompt(book: Record, variant: Record | None) -> types.Prompt:
    text = variant["prompt"] if variant else book["prompt"]
    explained = {item["name"]: item for item in book["inputs"]}
    return types.Prompt(
        name=f"{book['slug']}.{variant['agent']}" if variant else book["slug"],
        title=f"{book['title']} ({variant['agent']})" if variant else book["title"],
        description=(variant.get("note") if variant else None) or book["summary"],
        arguments=[
            types.PromptArgument(name=name, description=_about(name, explained.get(name)), required=False)
            for name in variables(text)
        ],
    )


def _about(name: str, item: Record | None) -> str:
    """What an argument is, as its playbook explains it."""
    if item is None:
        return f"What stands for {{{{{name}}}}} in the prompt."
    secret = " A secret: name where it is kept, never the value." if item.get("secret") else ""
    return f"{item['meaning']} For example: {item['example']}. {item['where']}{secret}"


def variables(text: str) -> list[str]:
    """The variables of a prompt, in the order of their first use."""
    return list(dict.fromkeys(_VARIABLE.findall(text)))


async def get_prompt(reader: LibraryReader, name: str, sent: Mapping[str, str]) -> types.GetPromptResult:
    """A prompt with its variables filled in, and the whole playbook beside it. Raises `BadPrompt`."""
    values = dict(sent)
    if name == USE:
        slug, agent = values.pop("slug", ""), values.pop("agent", "")
        if not slug:
            raise BadPrompt("the argument slug is missing; find_playbook finds slugs")
    else:
        slug, _, agent = name.partition(".")
    book = await find_playbook(reader, slug)
    if book is None or book["status"] == Status.WITHDRAWN:
        raise BadPrompt("there is no such prompt; prompts/list names all")
    text, said = await _text(reader, book, agent, must=name != USE)
    markdown = await reader.markdown(slug_of(book)) or str(book["summary"])
    whole = types.TextResourceContents(uri=f"playbook://{book['slug']}", mime_type=MARKDOWN, text=markdown)
    return types.GetPromptResult(
        description=book["summary"],
        messages=[
            types.PromptMessage(role="user", content=types.TextContent(text=_filled(text, values) + said)),
            types.PromptMessage(role="user", content=types.EmbeddedResource(resource=whole)),
        ],
    )


async def _text(reader: LibraryReader, book: Record, agent: str, *, must: bool) -> tuple[str, str]:
    """The prompt for an agent: its variant, or else the main one with a line that says so, unless it must be one."""
    variants: dict[str, str] = {item["agent"]: item["prompt"] for item in book["variants"]}
    if agent in variants:
        return variants[agent], ""
    if not agent:
        return str(book["prompt"]), ""
    if must:
        raise BadPrompt("there is no such prompt; prompts/list names all")
    if agent not in {slug_of(item) for item in (await reader.listed("agents"))["items"]}:
        names = ", ".join(variants)[:_LONGEST] or "none"
        raise BadPrompt(f"the agent {agent[:64]!r} is not known here; variants are: {names}")
    return str(book["prompt"]), f"\n\nThere is no variant for {agent}; this is the prompt for every agent."


def _filled(text: str, values: Mapping[str, str]) -> str:
    known = variables(text)
    if unknown := sorted(set(values) - set(known)):
        names = ", ".join(known) or "none"
        raise BadPrompt(f"the argument {unknown[0][:64]!r} is not known here; variables are: {names}")
    if long := [name for name, value in values.items() if len(value) > MAX_VALUE]:
        raise BadPrompt(f"the argument {long[0]} is too long: at most {MAX_VALUE} characters")
    filled = _VARIABLE.sub(lambda match: values.get(match[1]) or match[0], text)
    missing = [name for name in known if not values.get(name)]
    ask = f"\n\nAsk the user what stands for {', '.join(f'{{{{{name}}}}}' for name in missing)}." if missing else ""
    return f"{PROVENANCE_NOTE}\n\n{filled}{ask}"


async def completions(reader: LibraryReader, argument: str, begun: str, chosen: Mapping[str, str]) -> list[str]:
    """What an argument called `slug` or `agent` may be by the words typed so far; nothing for any other."""
    names: dict[str, str] = {}
    if argument == "slug":
        names = {slug_of(item): str(item["title"]) for item in await offered(reader)}
    elif argument == "agent" and (book := await find_playbook(reader, chosen.get("slug", ""))) is not None:
        names = {str(item["agent"]): "" for item in book["variants"]}
    elif argument == "agent":
        names = {slug_of(item): str(item["name"]) for item in (await reader.listed("agents"))["items"]}
    asked = _WORD.findall(begun.lower())
    return sorted(
        (name for name in names if _fits(asked, f"{name} {names[name]}")), key=lambda name: not name.startswith(begun)
    )


def _fits(asked: list[str], text: str) -> bool:
    """Whether each word that was typed begins one of the text."""
    words = _WORD.findall(text.lower())
    return all(any(word.startswith(begun) for word in words) for begun in asked)
