"""What a library holds and where it is thin, as lines for a terminal."""

from collections import Counter
from collections.abc import Iterator

from ..records.collection import Library
from ..records.entries import PlaybookEntry
from ..records.vocabulary import Outcome, Status
from .proofs import is_proven, proof_of
from .statistics import breadth, library_statistics, stale_before
from .trust import corroborates, counted_runs, judge


def summary_lines(library: Library) -> Iterator[str]:
    """What there is, how far it is trusted, how its evidence ended."""
    counted = counted_runs(run for runs in library.runs.values() for run in runs)
    proven = {book.slug for book in library.listed if is_proven(proof_of(library, book.slug))}
    trusts = [
        judge(book, library.runs.get(book.slug, ()), counted, library.today, proven=book.slug in proven).level
        for book in library.listed
    ]
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
        "proofs": f"{stats.proven} playbooks, {stats.cheats_caught} of {stats.cheats} planted shortcuts caught",
        "categories": ", ".join(f"{count.slug} {count.playbooks}" for count in stats.by_category),
    }
    for name, value in rows.items():
        yield f"{name:<11} {value}"


def gap_lines(library: Library) -> Iterator[str]:
    """Each kind of gap with its records, for a terminal; a kind without any says so."""
    kinds = (
        ("jobs with one account only", list(_one_account(library))),
        ("playbooks with one account only", [book.slug for book in _active(library) if len(book.evidence) == 1]),
        ("playbooks without an account that can corroborate", list(_no_support(library))),
        ("jobs that are wanted", sorted(slug for slug, task in library.tasks.items() if task.wanted)),
        ("agents without a playbook", sorted(library.agents.keys() - library.playbooks_by_agent.keys())),
        ("playbooks without a reference", [book.slug for book in _active(library) if not book.references_checked]),
        ("playbooks without a lesson", [book.slug for book in _active(library) if book.slug not in _taught(library)]),
        ("stale references", list(_stale(library))),
        ("playbooks without a run", [book.slug for book in _active(library) if not library.approved_runs(book.slug)]),
        ("playbooks without a trial", list(_untried(library))),
    )
    for name, found in kinds:
        yield f"{name}: {len(found)}"
        yield from (f"  {item}" for item in found)


def breadth_lines(library: Library) -> Iterator[str]:
    """Each category with what it holds, and how much people use AI for it where a study says so."""
    yield "breadth by category"
    for item in breadth(library):
        elsewhere = f"; {item.usage.percent}% of {item.usage.of}" if item.usage else "; no study's figure"
        yield f"  {item.slug}: jobs {item.tasks}, playbooks {item.playbooks}, proven {item.proven}{elsewhere}"


def _active(library: Library) -> Iterator[PlaybookEntry]:
    return (book for book in library.listed if book.status is Status.ACTIVE)


def _one_account(library: Library) -> Iterator[str]:
    """Jobs whose playbooks together rest on at most one account."""
    for slug in sorted(library.playbooks_by_task):
        accounts = sum(len(book.evidence) for book in library.playbooks_by_task[slug])
        if accounts <= 1:
            yield f"{slug}: {accounts}"


def _no_support(library: Library) -> Iterator[str]:
    """Playbooks where no account has a known author, is first-hand or a vendor's, and did not fail."""
    return (book.slug for book in _active(library) if not any(corroborates(account) for account in book.evidence))


def _untried(library: Library) -> Iterator[str]:
    for book in _active(library):
        if not library.has("trials", book.slug):
            yield f"{book.slug}: {book.no_trial or 'no trial yet'}"


def _taught(library: Library) -> set[str]:
    return {slug for slug, lessons in library.lessons_by_playbook.items() if lessons}


def _stale(library: Library) -> Iterator[str]:
    """Playbooks with references last read before the limit, with how many and the oldest day."""
    limit = stale_before(library.today)
    for book in _active(library):
        old = sorted(day for day in book.references_checked if day < limit)
        if old:
            yield f"{book.slug}: {len(old)}, oldest {old[0]}"
