"""Where the library is thin: an index for editors of what to look for next."""

from __future__ import annotations

from collections.abc import Iterator

from ..records.collection import Library
from ..records.entries import PlaybookEntry
from ..records.vocabulary import Status
from .statistics import stale_before
from .trust import corroborates


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
    )
    for name, found in kinds:
        yield f"{name}: {len(found)}"
        yield from (f"  {item}" for item in found)


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


def _taught(library: Library) -> set[str]:
    return {slug for slug, lessons in library.lessons_by_playbook.items() if lessons}


def _stale(library: Library) -> Iterator[str]:
    """Playbooks with references last read before the limit, with how many and the oldest day."""
    limit = stale_before(library.today)
    for book in _active(library):
        old = sorted(day for day in book.references_checked if day < limit)
        if old:
            yield f"{book.slug}: {len(old)}, oldest {old[0]}"
