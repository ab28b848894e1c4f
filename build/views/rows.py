"""Playbooks as rows: what lists show of each, worked out once, and every list of them in the readers' order."""

from collections import defaultdict
from collections.abc import Callable, Iterable, Mapping

import msgspec
import orjson

from library.records.collection import Library
from library.records.entries import PlaybookEntry
from library.records.vocabulary import Status, Trust
from library.rules.proofs import is_proven

from ..facts import Facts
from .addresses import Addresses

_STATUSES: dict[str, int] = {status: place for place, status in enumerate(Status)}
_TRUSTS: dict[str, int] = {level: -level.rank for level in Trust}
_LISTS: Mapping[str, Callable[[Library, PlaybookEntry], Iterable[str]]] = {
    "categories": lambda library, book: (library.category_of(book),),
    "tasks": lambda _library, book: (book.task,),
    "agents": lambda _library, book: book.agents,
    "contributors": lambda _library, book: book.contributors,
}
"""The slugs of the lists that a playbook stands in, by their kind, which is their folder in addresses."""


class Link(msgspec.Struct, frozen=True):
    """A record as others point to it."""

    slug: str
    title: str


class Row(msgspec.Struct, frozen=True):
    """A playbook as one row of a list."""

    slug: str
    title: str
    summary: str
    verdict: str
    trust: str
    newly_failing: bool
    risk: str
    difficulty: str
    time: str
    task: Link
    category: Link
    agents: tuple[Link, ...]
    updated: str
    status: str
    runs: int
    worked: int
    accounts: int
    last_run: str | None
    least_minutes: int | None
    proven: bool


class Listing(msgspec.Struct, frozen=True):
    """One playbook as every list needs it: its row, its `PlaybookSummary` as JSON, and its `skill`.

    That is its entry in the index of skills as JSON, up to the digest, and empty where it is offered to nobody.
    """

    row: Row
    summary: bytes
    skill: bytes


def listings(facts: Facts) -> Mapping[str, Listing]:
    """Every playbook as lists show it, by slug."""
    return {book.slug: listing(facts, book) for book in facts.library.listed}


def listing(facts: Facts, book: PlaybookEntry) -> Listing:
    """One playbook as lists show it."""
    gone = book.status is Status.WITHDRAWN
    return Listing(
        _row(facts, book),
        facts.summary(book).json_bytes(),
        b"" if gone else skill_entry(book.slug, facts.offer(book), facts.addresses, bundled=_is_bundled(facts, book)),
    )


def _is_bundled(facts: Facts, book: PlaybookEntry) -> bool:
    return bool(facts.library.scripts_by_playbook.get(book.slug))


def skill_entry(name: str, description: str, addresses: Addresses, *, bundled: bool) -> bytes:
    """A skill as the indexes of skills name it, in JSON up to the digest of its file, which is known later.

    One that scripts travel with is an archive of all its files.
    """
    kind, url = ("archive", addresses.bundle(name)) if bundled else ("skill-md", addresses.skill(name))
    entry = orjson.dumps({"name": name, "type": kind, "description": description, "url": url})
    return entry.removesuffix(b"}") + b',"digest":"sha256:'


def _row(facts: Facts, book: PlaybookEntry) -> Row:
    library, verdict, runs = facts.library, facts.verdict(book.slug), facts.statistics(book.slug)
    category = library.category_of(book)
    return Row(
        slug=book.slug,
        title=book.title,
        summary=book.summary,
        verdict=verdict.sentence,
        trust=verdict.level,
        newly_failing=verdict.newly_failing,
        risk=book.risk,
        difficulty=book.difficulty,
        time=book.time,
        task=Link(book.task, library.tasks[book.task].name),
        category=Link(category, library.categories[category].name),
        agents=links_to_agents(library, book.agents),
        updated=book.updated,
        status=book.status,
        runs=runs.approved,
        worked=runs.worked + runs.with_changes,
        accounts=len(book.evidence),
        last_run=runs.last_report.date().isoformat() if runs.last_report else None,
        least_minutes=book.least_minutes,
        proven=is_proven(facts.proof(book.slug)),
    )


def links_to_agents(library: Library, slugs: Iterable[str]) -> tuple[Link, ...]:
    """Agents as others point to them."""
    return tuple(Link(slug, library.agents[slug].name) for slug in slugs)


def ordered(facts: Facts) -> tuple[Row, ...]:
    """All playbooks in the readers' order: what may be followed first, then by trust, then by title."""
    rows = [item.row for item in facts.table(listings).values()]
    return tuple(sorted(rows, key=lambda row: (_STATUSES[row.status], _TRUSTS[row.trust], row.title.casefold())))


def lists(facts: Facts) -> Mapping[tuple[str, str], tuple[Row, ...]]:
    """The rows of every list in the readers' order, by its kind and its slug."""
    found: dict[tuple[str, str], list[Row]] = defaultdict(list)
    books, library = facts.library.playbooks, facts.library
    for row in facts.table(ordered):
        for kind, slugs_of in _LISTS.items():
            for name in slugs_of(library, books[row.slug]):
                found[kind, name].append(row)
    return {name: tuple(rows) for name, rows in found.items()}


def rows_of(facts: Facts, kind: str, slug: str) -> tuple[Row, ...]:
    """The rows of one list."""
    return facts.table(lists).get((kind, slug), ())


def by_category(facts: Facts) -> tuple[Row, ...]:
    """All playbooks by the name of their category; within one they stay in the readers' order."""
    return tuple(sorted(facts.table(ordered), key=lambda row: (row.category.title, row.category.slug)))
