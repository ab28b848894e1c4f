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
from .lists import Link, by_title
from .rendering import RenderEnvironment

AGES = ((30, "up to 30 days"), (90, "31 to 90 days"), (STALE_DAYS, f"91 to {STALE_DAYS} days"))
OLDER = f"over {STALE_DAYS} days"
_FORMULA = ("=", "+", "-", "@", "\t", "\r")  # a cell that begins like that is a formula to a spreadsheet
FigureRow = Sequence[object]


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
    library, old = facts.library, stale_before(facts.library.today)
    evidence = [account for book in library.all_books for account in book.evidence]
    used = {slug for book in library.all_books for slug in book.agents}
    runs, by_task = library.all_approved_runs, library.playbooks_by_task
    return StatisticsContext(
        stats=facts.table(page_contexts.stats),
        months=by_month(runs),
        versions=by_agent(library),
        outcomes=_counted((account.outcome for account in evidence), "not read"),
        accounts=_counted((account.account for account in evidence), "not said"),
        tasks=tuple(by_title(Link(slug, task.name) for slug, task in library.tasks.items())),
        agents=tuple(by_title(Link(slug, library.agents[slug].name) for slug in used)),
        coverage={
            job: Counter(agent for book in by_task.get(job, ()) for agent in book.agents) for job in library.tasks
        },
        ages=_ages(facts),
        stale=tuple(
            Old(Link(book.slug, book.title), sum(day < old for day in days), len(days), min(days))
            for book in library.all_books
            if min(days := book.references_checked, default=old) < old
        ),
        today=library.today.isoformat(),
    )


def _counted(words: Iterable[str | None], without: str) -> dict[str, int]:
    """How often each word stands there, by the word; `without` is what None is called."""
    return dict(sorted((str(word or without), count) for word, count in Counter(words).items()))


def _ages(facts: Facts) -> dict[str, int]:
    found = dict.fromkeys([*(name for _, name in AGES), OLDER], 0)
    days = Counter(day for book in facts.library.all_books for day in book.references_checked)
    for day, count in days.items():
        age = (facts.library.today - date.fromisoformat(day)).days
        found[next((name for most, name in AGES if age <= most), OLDER)] += count
    return found


FILES: Mapping[str, tuple[str, Callable[[StatisticsContext], Iterable[FigureRow]]]] = {
    "runs-by-month": ("runs by month and outcome", lambda page: [
        ("month", "runs", "worked", "worked_with_changes", "failed"),
        *((item.name, item.total, item.worked, item.with_changes, item.failed) for item in page.months),
    ]),
    "runs-by-agent": ("runs by agent and version", lambda page: [
        ("agent", "version", "runs", "worked", "worked_with_changes", "failed"),
        *((item.name, item.version, item.total, item.worked, item.with_changes, item.failed) for item in page.versions),
    ]),
    "trust": ("playbooks by trust", lambda page: [
        ("trust", "playbooks"), *((str(level), count) for level, count in page.stats.by_trust.items()),
    ]),
    "accounts": ("public accounts by outcome and by who tells it", lambda page: [
        ("told", "value", "accounts"),
        *(("outcome", name, count) for name, count in page.outcomes.items()),
        *(("account", name, count) for name, count in page.accounts.items()),
    ]),
    "coverage": ("playbooks by job and agent", lambda page: [
        ("job", *(agent.slug for agent in page.agents)),
        *([job.slug, *(page.coverage[job.slug].get(agent.slug, 0) for agent in page.agents)] for job in page.tasks),
    ]),
    "stale-references": ("playbooks with stale references", lambda page: [
        ("playbook", "stale_references", "references", "oldest_check"),
        *((item.book.slug, item.stale, item.of, item.oldest) for item in page.stale),
    ]),
}  # fmt: skip
"""The files of the statistics: name, what it holds, and its rows, the first of which names the columns."""


def as_csv(
    rows: Callable[[StatisticsContext], Iterable[FigureRow]],
) -> Callable[[RenderEnvironment, StatisticsContext], bytes]:
    """A view: rows as comma-separated values (RFC 4180).

    A text that a spreadsheet would run as a formula has an apostrophe before it.
    """

    def view(_env: RenderEnvironment, context: StatisticsContext) -> bytes:
        text = io.StringIO()
        safe = ([f"'{cell}" if str(cell).startswith(_FORMULA) else cell for cell in row] for row in rows(context))
        csv.writer(text).writerows(safe)
        return text.getvalue().encode()

    return view
