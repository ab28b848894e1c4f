"""Prompts: each playbook's own and its variants for single agents, and one that takes any of them."""

import re
from collections.abc import Mapping

from mcp_types import (
    EmbeddedResource,
    GetPromptResult,
    Prompt,
    PromptArgument,
    PromptMessage,
    TextContent,
    TextResourceContents,
)

from library.interface.answers import PROVENANCE_NOTE
from library.records.vocabulary import Status

from .asking import find_playbook
from .paging import page
from .ports import LibraryReader, Record
from .resources import MARKDOWN, offered, slug_of

USE = "use_playbook"
MAX_VALUE = 8_192
_LONGEST = 200
"""So much of a list of names is said in an error."""

_VARIABLE = re.compile(r"\{\{\s*([a-z][a-z0-9_]*)\s*\}\}")


class BadPrompt(Exception):
    """A prompt that is not there, or arguments that it does not take; the text says which."""


def general() -> Prompt:
    """The prompt that takes any playbook."""
    return Prompt(
        name=USE,
        title="Use a playbook",
        description="Do a job by a playbook of the library. Beside these arguments it takes the variables of the"
        " playbook's prompt by their names.",
        arguments=[
            PromptArgument(name="slug", description="The playbook's slug, such as fix-flaky-tests.", required=True),
            PromptArgument(name="agent", description="The slug of the agent, for its variant.", required=False),
        ],
    )


async def prompts_page(reader: LibraryReader, cursor: str | None) -> tuple[list[Prompt], str | None]:
    """The next prompts, and the cursor after them. Raises `BadCursor`."""
    found = [general()] if cursor is None else []
    summaries, following = page(await offered(reader), cursor, "prompts", slug_of)
    for summary in summaries:
        book = await reader.playbook(slug_of(summary))
        if book is not None:
            found.append(_prompt(book, None))
            found += [_prompt(book, variant) for variant in book["variants"]]
    return found, following


def _prompt(book: Record, variant: Record | None) -> Prompt:
    text = variant["prompt"] if variant else book["prompt"]
    explained = {item["name"]: item for item in book["inputs"]}
    return Prompt(
        name=f"{book['slug']}.{variant['agent']}" if variant else book["slug"],
        title=f"{book['title']} ({variant['agent']})" if variant else book["title"],
        description=(variant.get("note") if variant else None) or book["summary"],
        arguments=[
            PromptArgument(name=name, description=_about(name, explained.get(name)), required=False)
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


async def get_prompt(reader: LibraryReader, name: str, sent: Mapping[str, str]) -> GetPromptResult:
    """A prompt with its variables filled in, and the whole playbook beside it. Raises `BadPrompt`."""
    values = dict(sent)
    if name == USE:
        slug, agent = values.pop("slug", ""), values.pop("agent", "")
        if not slug:
            raise BadPrompt("the argument slug is missing; search_playbooks finds slugs")
    else:
        slug, _, agent = name.partition(".")
    book = await find_playbook(reader, slug)
    if book is None or book["status"] == Status.WITHDRAWN:
        raise BadPrompt("there is no such prompt; prompts/list names all")
    text, said = await _text(reader, book, agent, must=name != USE)
    return GetPromptResult(
        description=book["summary"],
        messages=[
            PromptMessage(role="user", content=TextContent(text=_filled(text, values) + said)),
            PromptMessage(role="user", content=await _whole(reader, book)),
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


async def _whole(reader: LibraryReader, book: Record) -> EmbeddedResource:
    text = await reader.markdown(slug_of(book)) or str(book["summary"])
    uri = f"playbook://{book['slug']}"
    return EmbeddedResource(resource=TextResourceContents(uri=uri, mime_type=MARKDOWN, text=text))


async def completions(reader: LibraryReader, argument: str, begun: str, chosen: Mapping[str, str]) -> list[str]:
    """What an argument called `slug` or `agent` may go on to; nothing for any other."""
    if argument == "slug":
        names = [slug_of(item) for item in await offered(reader)]
    elif argument == "agent":
        book = await find_playbook(reader, chosen.get("slug", ""))
        if book is not None:
            names = [str(item["agent"]) for item in book["variants"]]
        else:
            names = [slug_of(item) for item in (await reader.listed("agents"))["items"]]
    else:
        names = []
    return [name for name in names if name.startswith(begun)]
