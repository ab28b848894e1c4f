"""The counts of a library as a few lines for a terminal."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator

from ..records.collection import Library
from ..records.vocabulary import Outcome
from .statistics import library_statistics
from .trust import counted_runs, judge


def summary_lines(library: Library) -> Iterator[str]:
    """What there is, how far it is trusted, how its evidence ended."""
    counted = counted_runs(run for runs in library.runs.values() for run in runs)
    trusts = [judge(book, library.runs.get(book.slug, ()), counted, library.today).level for book in library.listed]
    stats = library_statistics(library, trusts)
    outcomes = Counter(account.outcome for book in library.listed for account in book.evidence)
    rows = {
        "playbooks": stats.playbooks,
        "lessons": stats.lessons,
        "agents": stats.agents,
        "tasks": stats.tasks,
        "evidence": f"{stats.evidence} ("
        + ", ".join(f"{outcomes[outcome]} {outcome.replace('_', ' ')}" for outcome in Outcome)
        + ")",
        "runs": f"{stats.runs.approved} approved, {stats.runs.failed} of them failed",
        "trust": ", ".join(f"{count} {level}" for level, count in stats.trust.items()),
        "categories": ", ".join(f"{count.slug} {count.playbooks}" for count in stats.by_category),
    }
    for name, value in rows.items():
        yield f"{name:<11} {value}"
