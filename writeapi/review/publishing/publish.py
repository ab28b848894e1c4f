"""From the outbox to the content: each decision once, checked again, written whole, and noted when it is there."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path

from library.content.git import GitError
from library.records.collection import Library
from library.rules.tryout import Trial, trial
from writeapi.store import PUBLISHER, Conflict, OutboxEntry, Store

from ..decisions.withdraw import set_on
from ..services import ReviewServices
from .leftovers import take_back, undo
from .outcomes import DecisionResult
from .parcels import BadName, Parcel, groups, pack, sha256
from .places import Announce, CannotWrite, alone
from .targets import Target

_NOTED_PROBLEMS = 5


@dataclass(frozen=True)
class _Run:
    """One run of the publisher."""

    store: Store
    target: Target
    step: Announce
    dry: bool


def publish(
    review: ReviewServices,
    content: Path,
    target: Target,
    step: Announce,
    *,
    dry: bool = False,
    waiting: Callable[[], None] = lambda: None,
) -> Iterator[DecisionResult]:
    """Publish what waits in the outbox, in the order of the decisions, and take out again what was taken back.

    What comes earlier counts as being in the library for what comes later. With `dry`, nothing is written or decided.
    Raises `UsageError` for a content folder that is none, `ContentError` for content that has problems by itself.
    """
    run = _Run(review.store, target, step, dry)
    with alone(content, waiting):
        if not dry:
            yield from take_back(review.store, target, target.library(), step)
        library = _with_unmerged(run, target.library())
        for entries in groups(run.store.outbox("waiting")):
            outcome, library = _publish_one(run, library, entries)
            yield outcome


def _publish_one(run: _Run, library: Library, entries: tuple[OutboxEntry, ...]) -> tuple[DecisionResult, Library]:
    """One parcel, and the library with it. Nothing that is wrong with it stops the others."""
    subject = entries[0].subject
    try:
        if not _still_waits(run.store, entries):
            return DecisionResult(subject, "skipped", "was decided anew meanwhile; nothing was written"), library
        run.step("chosen")
        parcel = set_on(pack(run.store, library, entries), run.target.present)
        reason, why = _stale(run, parcel, library)
        tried = trial(library, parcel.files, run.target.present)
        if not reason and tried.problems:
            shown = [str(problem) for problem in tried.problems[:_NOTED_PROBLEMS]]
            reason, why = "check-failed", "; ".join(shown)
        run.step("checked")
        if reason:
            return _send_back(run, entries, reason, why), library
        if run.dry:
            return DecisionResult(
                subject, "written", f"would go to {run.target.kind}: {', '.join(parcel.files)}"
            ), library
        return _put(run, parcel, tried), tried.after
    except BadName as error:
        return _send_back(run, entries, "check-failed", str(error)), library
    except (CannotWrite, GitError) as error:
        return DecisionResult(subject, "waiting", str(error)), library


def _still_waits(store: Store, entries: tuple[OutboxEntry, ...]) -> bool:
    waits = {entry.id for entry in store.outbox("waiting", subject=entries[0].subject)}
    return all(entry.id in waits for entry in entries)


def _put(run: _Run, parcel: Parcel, tried: Trial) -> DecisionResult:
    """Write it and note it; where a decision took it back between the two, take it out again."""
    went = run.target.put(parcel, tried, run.step)
    run.step("placed")
    noted = run.store.written(parcel.entries, went)
    run.step("noted")
    ids = {entry.id for entry in parcel.entries}
    if not noted and any(
        entry.id in ids and entry.state == "cancelled" for entry in run.store.outbox(subject=parcel.subject)
    ):
        return undo(run.target, parcel.entries, dict(parcel.files), run.step)
    return DecisionResult(parcel.subject, "written", f"{', '.join(parcel.files)} -> {went}")


def _stale(run: _Run, parcel: Parcel, library: Library) -> tuple[str, str]:
    """The reason code, and a sentence, for what changed since the decision; empty when nothing did."""
    bases = {entry.file: entry.base for entry in parcel.entries if entry.text is not None}
    for file, body in parcel.files.items():
        here = run.target.present(file)
        if here is not None and (here == body or sha256(here) in parcel.earlier.get(file, frozenset())):
            continue
        base = bases.get(file)
        if base is not None and (here is None or sha256(here) != base):
            return "base-changed", f"{file} is not any more what the editor changed"
        if base is None and not parcel.withdrawal and (here is not None or _taken(library, file)):
            return "place-taken", f"there is another {file} by now"
    return "", ""


def _taken(library: Library, file: str) -> bool:
    """Whether a parcel before it in this run, or one on its way, has this name already: it is not in the target."""
    folder, _, rest = file.partition("/")
    return folder != "runs" and library.has(folder, rest.removesuffix(".yaml"))


def _send_back(run: _Run, entries: tuple[OutboxEntry, ...], reason: str, why: str) -> DecisionResult:
    """Return a submission to the editors. A report and the withdrawal of a playbook wait, and each run says so."""
    first = entries[0]
    if not first.subject.startswith("sub_"):
        return DecisionResult(first.subject, "waiting", f"{why} [{reason}]")
    if run.dry:
        return DecisionResult(first.subject, "sent back", f"would be: {why} [{reason}]")
    try:
        run.store.send_back(first.subject, first.version, reasons=[reason], by=PUBLISHER, note=why)
    except Conflict as error:
        return DecisionResult(first.subject, "skipped", f"was decided anew meanwhile: {error}")
    run.step("sent-back")
    return DecisionResult(first.subject, "sent back", f"{why} [{reason}]")


def _with_unmerged(run: _Run, library: Library) -> Library:
    """The library with new files that lie on a branch of their own already and are not in the target yet."""
    files: dict[str, bytes] = {}
    for _, entries in run.store.accepted():
        for entry in entries:
            if entry.state == "written" and entry.went and entry.text is not None and entry.base is None:
                on_branch = run.target.kind == "branch" and entry.went.startswith(run.target.kind)
                if on_branch and run.target.present(entry.file) is None:
                    files[entry.file] = entry.text.encode()
    return trial(library, files).after if files else library
