"""Feeds, the page of the latest changes, and the site map: what there is and when it changed. Pure."""

import heapq
from collections import defaultdict
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from itertools import chain, islice
from typing import NamedTuple

import msgspec

from library.content.changes import DescribedChange, described
from library.content.history import Change
from library.interface.answers import ChangeDay, ChangeDayList, ChangedPlaybook, DayOfChanges, PlaybookAnswer
from library.records.collection import PlaybookEntry
from library.records.fields import zulu
from library.records.vocabulary import Status

from ..facts import Facts
from .lists import BOOKS, Link
from .page_contexts import jobs_compared
from .pages import PlaybookPage, change_answer, matters
from .rendering import RenderEnvironment

VERSION = "https://jsonfeed.org/version/1.1"
MOST = 50  # a feed holds so many entries, the latest, and the page of changes so many changes
PART = 50_000  # a site map holds at most so many addresses; the rules of site maps say so

PAGES = (
    *("", "playbooks/", "lessons/", "tasks/", "categories/", "agents/", "contributors/", "stats/", "trust/", "search/"),
    *("submissions/", "report/", "submit/", "docs/", "changes/", "wanted/", "compare/"),
)
"""The pages that there is one of, as the site map names them."""


class FeedEntry(msgspec.Struct, frozen=True):
    """One entry: `path` is below the site's top, `updated` an RFC 3339 time; `key` tells entries of one path apart."""

    title: str
    path: str
    updated: str
    summary: str
    key: str = ""


class Feed(msgspec.Struct, frozen=True):
    """A feed: its name beside the site's own, empty for that of everything; the folder of its page; its entries."""

    name: str
    folder: str
    entries: tuple[FeedEntry, ...]


ChangeRow = tuple[Link, bool, Change]  # a change with its playbook, and whether that is withdrawn


class LatestChanges(msgspec.Struct, frozen=True):
    """The latest changes, more than are shown; `known` is false where the library was built without its git history."""

    changes: tuple[ChangeRow, ...]
    known: bool


def _book(book: PlaybookEntry | PlaybookAnswer) -> FeedEntry:
    return FeedEntry(book.title, f"playbooks/{book.slug}/", f"{book.updated}T00:00:00Z", book.summary)


def _newest(books: Iterable[PlaybookEntry]) -> tuple[FeedEntry, ...]:
    return tuple(map(_book, heapq.nlargest(MOST, books, key=lambda book: (book.updated, book.slug))))


def _lessons(facts: Facts) -> Iterator[FeedEntry]:
    for slug, lesson in facts.library.lessons.items():
        yield FeedEntry(lesson.title, f"lessons/{slug}/", f"{lesson.updated}T00:00:00Z", lesson.problem)


def _latest(entries: Iterable[FeedEntry]) -> tuple[FeedEntry, ...]:
    return tuple(heapq.nlargest(MOST, entries, key=lambda entry: (entry.updated, entry.path)))


def of_everything(facts: Facts) -> Feed:
    """Playbooks and lessons that changed."""
    return Feed("", "", _latest([*_newest(facts.library.all_books), *_lessons(facts)]))


def of_playbooks(facts: Facts) -> Feed:
    """Playbooks that changed."""
    return Feed("playbooks", "playbooks/", _newest(facts.library.all_books))


def of_lessons(facts: Facts) -> Feed:
    """Lessons that changed."""
    return Feed("lessons", "lessons/", _latest(_lessons(facts)))


def of_list(kind: str) -> Callable[[Facts, str], Feed]:
    """The feed of one category, job or agent: its playbooks that changed; `kind` is its folder in addresses."""

    def feed(facts: Facts, slug: str) -> Feed:
        name = getattr(facts.library, kind)[slug].name
        return Feed(name, f"{kind}/{slug}/", _newest(BOOKS[kind](facts.library).get(slug, ())))

    return feed


def changes(facts: Facts) -> LatestChanges:
    """The latest changes of playbooks that are still there; many more than are shown, as some are of form only."""
    rows = chain.from_iterable(facts.table(by_day).values())
    return LatestChanges(tuple(islice(rows, 10 * MOST)), bool(facts.history.head))


class ChangesOfDay(msgspec.Struct, frozen=True):
    """The changes of a day, the latest first; the days beside it."""

    changes: tuple[ChangeRow, ...]
    later: str | None
    before: str | None


def by_day(facts: Facts) -> Mapping[str, tuple[ChangeRow, ...]]:
    """The changes of each day that has some, the latest first."""
    found: dict[str, list[ChangeRow]] = defaultdict(list)
    for book in facts.library.playbooks.values():
        for change in facts.history.of(book.slug, book.aliases):
            row = Link(book.slug, book.title), book.status is Status.WITHDRAWN, facts.named_change(change)
            found[change.day].append(row)
    for rows in found.values():
        rows.sort(key=lambda row: (-row[2].number, row[0].slug))
    return {day: tuple(found[day]) for day in sorted(found, reverse=True)}


def change_days(facts: Facts) -> ChangeDayList:
    """`GET /changes`."""
    days = [ChangeDay(day=day, url=facts.addresses.api(f"/changes/{day}")) for day in facts.table(by_day)]
    return ChangeDayList(total=len(days), items=tuple(days))


def changes_of_day(facts: Facts, day: str) -> ChangesOfDay:
    """The changes of one day."""
    found = facts.table(by_day)
    days = [None, *(facts.addresses.api(f"/changes/{one}") for one in found), None]
    at = list(found).index(day) + 1
    return ChangesOfDay(found[day], later=days[at - 1], before=days[at + 1])


class ToldChange(NamedTuple):
    """A change that says something to who follows a playbook, and what it says."""

    book: Link
    item: DescribedChange
    words: tuple[str, ...]


def in_words(env: RenderEnvironment, changes: Iterable[ChangeRow]) -> Iterator[ToldChange]:
    """The changes but those of form only; of a withdrawn playbook only that it is one is told."""
    for link, gone, change in changes:
        (item,) = described((change,), None if gone else env.texts)
        if gone or matters(item):
            yield ToldChange(link, item, ("It is withdrawn now.",) if gone else item.matters)


def day_json(env: RenderEnvironment, context: ChangesOfDay) -> bytes:
    """`GET /changes/{day}`."""
    items = []
    for link, item, words in in_words(env, context.changes):
        said = dict(change_answer(item)) | {"words": words}
        items.append(
            ChangedPlaybook(**said, slug=link.slug, name=link.title, url=env.addresses.page("playbooks", link.slug))
        )
    return DayOfChanges(total=len(items), items=tuple(items), prev=context.later, next=context.before).json_bytes()


def changes_page(env: RenderEnvironment, context: LatestChanges) -> bytes:
    """The page of the latest changes."""
    return env.page("changes-all.html", context=context, latest=list(islice(in_words(env, context.changes), MOST)))


class SiteMap(msgspec.Struct, frozen=True):
    """Addresses below the site's top, each with the day of its last change, where that is known; or how many parts."""

    pages: Sequence[tuple[str, str]]
    parts: int = 0


def mapped(facts: Facts) -> tuple[tuple[str, str], ...]:
    """Every page for people that is offered."""
    library, last = facts.library, facts.history.last_day
    pages = [(top, "") for top in PAGES]
    days = {f"playbooks/{book.slug}": book.updated for book in library.all_books if book.status is not Status.WITHDRAWN}
    days |= {f"lessons/{slug}": library.lessons[slug].updated.isoformat() for slug in sorted(library.lessons)}
    pages += [(f"{name}/", last(f"{name}.yaml") or day) for name, day in days.items()]
    kinds = {"tasks": sorted(library.tasks), "compare": jobs_compared(facts), "categories": library.categories}
    for kind, slugs in {**kinds, "agents": sorted(library.agents), "contributors": library.handles}.items():
        pages += [(f"{kind}/{slug}/", "") for slug in slugs]
    return tuple(pages)


def site_map_parts(facts: Facts) -> list[str]:
    """The names of the parts of the site map; none where one file holds everything."""
    parts = -(-len(facts.table(mapped)) // PART)
    return [str(number) for number in range(1, parts + 1)] if parts > 1 else []


def site_map(facts: Facts) -> SiteMap:
    """Every page; only how many parts there are, where one file would hold too many."""
    parts = len(site_map_parts(facts))
    return SiteMap((), parts) if parts else SiteMap(facts.table(mapped))


def site_map_part(facts: Facts, number: str) -> SiteMap:
    """One part of the site map, by its number."""
    first = (int(number) - 1) * PART
    return SiteMap(facts.table(mapped)[first : first + PART])


Form = Callable[[RenderEnvironment, Feed], bytes]


def atom(env: RenderEnvironment, context: Feed) -> bytes:
    """A feed as Atom."""
    return env.page("feed.xml", **_head(env, context), context=context)


def json(env: RenderEnvironment, context: Feed) -> bytes:
    """A feed as JSON Feed 1.1."""
    return env.json("feed.json", **_head(env, context), context=context, version=VERSION)


def _head(env: RenderEnvironment, context: Feed) -> dict[str, str]:
    title = f"{env.site.title}: {context.name}" if context.name else env.site.title
    return {"home": f"{env.addresses.site_url}/{context.folder}", "title": title}


def of_playbook(form: Form) -> Callable[[RenderEnvironment, PlaybookPage], bytes]:
    """The feed of one playbook: its changes; where none is known, only when it was last changed."""

    def view(env: RenderEnvironment, page: PlaybookPage) -> bytes:
        book = page.answer
        entries = tuple(_change(page, item) for item in page.changes) or (_book(book),)
        return form(env, Feed(book.title, f"playbooks/{book.slug}/", entries))

    return view


def _change(page: PlaybookPage, item: DescribedChange) -> FeedEntry:
    change, book = item.change, page.answer
    folder, place = f"playbooks/{book.slug}/", f"#c-{change.commit[:10]}"
    path, key = (f"{folder}changes/{place}", "") if page.changed else (folder, place)
    words = "; ".join(item.matters) or change.kind.capitalize()
    return FeedEntry(f"{book.title}: {words}", path, zulu(change.time), f"{words}. {change.title}", key)


def of_library(form: Form) -> Callable[[RenderEnvironment, LatestChanges], bytes]:
    """The feed of the library's changes."""

    def view(env: RenderEnvironment, context: LatestChanges) -> bytes:
        latest = islice(in_words(env, context.changes), MOST)
        return form(env, Feed("changes", "changes/", tuple(map(_entry, latest))))

    return view


def _entry(change: ToldChange) -> FeedEntry:
    made, words = change.item.change, "; ".join(change.words) or change.item.change.kind.capitalize()
    path = f"changes/#{change.book.slug}-{made.commit[:10]}"
    return FeedEntry(f"{change.book.title}: {words}", path, zulu(made.time), f"{words}. {made.title}")
