"""Playbooks as rows: what lists show of each, worked out once, and every list of them in the readers' order."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Iterable, Mapping

import msgspec

from library.collection import Library
from library.durations import minutes
from library.entries import PlaybookEntry
from library.vocabulary import Status, Trust

from .artifacts import digest
from .facts import Facts
from .listed import Later, Listed, skill_entry
from .listed import rows as rows_later
from .shown import Link, Row

_STATUSES: dict[str, int] = {status: place for place, status in enumerate(Status)}
_TRUSTS: dict[str, int] = {level: -level.rank for level in Trust}
_LISTS: Mapping[str, Callable[[Library, PlaybookEntry], Iterable[str]]] = {
    "playbooks": lambda _library, _book: ("",),
    "categories": lambda library, book: (library.category_of(book),),
    "tasks": lambda _library, book: (book.task,),
    "agents": lambda _library, book: book.agents,
    "contributors": lambda _library, book: book.contributors,
}
"""The slugs of the lists that a playbook stands in, by their kind, which is their folder in addresses."""


def listed(facts: Facts, book: PlaybookEntry) -> Listed:
    """One playbook as lists show it, made once for all of them."""
    if book.slug not in facts.listed:
        facts.listed[book.slug] = to_list(facts, book)
    return facts.listed[book.slug]


def to_list(facts: Facts, book: PlaybookEntry) -> Listed:
    """The same, made now, and not kept."""
    row, summary = msgspec.msgpack.encode(_row(facts, book)), facts.summary(book).json_bytes()
    verdict, gone = facts.verdict(book.slug), book.status is Status.WITHDRAWN
    return Listed(
        row,
        digest(row + summary),
        verdict.level,
        verdict.newly_failing,
        facts.statistics(book.slug).approved > 0,
        summary,
        b"" if gone else skill_entry(book.slug, facts.offer(book), facts.addresses.skill(book.slug)),
    )


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
        minutes=minutes(book.time),
    )


def links_to_agents(library: Library, slugs: Iterable[str]) -> tuple[Link, ...]:
    """Agents as others point to them."""
    return tuple(Link(slug, library.agents[slug].name) for slug in slugs)


def ordered(facts: Facts) -> list[tuple[PlaybookEntry, Listed]]:
    """All playbooks in the readers' order: what may be followed first, then by trust, then by title."""
    if not facts.ordered:
        made = [(book, listed(facts, book)) for book in facts.library.listed]
        facts.ordered = sorted(
            made, key=lambda pair: (_STATUSES[pair[0].status], _TRUSTS[pair[1].trust], pair[0].title.casefold())
        )
    return facts.ordered


def arrange(facts: Facts) -> None:
    """Put every playbook into its lists, before several processes would each do it."""
    for kind in _LISTS:
        rows_of(facts, kind, "")


def rows_of(facts: Facts, kind: str, slug: str) -> Later[Row]:
    """All rows of one list. They are read anew for each page that asks: all together would fill the memory."""
    if kind not in facts.lists:
        slugs_of, library = _LISTS[kind], facts.library
        found: dict[str, list[Listed]] = defaultdict(list)
        for book, item in ordered(facts):
            for name in slugs_of(library, book):
                found[name].append(item)
        facts.lists[kind] = {name: rows_later(items) for name, items in found.items()}
    rows = facts.lists[kind].get(slug)
    return rows.unread() if rows else rows_later(())


def by_category(facts: Facts) -> Later[Row]:
    """All rows by the name of their category; within one they stay in the readers' order."""
    if "by category" not in facts.lists:
        library = facts.library
        places = {slug: (category.name, slug) for slug, category in library.categories.items()}
        found = sorted(ordered(facts), key=lambda pair: places[library.category_of(pair[0])])
        facts.lists["by category"] = {"": rows_later([item for _, item in found])}
    return facts.lists["by category"][""].unread()
