"""What the statistics page shows, picked from the facts, and the same as files of comma-separated values. Pure."""

import csv
import io
from collections import Counter
from collections.abc import Callable, Iterable, Mapping, Sequence
from datetime import date

import msgspec

from library.interface.answers import Stats
from library.rules.statistics import STALE_DAYS, Tally, by_agent, by_month, stale_before

from ..facts import Facts
from . import page_contexts
from .rendering import RenderEnvironment
from .rows import Link

AGES = ((30, "up to 30 days"), (90, "31 to 90 days"), (STALE_DAYS, f"91 to {STALE_DAYS} days"))
OLDER = f"over {STALE_DAYS} days"
_FORMULA = ("=", "+", "-", "@", "\t", "\r")
"""A cell that begins like that is a formula to a spreadsheet."""

FigureRow = Sequence[str | int]


class Old(msgspec.Struct, frozen=True):
    """A playbook with references that were last checked too long ago: how many of how many, and the oldest day."""

    book: Link
    stale: int
    of: int
    oldest: str


class StatisticsContext(msgspec.Struct, frozen=True):
    """The statistics page: counts, runs by month and by agent, coverage of jobs by agents, ages of references."""

    stats: Stats
    months: tuple[Tally, ...]
    versions: tuple[Tally, ...]
    outcomes: Mapping[str, int]
    accounts: Mapping[str, int]
    tasks: tuple[Link, ...]
    agents: tuple[Link, ...]
    coverage: Mapping[str, Mapping[str, int]]
    ages: Mapping[str, int]
    stale: tuple[Old, ...]
    today: str
    stale_days: int = STALE_DAYS


def statistics(facts: Facts) -> StatisticsContext:
    """What the statistics page shows."""
    library = facts.library
    used = sorted({slug for book in library.listed for slug in book.agents})
    evidence = [account for book in library.listed for account in book.evidence]
    agents = sorted((Link(slug, library.agents[slug].name) for slug in used), key=_by_title)
    runs = library.all_approved_runs
    called = {agent.name.casefold(): agent.name for agent in library.agents.values()}
    called |= {slug: agent.name for slug, agent in library.agents.items()}
    return StatisticsContext(
        stats=facts.table(page_contexts.stats),
        months=by_month(runs),
        versions=by_agent(runs, called),
        outcomes=_counted((account.outcome for account in evidence), "not read"),
        accounts=_counted((account.account for account in evidence), "not said"),
        tasks=tuple(sorted((Link(slug, task.name) for slug, task in library.tasks.items()), key=_by_title)),
        agents=tuple(agents),
        coverage=_coverage(facts),
        ages=_ages(facts),
        stale=tuple(_stale(facts)),
        today=library.today.isoformat(),
    )


def _by_title(link: Link) -> tuple[str, str]:
    return (link.title.casefold(), link.slug)


def _counted(words: Iterable[str | None], without: str) -> dict[str, int]:
    """How often each word stands there, by the word; `without` is what None is called."""
    return dict(sorted((str(word or without), count) for word, count in Counter(words).items()))


def _coverage(facts: Facts) -> dict[str, dict[str, int]]:
    """For each job that has playbooks: how many of them apply to each agent."""
    found: dict[str, dict[str, int]] = {}
    for book in facts.library.listed:
        cells = found.setdefault(book.task, {})
        for slug in book.agents:
            cells[slug] = cells.get(slug, 0) + 1
    return found


def _ages(facts: Facts) -> dict[str, int]:
    """How many references were last checked how long ago."""
    found = {name: 0 for _, name in AGES} | {OLDER: 0}
    days = Counter(day for book in facts.library.listed for day in book.references_checked)
    for day, count in days.items():
        age = (facts.library.today - date.fromisoformat(day)).days
        found[next((name for most, name in AGES if age <= most), OLDER)] += count
    return found


def _stale(facts: Facts) -> Iterable[Old]:
    old = stale_before(facts.library.today)
    for book in facts.library.listed:
        checked = book.references_checked
        if checked and min(checked) < old:
            count = sum(day < old for day in checked)
            yield Old(Link(book.slug, book.title), count, len(checked), min(checked))


def _months(context: StatisticsContext) -> Iterable[FigureRow]:
    yield ("month", "runs", "worked", "worked_with_changes", "failed")
    yield from ((item.name, item.total, item.worked, item.changes, item.failed) for item in context.months)


def _versions(context: StatisticsContext) -> Iterable[FigureRow]:
    yield ("agent", "version", "runs", "worked", "worked_with_changes", "failed")
    for item in context.versions:
        yield (item.name, item.version, item.total, item.worked, item.changes, item.failed)


def _trust(context: StatisticsContext) -> Iterable[FigureRow]:
    yield ("trust", "playbooks")
    yield from ((str(level), count) for level, count in context.stats.trust.items())


def _accounts(context: StatisticsContext) -> Iterable[FigureRow]:
    yield ("told", "value", "accounts")
    yield from (("outcome", name, count) for name, count in context.outcomes.items())
    yield from (("account", name, count) for name, count in context.accounts.items())


def _cells(context: StatisticsContext) -> Iterable[FigureRow]:
    yield ("job", *(agent.slug for agent in context.agents))
    for task in context.tasks:
        cells = context.coverage.get(task.slug, {})
        yield (task.slug, *(cells.get(agent.slug, 0) for agent in context.agents))


def _references(context: StatisticsContext) -> Iterable[FigureRow]:
    yield ("playbook", "stale_references", "references", "oldest_check")
    yield from ((item.book.slug, item.stale, item.of, item.oldest) for item in context.stale)


FILES: Mapping[str, tuple[str, Callable[[StatisticsContext], Iterable[FigureRow]]]] = {
    "runs-by-month": ("runs by month and outcome", _months),
    "runs-by-agent": ("runs by agent and version", _versions),
    "trust": ("playbooks by trust", _trust),
    "accounts": ("public accounts by outcome and by who tells it", _accounts),
    "coverage": ("playbooks by job and agent", _cells),
    "stale-references": ("playbooks with stale references", _references),
}
"""The files of the statistics: name, what it holds, and its rows, the first of which names the columns."""


def as_csv(
    rows: Callable[[StatisticsContext], Iterable[FigureRow]],
) -> Callable[[RenderEnvironment, StatisticsContext], bytes]:
    """A view: rows as comma-separated values (RFC 4180).

    A text that a spreadsheet would run as a formula has an apostrophe before it.
    """

    def view(_env: RenderEnvironment, context: StatisticsContext) -> bytes:
        text = io.StringIO()
        writer = csv.writer(text)
        for row in rows(context):
            writer.writerow([f"'{cell}" if str(cell).startswith(_FORMULA) else cell for cell in row])
        return text.getvalue().encode()

    return view
