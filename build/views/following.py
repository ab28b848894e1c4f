"""What feeds and the site map show, picked from the facts: the latest of each list, every page with its last change."""

from __future__ import annotations

import heapq
from collections import defaultdict
from collections.abc import Iterable, Sequence

import msgspec

from library.content.history import Change
from library.records.entries import PlaybookEntry
from library.records.models import Lesson
from library.records.vocabulary import Status

from ..facts import Facts
from .structs import Link

MOST = 50
"""A feed holds so many entries, the latest."""

LANDED = 50
"""So many of the latest commits the page of changes shows."""

NAMED = 100
"""So many playbooks of one commit are named; the others are counted."""

PART = 50_000
"""A site map holds at most so many addresses; the rules of site maps say so."""


class FeedEntry(msgspec.Struct, frozen=True):
    """One entry: `path` is below the site's top, `updated` an RFC 3339 time; `key` tells entries of one path apart."""

    title: str
    path: str
    updated: str
    summary: str
    key: str = ""


class FeedShown(msgspec.Struct, frozen=True):
    """A feed: its name beside the site's own, empty for that of everything; the folder of its page; its entries."""

    name: str
    folder: str
    entries: tuple[FeedEntry, ...]


class Landed(msgspec.Struct, frozen=True):
    """One commit with the playbooks that it changed, each with what was done, and how many more there are."""

    change: Change
    books: tuple[tuple[Link, str], ...]
    more: int


class ChangesShown(msgspec.Struct, frozen=True):
    """The latest changes of the library; `known` is false where it was built without its git history."""

    landed: tuple[Landed, ...]
    known: bool


class Map(msgspec.Struct, frozen=True):
    """A site map: addresses below the site's top, each with the day of its last change, where that is known."""

    pages: tuple[tuple[str, str], ...]
    parts: int = 0


def _book(book: PlaybookEntry) -> FeedEntry:
    return FeedEntry(book.title, f"playbooks/{book.slug}/", f"{book.updated}T00:00:00Z", book.summary)


def _lesson(slug: str, lesson: Lesson) -> FeedEntry:
    return FeedEntry(lesson.title, f"lessons/{slug}/", f"{lesson.updated.isoformat()}T00:00:00Z", lesson.problem)


def _latest(entries: Iterable[FeedEntry]) -> tuple[FeedEntry, ...]:
    return tuple(heapq.nlargest(MOST, entries, key=lambda entry: (entry.updated, entry.path)))


def _newest(books: Iterable[PlaybookEntry]) -> tuple[FeedEntry, ...]:
    latest = sorted([(book.updated, book.slug, book) for book in books], reverse=True)  # no two have one slug
    return tuple([_book(book) for _, _, book in latest[:MOST]])


def everything(facts: Facts) -> FeedShown:
    """Playbooks and lessons that changed."""
    lessons = (_lesson(slug, lesson) for slug, lesson in facts.library.lessons.items())
    return FeedShown("", "", _latest([*_newest(facts.library.listed), *lessons]))


def playbooks(facts: Facts) -> FeedShown:
    """Playbooks that changed."""
    return FeedShown("playbooks", "playbooks/", _newest(facts.library.listed))


def lessons(facts: Facts) -> FeedShown:
    """Lessons that changed."""
    found = (_lesson(slug, lesson) for slug, lesson in facts.library.lessons.items())
    return FeedShown("lessons", "lessons/", _latest(found))


def category(facts: Facts, slug: str) -> FeedShown:
    """A category's playbooks that changed."""
    library = facts.library
    found = _newest(library.playbooks_by_category.get(slug, ()))
    return FeedShown(library.categories[slug].name, f"categories/{slug}/", found)


def task(facts: Facts, slug: str) -> FeedShown:
    """A job's playbooks that changed."""
    library = facts.library
    return FeedShown(library.tasks[slug].name, f"tasks/{slug}/", _newest(library.playbooks_by_task.get(slug, ())))


def agent(facts: Facts, slug: str) -> FeedShown:
    """An agent's playbooks that changed."""
    library = facts.library
    return FeedShown(library.agents[slug].name, f"agents/{slug}/", _newest(library.playbooks_by_agent.get(slug, ())))


def changes(facts: Facts) -> ChangesShown:
    """The latest commits that changed playbooks, each with those that are still there."""
    by_commit: dict[str, list[tuple[str, Change]]] = defaultdict(list)
    for slug, change in facts.history.latest():
        if len(by_commit) == LANDED and change.commit not in by_commit:
            break
        if slug in facts.library.playbooks:
            by_commit[change.commit].append((slug, change))
    return ChangesShown(tuple(_landed(facts, found) for found in by_commit.values()), bool(facts.history.head))


def _landed(facts: Facts, found: list[tuple[str, Change]]) -> Landed:
    books = tuple((Link(slug, facts.library.playbooks[slug].title), change.kind) for slug, change in found[:NAMED])
    plain = msgspec.structs.replace(facts.shown_change(found[0][1]), before="", after="")
    return Landed(plain, books, len(found) - len(books))


def site_map(facts: Facts, tops: Sequence[str]) -> Map:
    """Every page for people; only how many parts there are, where one file would hold too many."""
    parts = len(map_parts(facts, tops))
    return Map((), parts) if parts else Map(_pages(facts, tops))


def map_parts(facts: Facts, tops: Sequence[str]) -> tuple[str, ...]:
    """The names of the parts of the site map; none where one file holds everything."""
    library = facts.library
    lists = (tops, library.lessons, library.tasks, library.categories, library.agents, library.handles)
    parts = -(-(len(_offered(facts)) + sum(map(len, lists))) // PART)
    return tuple(str(number) for number in range(1, parts + 1)) if parts > 1 else ()


def map_part(facts: Facts, number: str, tops: Sequence[str]) -> Map:
    """One part of the site map, by its number."""
    first = (int(number) - 1) * PART
    return Map(_pages(facts, tops)[first : first + PART])


def _offered(facts: Facts) -> list[PlaybookEntry]:
    return [book for book in facts.library.listed if book.status is not Status.WITHDRAWN]


def _pages(facts: Facts, tops: Iterable[str]) -> tuple[tuple[str, str], ...]:
    library, last = facts.library, facts.history.last_day
    pages = [(top, "") for top in tops]
    pages += [
        (f"playbooks/{book.slug}/", last(f"playbooks/{book.slug}.yaml") or book.updated) for book in _offered(facts)
    ]
    pages += [
        (f"lessons/{slug}/", last(f"lessons/{slug}.yaml") or library.lessons[slug].updated.isoformat())
        for slug in sorted(library.lessons)
    ]
    pages += [(f"tasks/{slug}/", "") for slug in sorted(library.tasks)]
    pages += [(f"categories/{slug}/", "") for slug in library.categories]
    pages += [(f"agents/{slug}/", "") for slug in sorted(library.agents)]
    pages += [(f"contributors/{handle}/", "") for handle in library.handles]
    return tuple(pages)
