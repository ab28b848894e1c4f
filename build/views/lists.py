"""Long lists of playbooks: their pages, and all rows at once for scripts that filter and sort. Pure."""

from collections.abc import Callable, Hashable, Iterable, Iterator, Mapping, Sequence
from enum import StrEnum

import msgspec
import orjson

from library.interface.answers import LessonAnswer, LessonList
from library.records.collection import Library
from library.records.entries import PlaybookEntry
from library.records.vocabulary import Risk, Status, Trust

from ..facts import Facts
from .page_contexts import AllPlaybooks, ListContext
from .rendering import RenderEnvironment
from .rows import Link, Row, by_category, lists

PER_PAGE = 100
"""Rows on one page of a list."""


class PageOfRows(msgspec.Struct, frozen=True):
    """One page of a list, as templates take it; `place` is the path of the whole list below the site's root.

    `rows` are playbooks or lessons. `agents` and `categories` are those of the whole list by name, to filter by.
    """

    place: str
    rows: Sequence[Row] | Sequence[LessonAnswer]
    number: int
    total: int
    agents: Sequence[Link] = ()
    categories: Sequence[Link] = ()

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
        wanted = sorted({1, *range(self.number - 2, self.number + 3), self.pages} & set(range(1, self.pages + 1)))
        return [item for at, number in enumerate(wanted) for item in _after(number, wanted[at - 1] if at else 0)]


def _after(number: int, before: int) -> list[int]:
    return [0, number] if number - before > 1 else [number]


def count(rows: int) -> int:
    """How many pages so many rows take; a list without rows has one page too."""
    return max(1, -(-rows // PER_PAGE))


def first_part(context: ListContext, place: str) -> PageOfRows:
    """The first page of a list that is given whole."""
    agents = _by_title({link for row in context.rows for link in row.agents})
    categories = _by_title({row.category for row in context.rows})
    return PageOfRows(place, context.rows[:PER_PAGE], 1, len(context.rows), agents, categories)


def _by_title(links: Iterable[Link]) -> list[Link]:
    return sorted(links, key=lambda link: (link.title.casefold(), link.slug))


BOOKS: Mapping[str, Callable[[Library], Mapping[str, Sequence[PlaybookEntry]]]] = {
    "playbooks": lambda library: {"": library.listed},
    "categories": lambda library: library.playbooks_by_category,
    "tasks": lambda library: library.playbooks_by_task,
    "agents": lambda library: library.playbooks_by_agent,
}
"""The playbooks of the lists that may be long, by their kind, which is their folder in addresses, and their slug."""


def slugs_of_pages(whole: Mapping[str, Sequence[object]]) -> list[str]:
    """What names each page but the first of each list: `<slug>/<number>`."""
    return [f"{slug}/{number}" for slug, books in whole.items() for number in range(2, count(len(books)) + 1)]


class ListPage(PageOfRows, frozen=True, kw_only=True):
    """A page of a long list that is not its first, with the list's name; `above` is the list of such lists."""

    name: str
    above: Link | None


def page_of(facts: Facts, place: str, name: str) -> ListPage:
    """What a page of a list shows; `place` is the list's kind, `name` is `<slug>/<number>`."""
    slug, _, number = name.rpartition("/")
    above, title = _named(facts, place, slug)
    whole = f"{place}/{slug}" if slug else place
    rows, total = facts.table(later_parts)[place, name], facts.table(totals)[place, slug]
    return ListPage(whole, rows, int(number), total, name=title, above=above)


def later_parts(facts: Facts) -> Mapping[tuple[str, str], tuple[Row, ...]]:
    """The rows of each page but the first of every list that may be long, by the list's kind and `<slug>/<number>`."""
    return {
        (kind, f"{slug}/{start // PER_PAGE + 1}"): rows[start : start + PER_PAGE]
        for (kind, slug), rows in _long(facts)
        for start in range(PER_PAGE, len(rows), PER_PAGE)
    }


def totals(facts: Facts) -> Mapping[tuple[str, str], int]:
    """How many rows each list has that may be long, by its kind and its slug."""
    return {name: len(rows) for name, rows in _long(facts)}


def _long(facts: Facts) -> Iterator[tuple[tuple[str, str], tuple[Row, ...]]]:
    yield ("playbooks", ""), facts.table(by_category)
    yield from ((name, rows) for name, rows in facts.table(lists).items() if name[0] in BOOKS and name[1])


def _named(facts: Facts, place: str, slug: str) -> tuple[Link | None, str]:
    """The list above a list, and its own name."""
    library = facts.library
    match place:
        case "categories":
            return Link("categories", "Categories"), library.categories[slug].name
        case "tasks":
            return Link("tasks", "Jobs"), library.tasks[slug].name
        case "agents":
            return Link("agents", "Agents"), library.agents[slug].name
        case _:
            return None, "All playbooks"


def slugs_of_lessons(facts: Facts) -> tuple[str, ...]:
    """All lessons in the order of their list."""
    return tuple(sorted(facts.library.lessons))


def lessons_of(facts: Facts, name: str) -> PageOfRows:
    """What a page of the list of lessons shows; `name` is `/<number>`."""
    number, slugs = int(name.lstrip("/")), facts.table(slugs_of_lessons)
    start = (number - 1) * PER_PAGE
    some = slugs[start : start + PER_PAGE]
    return PageOfRows("lessons", facts.lessons(some), number, len(slugs))


def later_lessons(env: RenderEnvironment, context: PageOfRows) -> bytes:
    """A page of the list of lessons."""
    return env.page("lessons.html", part=context)


def lessons(env: RenderEnvironment, context: LessonList) -> bytes:
    """The first page of the list of lessons, picked from all of them."""
    return later_lessons(env, PageOfRows("lessons", context.items[:PER_PAGE], 1, context.total))


def later_page(env: RenderEnvironment, context: ListPage) -> bytes:
    """A page of a list that is not its first."""
    return env.page("list-page.html", context=context, part=context)


_PLACES: Mapping[type[StrEnum], Mapping[str, int]] = {
    words: {word: place for place, word in enumerate(words)} for words in (Trust, Risk, Status)
}
"""The place of each word among those of its kind."""


def rows_json(context: AllPlaybooks) -> bytes:
    """Every row in columns, in readers' order within each category: what scripts filter and sort.

    Words that repeat stand once, and rows name them by their place: `agents`, `categories` and `tasks` are pairs of
    slug and name. `minutes` is null where a playbook names no time, `last` where there is no approved run.
    """
    rows = context.by_category
    agents, categories, tasks, verdicts = _NumberedNames(), _NumberedNames(), _NumberedNames(), _NumberedNames()
    columns = {
        "slug": [row.slug for row in rows],
        "title": [row.title for row in rows],
        "verdict": [verdicts[row.verdict] for row in rows],
        "trust": [_PLACES[Trust][row.trust] for row in rows],
        "risk": [_PLACES[Risk][row.risk] for row in rows],
        "status": [_PLACES[Status][row.status] for row in rows],
        "failing": [int(row.newly_failing) for row in rows],
        "proven": [int(row.proven) for row in rows],
        "time": [row.time.split(";")[0] for row in rows],
        "minutes": [row.least_minutes for row in rows],
        "updated": [row.updated for row in rows],
        "runs": [row.runs for row in rows],
        "last": [row.last_run for row in rows],
        "category": [categories[row.category.slug, row.category.title] for row in rows],
        "task": [tasks[row.task.slug, row.task.title] for row in rows],
        "agents": [[agents[link.slug, link.title] for link in row.agents] for row in rows],
    }
    words = {
        "trust": list(Trust),
        "risk": list(Risk),
        "status": list(Status),
        "verdict": list(verdicts),
        "agents": list(agents),
        "category": list(categories),
        "task": list(tasks),
    }
    return orjson.dumps({"rows": columns, "words": words})


class _NumberedNames(dict[Hashable, int]):
    """Numbers what it is asked for, from 0 in the order in which it is first seen."""

    def __missing__(self, key: Hashable) -> int:
        self[key] = len(self)
        return self[key]
