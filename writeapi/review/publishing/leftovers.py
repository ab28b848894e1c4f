"""What was written and then taken back: it is taken out again where it still is as it was written."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace

from library.content.git import GitError
from library.records.collection import Library
from writeapi.store import OutboxEntry, Store

from .outcomes import DecisionResult
from .parcels import groups, is_subject, present_slug
from .places import Announce, CannotWrite, is_place
from .runfiles import run_file
from .targets import ChangedSince, Target


def take_back(store: Store, target: Target, library: Library, step: Announce) -> Iterator[DecisionResult]:
    """Take out what is not decided any more.

    Entries that were written are noted as cancelled then. Entries that were cancelled without a word of where they
    went may have been written by a publisher that was cut off: they are looked for, and of the others nothing is said.
    """
    orphans = store.orphans()
    orphaned = {entry.id for entry in orphans}
    unsure = [entry for entry in store.outbox("cancelled") if entry.went is None]
    alive = _alive(store, orphaned)
    for entries in groups([*orphans, *unsure]):
        subject, went = entries[0].subject, entries[0].went or ""
        known = entries[0].id in orphaned
        here = went.startswith(target.kind) if known else True
        kept = any(alive & {(subject, entry.file), (entry.text or "", entry.file)} for entry in entries)
        if kept or not here or not is_subject(subject):
            continue
        files = _files(store, library, entries)
        if known or _still_there(target, subject, files):
            yield _take_back(store, target, entries, files, step)


def _take_back(
    store: Store, target: Target, entries: tuple[OutboxEntry, ...], files: dict[str, bytes], step: Announce
) -> DecisionResult:
    outcome = undo(target, entries, files, step)
    if outcome.result != "waiting":
        for entry in entries:
            store.retracted(entry, outcome.said)
        step("retracted")
    return outcome


def undo(target: Target, entries: tuple[OutboxEntry, ...], files: dict[str, bytes], step: Announce) -> DecisionResult:
    """Take the files of these entries out of the target; says so, or what a person has to do."""
    subject = entries[0].subject
    dates = frozenset(entry.created for entry in entries)
    try:
        if target.kind == "content" and any(entry.base is not None for entry in entries):
            names = ", ".join(files)
            return DecisionResult(subject, "by hand", f"{names} took the place of an older text; take it back by hand")
        return DecisionResult(subject, "taken back", target.remove(subject, files, dates, step))
    except ChangedSince as error:
        return DecisionResult(subject, "by hand", str(error))
    except (CannotWrite, GitError) as error:
        return DecisionResult(subject, "waiting", f"could not be taken back: {error}")


def _alive(store: Store, orphaned: set[int]) -> set[tuple[str, str]]:
    """What is decided: each file by its subject, and by its text."""
    entries = [entry for entry in store.outbox("waiting", "written") if entry.id not in orphaned]
    return {(entry.subject, entry.file) for entry in entries} | {(entry.text or "", entry.file) for entry in entries}


def _still_there(target: Target, subject: str, files: dict[str, bytes]) -> bool:
    """Whether any of the files stands in the target as it would have been written, or on a branch of its own."""
    try:
        return target.holds(subject) or any(target.present(file) == body for file, body in files.items())
    except (CannotWrite, GitError):
        return False


def _files(store: Store, library: Library, entries: tuple[OutboxEntry, ...]) -> dict[str, bytes]:
    """The files of these entries as they were written; of a report, as it was when it was approved."""
    run = store.run(entries[0].subject) if entries[0].subject.startswith("run_") else None
    files = {entry.file: entry.text.encode() for entry in entries if entry.text is not None}
    if run is not None and (slug := present_slug(run, library)) is not None:
        file, body = run_file(replace(run, state="approved"), slug)
        files[file] = body
    return {file: body for file, body in files.items() if is_place(file)}
