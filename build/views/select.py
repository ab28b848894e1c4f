"""What each page shows, picked from the facts: pure functions, one a kind of page."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from heapq import nlargest, nsmallest

from library.interface.answers import AliasList, RunList, Stats
from library.records.collection import Library
from library.records.models import Run
from library.records.vocabulary import Status, Trust
from library.rules.statistics import by_month, library_statistics, stale_before

from ..facts import Facts, run_answer
from .rows import by_category, links_to_agents, listings, ordered, rows_of
from .structs import (
    LATEST_RUNS,
    Alias,
    AllShown,
    Everything,
    HomeShown,
    LessonShown,
    Link,
    ListShown,
    Names,
    Overview,
    PlaybookShown,
    Row,
    Skills,
    Summaries,
)


def playbook(facts: Facts, slug: str) -> PlaybookShown:
    """What the renditions of one playbook show."""
    library = facts.library
    book = library.playbooks[slug]
    category = library.category_of(book)
    runs = library.approved_runs(slug)
    return PlaybookShown(
        slug=slug,
        version=book.version,
        offer=facts.offer(book),
        task=facts.task_name(book),
        category=Link(category, library.categories[category].name),
        agents=links_to_agents(library, book.agents),
        verdict=facts.verdict(slug),
        runs=facts.statistics(slug),
        latest=tuple(run_answer(run) for run in runs[:LATEST_RUNS]),
        related=_playbooks(library, book.related),
        related_computed=_playbooks(library, facts.near[slug].found if slug in facts.near else ()),
        lessons=tuple(
            Link(lesson, library.lessons[lesson].title) for lesson in library.lessons_by_playbook.get(slug, ())
        ),
        replaced_by=Link(book.replaced_by, library.playbooks[book.replaced_by].title) if book.replaced_by else None,
        stale_before=stale_before(library.today)
        if any(day < stale_before(library.today) for day in book.references_checked)
        else "",
        history=facts.changes(book),
        months=by_month(runs),
    )


def _playbooks(library: Library, slugs: Iterable[str]) -> tuple[Link, ...]:
    return tuple(Link(slug, library.playbooks[slug].title) for slug in slugs)


def lesson(facts: Facts, slug: str) -> LessonShown:
    """What a lesson's page shows."""
    answer = facts.lesson(slug)
    return LessonShown(
        answer, _playbooks(facts.library, answer.playbooks), links_to_agents(facts.library, answer.agents)
    )


def task(facts: Facts, slug: str) -> ListShown:
    """What a task's page shows."""
    answer = facts.task(slug)
    parent = Link(answer.category, facts.library.categories[answer.category].name)
    return ListShown(rows_of(facts, "tasks", slug), answer, parent)


def category(facts: Facts, slug: str) -> ListShown:
    """What a category's page shows."""
    tasks = tuple(facts.task(task.slug) for task in facts.library.tasks_by_category.get(slug, ()))
    return ListShown(rows_of(facts, "categories", slug), facts.category(slug), tasks=tasks)


def agent(facts: Facts, slug: str) -> ListShown:
    """What an agent's page shows."""
    return ListShown(rows_of(facts, "agents", slug), facts.agent(slug))


def contributor(facts: Facts, handle: str) -> ListShown:
    """What a contributor's page shows: accepted content and approved runs."""
    lessons = facts.lessons(facts.lessons_by_handle.get(handle, ()))
    runs = tuple(run_answer(run) for run in facts.runs_by_handle.get(handle, ())[:LATEST_RUNS])
    return ListShown(rows_of(facts, "contributors", handle), handle, lessons=lessons, runs=runs)


def all_playbooks(facts: Facts) -> AllShown:
    """What the list of all playbooks shows."""
    return AllShown(facts.table(ordered), by_category=facts.table(by_category))


def home(facts: Facts) -> HomeShown:
    """What the home page shows: what people want done, and three honest lists."""
    library = facts.library
    active = [row for row in facts.table(ordered) if row.status == Status.ACTIVE]
    confirmed = [row for row in active if row.trust == Trust.CONFIRMED]
    failing = [row for row in active if row.newly_failing]
    untested = nsmallest(5, (row for row in active if not row.runs), key=lambda row: (-row.accounts, row.title))
    return HomeShown(
        categories=tuple(facts.category(slug) for slug in library.categories),
        tasks={
            slug: tuple(facts.task(task.slug) for task in library.tasks_by_category.get(slug, ()))
            for slug in library.categories
        },
        agents=tuple(facts.agent(slug) for slug in sorted(library.agents)),
        confirmed=_latest_run(confirmed),
        failing=_latest_run(failing),
        untested=tuple(untested),
        stats=stats(facts),
    )


def _latest_run(rows: Iterable[Row]) -> tuple[Row, ...]:
    return tuple(nlargest(5, rows, key=lambda row: row.last_run or ""))


def stats(facts: Facts) -> Stats:
    """The counts of the whole library."""
    return library_statistics(facts.library, [Trust(row.trust) for row in facts.table(ordered)])


def everything(facts: Facts, *names: str) -> Everything:
    """The named lists, and only those: what nobody shows is not read."""
    library = facts.library
    lists: dict[str, object] = {}
    for name in names:
        match name:
            case "categories":
                lists[name] = tuple(facts.category(slug) for slug in library.categories)
            case "handles":
                lists[name] = library.handles
            case "lessons":
                lists[name] = facts.lessons(sorted(library.lessons))
            case _:
                one = {"agents": facts.agent, "tasks": facts.task}[name]
                lists[name] = tuple(one(slug) for slug in sorted(getattr(library, name)))
    return Everything(**lists)  # type: ignore[arg-type]  # by name, as just built


def all_runs(facts: Facts) -> RunList:
    """The latest approved reports."""
    return _latest_of(facts.library.all_approved_runs)


def runs_of(facts: Facts, slug: str) -> RunList:
    """The latest approved reports of one playbook."""
    return _latest_of(facts.library.approved_runs(slug))


def _latest_of(runs: Sequence[Run]) -> RunList:
    return RunList(total=len(runs), items=tuple(run_answer(run) for run in runs[:LATEST_RUNS]))


def summaries(facts: Facts) -> Summaries:
    """All playbooks in short, by slug."""
    return Summaries(tuple(item.summary for item in facts.table(listings).values()))


def overview(facts: Facts, most: int) -> Overview:
    """The library for language models, with its playbooks where they are at most so many."""
    books = [book for book in facts.library.listed if book.status is not Status.WITHDRAWN]
    few = tuple(facts.table(listings)[book.slug].row for book in books) if len(books) <= most else ()
    return Overview(tuple(facts.category(slug) for slug in facts.library.categories), few)


def skills(facts: Facts) -> Skills:
    """Every skill that is offered, with the digest of its file as it was written."""
    entries, written = facts.table(listings), dict(facts.written)
    return Skills(tuple([(item.skill, written[slug]) for slug, item in entries.items() if item.skill]))


def all_aliases(facts: Facts) -> AliasList:
    """All former slugs at once."""
    return AliasList(total=len(facts.former), items={slug: book.slug for slug, book in sorted(facts.former.items())})


def names(facts: Facts) -> Names:
    """What agents and categories are called."""
    agents, categories = facts.library.agents, facts.library.categories
    return Names(
        {slug: agents[slug].name for slug in sorted(agents)}, {slug: categories[slug].name for slug in categories}
    )


def alias(facts: Facts, slug: str) -> Alias:
    """Where a former slug leads."""
    book = facts.former[slug]
    return Alias(slug, Link(book.slug, book.title))
