"""The tools that read: one playbook for a task, search, a playbook by its sections, lists; each short unless asked."""

import re
from collections.abc import Iterable, Mapping, Sequence
from contextlib import suppress
from itertools import chain
from typing import Annotated, Any, Literal

from pydantic import Field

from library.interface import finding
from library.interface.answers import PROVENANCE_NOTE, Answer, PlaybookAnswer
from library.interface.errors import NOT_FOUND
from library.interface.intake import Intake, LongSearch
from library.interface.resolving import PlaybookNames, Resolved, resolve_playbook
from library.interface.versions import words as version_words
from library.records.fields import optional
from library.records.naming import slug_of
from library.records.vocabulary import ResultType

from .library import Asking, Kind, LibraryAccess, Record, Refusal, is_slug, page

Detail = Annotated[Literal["short", "full"], Field(description="`full`: all that the API answers.")]


class Search(LongSearch):
    """A question in plain words."""

    detail: Detail = "short"


Section = Literal["prompt", "steps", "stops", "failures", "evidence", "trust", "runs", "related"]
_SECTIONS: Mapping[Section, tuple[str, Sequence[str]]] = {
    "prompt": (r"Prompt|Inputs of the prompt", ("prompt", "inputs")),
    "steps": (r"What you need|Steps", ("needs", "steps")),
    "stops": (r"Where a person decides", ("human_checkpoints",)),
    "failures": (r"What goes wrong", ("failures",)),
    "evidence": (r"Public accounts|References", ("evidence", "references")),
    "trust": (r"Trust in detail|Proof in detail|Tried with", ("trust_reasons", "trust_next", "proof", "tried_with")),
    "runs": (r"Runs", ("runs", "tested", "trial_runs")),
    "related": (r"Lessons|Related", ("lessonSlugs", "related", "relatedComputed")),
}
"""Of each section: its headings in the markdown twin, and its fields."""
_LONGEST_NAMES = 500
_USUAL: tuple[Section, ...] = ("prompt", "steps", "stops", "failures")
_HEAD = ("slug", "title", "version", "status", "status_reason", "replaced_by", "verdict", "risk", "risk_note", "url")


class OnePlaybook(Intake):
    """Which playbook, and what of it."""

    slug: Annotated[str, Field(min_length=1, max_length=300)] = Field(
        description="Its slug, such as `fix-flaky-tests`; its title or address will do."
    )
    sections: tuple[Section, ...] | None = Field(
        None, max_length=8, description="Absent: prompt, steps, stops and failures."
    )
    agent: str | None = Field(None, max_length=128, description="The agent that will do it, such as `claude-code`.")
    version: str | None = Field(None, max_length=64, description="A former version: its text alone.")
    since: str | None = Field(None, max_length=64, description="Another version: what differs.")
    detail: Detail = "short"


class Page(Intake):
    """Which page of a list."""

    cursor: str | None = Field(None, max_length=400, description="`next_cursor` of the page before.")
    limit: Annotated[int, Field(ge=1, le=100, strict=True)] = Field(10, description="1 to 100; 10 if absent.")
    detail: Detail = "short"


_HIT = ("type", "slug", "title", "summary", "trust", "status", "proven")


class SearchResult(Answer):
    """Search results across playbooks, lessons, agents and jobs."""

    total: int
    items: tuple[dict[str, Any], ...]
    suggestion: str | None = optional()
    provenance_note: str


class SomeSections(Answer):
    """A playbook: its head, and the sections that were asked for."""

    slug: str
    title: str
    version: str
    status: str
    verdict: str
    url: str
    prompt: str | None = optional()
    provenance_note: str


class ToolPage(Answer):
    """A page of a list; `total` counts all of it."""

    total: int
    items: tuple[dict[str, Any], ...]
    next_cursor: str | None


async def find_playbook(asking: Asking, sent: finding.FindTask) -> tuple[Record, str]:
    """Begin here. Takes the user's whole task and gives the one playbook for it, ready to use.

    That is prompt, its inputs, where to stop, what goes wrong, how to report; or the nearest, where none fits.
    """
    asked = LongSearch(q=sent.task, type=ResultType.PLAYBOOK, limit=finding.NEAREST + 1)
    answer = await asking.library.search(asked)
    slug = finding.best(answer)
    record = await asking.library.playbook(slug) if slug else None
    book = PlaybookAnswer.model_validate(record) if record else None
    agents = await asking.library.agents() if sent.agent else ()
    made = finding.answer_to(sent.task, sent.agent or "", answer, book, asking.library.site_url, agents.__contains__)
    return made.model_dump(mode="json"), finding.words(made)


async def search_playbooks(asking: Asking, sent: Search) -> tuple[Record, str]:
    """Lists playbooks, lessons, agents and jobs by plain words, to choose among several."""
    asked = sent.model_dump(exclude={"detail"})
    if sent.agent and not is_slug(sent.agent):
        asked["agent"] = slug_of(sent.agent, sent.agent)
    answer = {**await asking.library.search(LongSearch(**asked)), "provenance_note": PROVENANCE_NOTE}
    ask = "If your user agrees, ask the library for it: `submit` with `ask_for_it`."
    words = "\n".join([PROVENANCE_NOTE, *finding.hits_in_words(answer), *([ask] if answer.get("ask_for_it") else [])])
    if sent.detail == "full":
        return answer, words
    short = _of(answer, ("total", "suggestion", "match", "notes", "provenance_note"))
    return {**short, "items": [_of(hit, _HIT) for hit in answer["items"]]}, words


async def get_playbook(asking: Asking, sent: OnePlaybook) -> tuple[Record, str]:
    """Reads a playbook, or some sections of it: steps with checks, known failures, public evidence, trust, runs."""
    found = await asking.library.playbook(sent.slug)
    if found is None:
        raise Refusal(NOT_FOUND, f"There is no playbook {sent.slug!r}. {await _nearest(asking.library, sent.slug)}")
    version, since = (text.strip().lower() if text else "" for text in (sent.version, sent.since))
    version = "" if version in ("latest", "current", "newest") else version
    if since or version not in ("", found["version"]):
        return await _version(asking.library, found, version or str(found["version"]), since)
    text = await asking.library.markdown(found["slug"]) or str(found["provenance_note"])
    if sent.detail == "full":
        return found, text
    wanted = [_SECTIONS[name] for name in sent.sections or _USUAL]
    short = _of(found, (*_HEAD, *chain.from_iterable(fields for _, fields in wanted), "provenance_note"))
    variants = {item["agent"]: item["prompt"] for item in found["variants"]}
    agent = slug_of(sent.agent or "", "")
    headings = "|".join(heading for heading, _ in wanted)
    if "prompt" in short and agent in variants:
        short |= {"prompt": variants[agent], "agent": agent}
        headings = re.sub(r"\bPrompt\b", f"Prompt for {agent}", headings)
    words = [_cut(text, headings)]
    if sent.agent and (notes := finding.unknown(sent.agent, (await asking.library.agents()).__contains__)):
        short["notes"], words = notes, [*notes, *words]
    if more := ", ".join(name for name in _SECTIONS if name not in (sent.sections or _USUAL)):
        words.append(f"Further sections: {more}.")
    return short, "\n".join(words)


async def _version(library: LibraryAccess, found: Record, version: str, since: str) -> tuple[Record, str]:
    """A version of a playbook, compared with `since`. Raises `Refusal` where it never had one of them, or is gone."""
    slug = str(found["slug"])
    if (item := await library.version(found, version, since)) is None:
        known = await library.versions(slug)
        items = known.items if known else ()
        names = ", ".join(f"{one.version} ({one.at:%Y-%m-%d})" for one in items)[:_LONGEST_NAMES]
        which = f"Known are {names}." if names else "No version of it is kept."
        wrong = next((name for name in (since, version) if name and name not in names), version)
        raise Refusal(NOT_FOUND, f"The playbook {slug!r} has no version {wrong!r}. {which}")
    present = str(found["version"])
    notes = [f"A former version: verdict, trust and url are those of the present one, {present}."]
    told = item.model_dump(mode="json", exclude_none=True)
    head = _of(found, (*_HEAD, "provenance_note"))
    short = {**head, **told["text"], **_of(told, ("version", "at", "next_version", "since"))}
    if version == present:
        return short, version_words(slug, item)
    return {**short, "notes": notes}, f"{notes[0]}\n{version_words(slug, item)}"


async def _nearest(library: LibraryAccess, text: str) -> str:
    """Which playbooks a text is nearest to; or how to find some, where search has none or is away."""
    with suppress(Refusal):
        found = await library.search(LongSearch(q=text[:500], type=ResultType.PLAYBOOK, limit=finding.NEAREST))
        if near := ", ".join(f"`{hit['slug']}` ({hit['title']})" for hit in found["items"]):
            return f"Nearest are {near}. Where none is meant, give find_playbook the whole task."
    return "search_playbooks finds them."


async def resolved(library: LibraryAccess, text: str) -> tuple[str, list[str]]:
    """The slug that a text means, and a sentence if it was not written so; the text as it is where none is meant.

    Only to read: what is like one playbook and no other is taken for it, which the write API never does.
    """
    if await library.playbook(text) is not None:
        return text, []
    books, aliases = await library.list_of("playbooks"), await library.list_of("aliases")
    titles = {str(item["slug"]): str(item["title"]) for item in books["items"]}
    found = resolve_playbook(text, PlaybookNames(titles, aliases["items"], library.site_url))
    if isinstance(found, Resolved):
        meant, how = found.slug, f"by its {found.how}"
    elif len(found.suggestions) != 1:
        return text, []
    else:
        meant, how = found.suggestions[0], "because no other is like it"
    return meant, [f"{text[:100]!r} was read as the playbook `{meant}`, {how}."]


def _cut(markdown: str, headings: str) -> str:
    """A document's head and the sections of some headings; what looks like a heading in a fence is none."""
    kept, keeps, fence = [], True, ""
    for row in markdown.splitlines(keepends=True):
        mark = re.match(r"`{3,}", row)
        if mark and (not fence or mark[0] == fence):
            fence = "" if fence else mark[0]
        elif not fence and row.startswith("## "):
            keeps = re.fullmatch(headings, row[3:].strip()) is not None
        if keeps:
            kept.append(row)
    return "".join(kept)


_LINES: Mapping[Kind, tuple[str, str, Sequence[str]]] = {
    "agents": ("- `{slug}`: {name} by {vendor}", ". {summary}", ("slug", "name", "vendor")),
    "tasks": (
        "- `{slug}` ({category}, {playbook_count} playbooks): {name}",
        ". {summary}",
        ("slug", "name", "playbook_count"),
    ),
    "lessons": ("- `{slug}`: {title}", ". {problem} Fix: {fix}", ("slug", "title")),
}
"""An item of each list in a line, what is added to it in full, and what of it is told in short."""


async def list_tasks(asking: Asking, sent: Page) -> tuple[Record, str]:
    """All jobs that the library has playbooks of, or looks for, by slug; and the categories."""
    return await _listed("tasks", asking, sent)


async def list_agents(asking: Asking, sent: Page) -> tuple[Record, str]:
    """All agents that playbooks name, by slug."""
    return await _listed("agents", asking, sent)


async def list_lessons(asking: Asking, sent: Page) -> tuple[Record, str]:
    """Failures that were met in real work, and what mends each, by slug."""
    return await _listed("lessons", asking, sent)


async def _listed(kind: Kind, asking: Asking, sent: Page) -> tuple[Record, str]:
    whole = await asking.library.list_of(kind)
    items, following = page(whole["items"], sent.cursor, kind, sent.limit)
    form, added, fields = _LINES[kind]
    more = f"\nMore with cursor {following}" if following else ""
    form += added if sent.detail == "full" else ""
    lines = "\n".join(form.format_map({name: str(value).strip() for name, value in item.items()}) for item in items)
    words = f"{len(items)} of {whole['total']}:\n{lines}{more}"
    if sent.detail == "full":
        return {**whole, "items": items, "next_cursor": following}, words
    short = {"total": whole["total"], "items": [_of(item, fields) for item in items], "next_cursor": following}
    if kind == "tasks":
        short["categories"] = [_of(item, ("slug", "name")) for item in whole["categories"]]
    return short, words


def _of(record: Record, names: Iterable[str]) -> dict[str, Any]:
    return {name: record[name] for name in names if record.get(name) is not None}
