"""Playbooks as rows of lists: worked out once, in readers' order, by page, and all at once for scripts. Pure."""

from collections import Counter
from collections.abc import Callable, Hashable, Iterable, Iterator, Mapping, Sequence
from enum import StrEnum
from typing import TypeVar

import msgspec
import orjson

from library.interface.answers import LessonAnswer, LessonList, RunCounts
from library.problems import count_of
from library.records.collection import Library, PlaybookEntry, grouped
from library.records.vocabulary import Arm, Outcome, Risk, Status, Trust
from library.rules.statistics import LEAST
from library.rules.trust import is_proven

from ..facts import Addresses, Facts
from .rendering import RenderEnvironment

T = TypeVar("T")
PER_PAGE = 100  # rows on one page of a list

BOOKS: Mapping[str, Callable[[Library], Mapping[str, Sequence[PlaybookEntry]]]] = {
    "categories": lambda library: library.playbooks_by_category,
    "tasks": lambda library: library.playbooks_by_task,
    "agents": lambda library: library.playbooks_by_agent,
}
"""The playbooks of each list that a record has, by its kind, which is its folder in addresses, and its slug."""
ABOVE = {"categories": "Categories", "tasks": "Jobs", "agents": "Agents"}
"""What the list of such lists is called, by its folder."""
_PLACES: Mapping[type[StrEnum], Mapping[str, int]] = {
    words: {word: place for place, word in enumerate(words)} for words in (Trust, Risk, Status)
}
"""The place of each word among those of its kind."""


class Link(msgspec.Struct, frozen=True):
    """A record as others point to it."""

    slug: str
    title: str


class Mark(msgspec.Struct, frozen=True):
    """One thing that speaks for a playbook or against it, in words; `kind` is its class."""

    kind: str
    words: str


class Row(msgspec.Struct, frozen=True):
    """A playbook as one row of a list: what tells it from the others. `last_proof` is the last day of proof or run."""

    slug: str
    title: str
    summary: str
    trust: str
    marks: tuple[Mark, ...]
    newly_failing: bool
    risk: str
    minutes: tuple[int, int] | None
    task: Link
    category: Link
    agents: tuple[Link, ...]
    updated: str
    status: str
    runs: int
    last_proof: str | None
    proven: bool

    @property
    def time(self) -> str:
        """The minutes as people say them, in hours or days where they are many; empty where none are known."""
        return spoken(*self.minutes) if self.minutes else ""


class Listing(msgspec.Struct, frozen=True):
    """One playbook as every list needs it: its row, its `PlaybookSummary` as JSON, and its `skill`.

    That is its entry in the index of skills as JSON, up to the digest, and empty where it is offered to nobody.
    """

    row: Row
    summary: bytes
    skill: bytes


def listings(facts: Facts) -> Mapping[str, Listing]:
    """Every playbook as lists show it, by slug."""
    return {book.slug: listing(facts, book) for book in facts.library.all_books}


def listing(facts: Facts, book: PlaybookEntry) -> Listing:
    """One playbook as lists show it."""
    skill = b""
    if book.status is not Status.WITHDRAWN:
        skill = skill_entry(book.slug, facts.offer(book), book.version, facts.addresses)
    return Listing(_row(facts, book), facts.summary(book).json_bytes(), skill)


def summaries(facts: Facts) -> tuple[bytes, ...]:
    """All playbooks by slug, each as its `PlaybookSummary` in JSON."""
    return tuple(item.summary for item in facts.table(listings).values())


def summaries_json(items: Sequence[bytes]) -> bytes:
    """`GET /playbooks`: a `PlaybookList`, joined from its items."""
    return b'{"total":%d,"items":[%b]}' % (len(items), b",".join(items))


def count(rows: int) -> int:
    """How many pages so many rows take; a list without rows has one page too."""
    return max(1, -(-rows // PER_PAGE))


Pages = Mapping[tuple[str, str, int], tuple[Sequence[T], int]]
"""The pages of lists, by a list's kind and slug and the page's number from 1: what it holds, and how much the list."""


def _in_pages(whole: Mapping[tuple[str, str], Sequence[T]]) -> Pages[T]:
    return {
        (kind, slug, number): (items[(number - 1) * PER_PAGE : number * PER_PAGE], len(items))
        for (kind, slug), items in whole.items()
        for number in range(1, count(len(items)) + 1)
    }


def parts(facts: Facts) -> Pages[bytes]:
    """The lists of playbooks by agent, category, task and trust, in parts: their summaries as JSON."""
    library, known = facts.library, facts.table(listings)
    whole: dict[tuple[str, str], Sequence[PlaybookEntry]] = {
        (kind, slug): books(library).get(slug, ()) for kind, books in BOOKS.items() for slug in getattr(library, kind)
    }
    for level in Trust:
        whole["trust", level] = [book for book in library.all_books if known[book.slug].row.trust == level]
    return _in_pages({name: [known[book.slug].summary for book in books] for name, books in whole.items()})


def part_of(facts: Facts, kind: str, slug: str, number: int) -> bytes:
    """A `PlaybookPart`, joined from its items."""
    items, total = facts.table(parts)[kind, slug, number]
    beside = (at if 1 <= at <= count(total) else None for at in (number - 1, number + 1))
    prev, following = (orjson.dumps(at and facts.addresses.playbooks_by(kind, slug, at)) for at in beside)
    return b'{"total":%d,"items":[%b],"prev":%b,"next":%b}' % (total, b",".join(items), prev, following)


def skill_entry(name: str, description: str, version: str, addresses: Addresses) -> bytes:
    """A skill as the indexes of skills name it, in JSON up to the digest of its archive, which is known later."""
    told = {"name": name, "type": "archive", "description": description, "version": version}
    entry = orjson.dumps({**told, "url": f"{addresses.site_url}/s/{name}/skill.zip"})
    return entry.removesuffix(b"}") + b',"digest":"sha256:'


def _row(facts: Facts, book: PlaybookEntry) -> Row:
    library, verdict, runs = facts.library, facts.verdict(book.slug), facts.statistics(book.slug)
    category, proof = library.category_of(book), facts.proof(book.slug)
    proven = is_proven(proof)
    days = (runs.last_report and runs.last_report.date(), proof.date if proof and proven else None)
    return Row(
        slug=book.slug,
        title=book.title,
        summary=book.summary,
        trust=verdict.level,
        marks=tuple(_marks(book, verdict.level, runs, proven=proven)),
        newly_failing=verdict.newly_failing,
        risk=book.risk,
        minutes=book.minutes,
        task=Link(book.task, library.tasks[book.task].name),
        category=Link(category, library.categories[category].name),
        agents=links_to_agents(library, book.agents),
        updated=book.updated,
        status=book.status,
        runs=runs.approved,
        last_proof=max((day.isoformat() for day in days if day), default=None),
        proven=proven,
    )


def _marks(book: PlaybookEntry, level: Trust, runs: RunCounts, *, proven: bool) -> Iterator[Mark]:
    """What a playbook rests on: a level that runs or tests earned, a proof, runs, and how accounts of its job ended."""
    if level.reaches(Trust.TESTED):
        yield Mark(f"trust {level}", level.capitalize())
    if proven:
        yield Mark("proof-mark", "Checks proven")
    tried = [test.outcome.good for test in book.tested if test.arm is Arm.PLAYBOOK and test.version == book.version]
    good = runs.worked + runs.with_changes
    for told, of, worked in (("runs", runs.approved, good), ("runs on a trial", len(tried), sum(tried))):
        sign = f"outcome {'worked' if worked * 2 > of else 'failed'}" if of >= LEAST else "n"
        one = f"its one run{told[4:]} {'worked' if worked else 'failed'}"
        if of:
            yield Mark(sign, f"{worked} of {of} {told} worked" if of > 1 else one)
    ended = Counter(account.outcome for account in book.evidence)
    named = (("worked", Outcome.WORKED), ("with changes", Outcome.WORKED_WITH_CHANGES), ("failed", Outcome.FAILED))
    told = ", ".join(f"{ended[outcome]} {word}" for word, outcome in named if ended[outcome])
    accounts = count_of(len(book.evidence), "account") if book.evidence else "no accounts"
    yield Mark("n", f"{accounts}: {told}" if told else accounts)


def spoken(fewest: int, longest: int) -> str:
    """A range of minutes as people say it, such as "2 to 24 h"."""
    (least, unit), (most, end) = _spoken(fewest), _spoken(longest)
    if (least, unit) == (most, end):
        return f"{most} {end}"
    return f"{least} to {most} {end}" if unit == end else f"{least} {unit} to {most} {end}"


def _spoken(minutes: int) -> tuple[str, str]:
    for size, unit in ((2_880, "d"), (120, "h")):
        if minutes >= size:
            return f"{minutes / (1_440 if unit == 'd' else 60):.1f}".removesuffix(".0"), unit
    return str(minutes), "min"


def links_to_agents(library: Library, slugs: Iterable[str]) -> tuple[Link, ...]:
    """Agents as others point to them."""
    return tuple(Link(slug, library.agents[slug].name) for slug in slugs)


def ordered(facts: Facts) -> tuple[Row, ...]:
    """All playbooks in the readers' order: what may be followed first, then by trust, by proof and by title."""
    statuses, trusts = _PLACES[Status], _PLACES[Trust]

    def place(row: Row) -> tuple[int, int, bool, str]:
        return statuses[row.status], -trusts[row.trust], not row.proven, row.title.casefold()

    return tuple(sorted((item.row for item in facts.table(listings).values()), key=place))


def by_category(facts: Facts) -> tuple[Row, ...]:
    """All playbooks by the name of their category; within one they stay in the readers' order."""
    return tuple(sorted(facts.table(ordered), key=lambda row: (row.category.title, row.category.slug)))


def lists(facts: Facts) -> Mapping[tuple[str, str], tuple[Row, ...]]:
    """The rows of every list in the readers' order, by its kind, which is its folder in addresses, and its slug."""

    def lists_of(row: Row) -> Iterator[tuple[str, str]]:
        yield from (("categories", row.category.slug), ("tasks", row.task.slug))
        yield from (("agents", agent.slug) for agent in row.agents)
        yield from (("contributors", handle) for handle in facts.library.playbooks[row.slug].contributors)

    return grouped((name, row) for row in facts.table(ordered) for name in lists_of(row))


class PageOfRows(msgspec.Struct, frozen=True):
    """One page of a list, as templates take it; `place` is the path of the whole list below the site's root.

    `agents` and `categories` are those of the whole list by name, to filter by. A page that is not the first says the
    `name` of its list and which list of such lists is `above` it.
    """

    place: str
    rows: Sequence[Row | LessonAnswer]
    number: int
    total: int
    agents: Sequence[Link] = ()
    categories: Sequence[Link] = ()
    name: str = ""
    above: Link | None = None

    @property
    def pages(self) -> int:
        """How many pages the list has."""
        return count(self.total)

    @property
    def first(self) -> int:
        """The number of this page's first row in the whole list, from 1."""
        return (self.number - 1) * PER_PAGE + 1

    def path(self, number: int) -> str:
        """The path of one of the pages."""
        return f"/{self.place}/" if number == 1 else f"/{self.place}/page/{number}/"

    @property
    def near(self) -> list[int]:
        """The pages that are linked: the first and last ones, and those around this one; 0 stands for a gap."""
        found: list[int] = []
        for number in sorted({1, *range(self.number - 2, self.number + 3), self.pages} & set(range(1, self.pages + 1))):
            found += [0, number] if found and number - found[-1] > 1 else [number]
        return found


def first_part(rows: Sequence[Row], place: str) -> PageOfRows:
    """The first page of a list that is given whole."""
    agents = by_title({link for row in rows for link in row.agents})
    return PageOfRows(place, rows[:PER_PAGE], 1, len(rows), agents, by_title({row.category for row in rows}))


def by_title(links: Iterable[Link]) -> list[Link]:
    """Records in the order of their titles."""
    return sorted(links, key=lambda link: (link.title.casefold(), link.slug))


def pages(facts: Facts) -> Pages[Row | LessonAnswer]:
    """The rows of each page of every list that may be long."""
    whole: dict[tuple[str, str], Sequence[Row | LessonAnswer]] = {**facts.table(lists)}
    whole["playbooks", ""] = facts.table(by_category)
    whole["lessons", ""] = facts.lessons(sorted(facts.library.lessons))
    return _in_pages(whole)


def page_of(facts: Facts, kind: str, slug: str, number: int) -> PageOfRows:
    """What a page of a list shows that is not its first."""
    rows, total = facts.table(pages)[kind, slug, number]
    name = getattr(facts.library, kind)[slug].name if slug else f"All {kind}"
    place, above = (f"{kind}/{slug}", Link(kind, ABOVE[kind])) if slug else (kind, None)
    return PageOfRows(place, rows, number, total, name=name, above=above)


def lessons(env: RenderEnvironment, context: LessonList) -> bytes:
    """The first page of the list of lessons, picked from all of them."""
    return env.page("lessons.html", context=PageOfRows("lessons", context.items[:PER_PAGE], 1, context.total))


def rows_json(rows: Sequence[Row]) -> bytes:
    """Every row in columns, in the order of `rows`: what scripts filter and sort.

    Words that repeat stand once, and rows name them by their place: `agents`, `categories` and `tasks` are pairs of
    slug and name, `marks` of class and words. `least` and `most` are null where a playbook names no minutes, `last`
    where there is neither proof nor approved run.
    """
    numbered: dict[str, dict[Hashable, int]] = {"marks": {}, "agents": {}, "category": {}, "task": {}}

    def places(kind: str, words: Iterable[Hashable]) -> list[int]:
        return [numbered[kind].setdefault(word, len(numbered[kind])) for word in words]

    columns = {
        "slug": [row.slug for row in rows],
        "title": [row.title for row in rows],
        "marks": [places("marks", ((mark.kind, mark.words) for mark in row.marks)) for row in rows],
        "trust": [_PLACES[Trust][row.trust] for row in rows],
        "risk": [_PLACES[Risk][row.risk] for row in rows],
        "status": [_PLACES[Status][row.status] for row in rows],
        "failing": [int(row.newly_failing) for row in rows],
        "proven": [int(row.proven) for row in rows],
        "time": [row.time for row in rows],
        "least": [row.minutes and row.minutes[0] for row in rows],
        "most": [row.minutes and row.minutes[1] for row in rows],
        "updated": [row.updated for row in rows],
        "runs": [row.runs for row in rows],
        "last": [row.last_proof for row in rows],
        "category": places("category", ((row.category.slug, row.category.title) for row in rows)),
        "task": places("task", ((row.task.slug, row.task.title) for row in rows)),
        "agents": [places("agents", ((link.slug, link.title) for link in row.agents)) for row in rows],
    }
    words: dict[str, Iterable[Hashable]] = {"trust": Trust, "risk": Risk, "status": Status, **numbered}
    return orjson.dumps({"rows": columns, "words": {name: list(known) for name, known in words.items()}})
