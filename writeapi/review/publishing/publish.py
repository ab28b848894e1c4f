"""From the outbox to the content: each decision once, checked again, written whole, and noted when it is there.

What was written and then taken back is taken out again, where it still is as it was written.
"""

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from enum import StrEnum
from pathlib import Path

from library.content.git import GitError
from library.problems import printable
from library.records.collection import Library
from library.records.vocabulary import OutboxState, SubmissionState
from library.rules.judgment import Trial, trial
from writeapi.store import PUBLISHER, Conflict, OutboxEntry, Store

from ..decisions.texts import digest
from ..decisions.withdraw import set_on
from ..services import ReviewServices
from .branches import BranchTarget
from .parcels import BadName, Parcel, files_written, groups, is_subject, pack
from .places import Announce, CannotWrite, ChangedSince, alone
from .targets import ContentTarget

Target = ContentTarget | BranchTarget
"""Where parcels go. `kind` begins every text that says where something went; every method may raise `CannotWrite`."""

_NOTED_PROBLEMS = 5


class PublishResult(StrEnum):
    """What publishing did with a decision, or why it did nothing."""

    WRITTEN = "written"
    PUBLISHED = "published"
    SENT_BACK = "sent back"
    TAKEN_BACK = "taken back"
    WAITING = "waiting"
    BY_HAND = "by hand"
    SKIPPED = "skipped"


@dataclass(frozen=True, slots=True)
class DecisionResult:
    """What became of one decision: `said` is a sentence about it for people."""

    subject: str
    result: PublishResult
    said: str

    @property
    def failed(self) -> bool:
        """Whether somebody has to do something about it."""
        return self.result in (PublishResult.WAITING, PublishResult.BY_HAND, PublishResult.SENT_BACK)

    def __str__(self) -> str:
        """One line, with nothing in it that a terminal would obey."""
        return printable(f"{self.subject}: {self.result}: {self.said}")


def publish(
    review: ReviewServices,
    content: Path,
    target: Target,
    step: Announce = lambda _name: None,
    *,
    dry: bool = False,
    waiting: Callable[[], None] = lambda: None,
) -> Iterator[DecisionResult]:
    """Publish what waits in the outbox, in the order of the decisions, and take out again what was taken back.

    What comes earlier counts as being in the library for what comes later. With `dry`, nothing is written or decided.
    Raises `UsageError` for a content folder that is none, `ContentError` for content that has problems by itself.
    """
    job = _PublishJob(review.store, target, step, dry)
    with alone(content, waiting):
        if not dry:
            yield from job.take_back(target.library())
        library = job.with_unmerged(target.library())
        for entries in groups(review.store.outbox(OutboxState.WAITING)):
            result, library = job.publish(library, entries)
            yield result


@dataclass(frozen=True)
class _PublishJob:
    """One run of the publisher."""

    store: Store
    target: Target
    step: Announce
    dry: bool

    def publish(self, library: Library, entries: tuple[OutboxEntry, ...]) -> tuple[DecisionResult, Library]:
        """One decision, and the library with it. Nothing that is wrong with it stops the others."""
        subject = entries[0].subject
        try:
            if not self._still_waits(entries):
                return DecisionResult(
                    subject, PublishResult.SKIPPED, "was decided anew meanwhile; nothing was written"
                ), library
            self.step("chosen")
            parcel = set_on(pack(self.store, library, entries), self.target.present)
            reason, why = self._outdated(parcel, library)
            tried = trial(library, parcel.files, self.target.present)
            if not reason and tried.problems:
                reason, why = "check-failed", "; ".join(map(str, tried.problems[:_NOTED_PROBLEMS]))
            self.step("checked")
            if reason:
                return self._send_back(entries, reason, why), library
            if self.dry:
                place = f"would go to {self.target.kind}: {', '.join(parcel.files)}"
                return DecisionResult(subject, PublishResult.WRITTEN, place), library
            return self._put(parcel, tried), tried.after
        except BadName as error:
            return self._send_back(entries, "check-failed", str(error)), library
        except (CannotWrite, GitError) as error:
            return DecisionResult(subject, PublishResult.WAITING, str(error)), library

    def _still_waits(self, entries: tuple[OutboxEntry, ...]) -> bool:
        waits = {entry.id for entry in self.store.outbox(OutboxState.WAITING, subject=entries[0].subject)}
        return all(entry.id in waits for entry in entries)

    def _outdated(self, parcel: Parcel, library: Library) -> tuple[str, str]:
        """The reason code, and a sentence, for what changed since the decision; empty when nothing did."""
        bases = {entry.file: entry.base for entry in parcel.entries if entry.text is not None}
        for file, body in parcel.files.items():
            here = self.target.present(file)
            if here is not None and (here == body or digest(here) in parcel.earlier.get(file, frozenset())):
                continue
            base = bases.get(file)
            if base is not None and (here is None or digest(here) != base):
                return "base-changed", f"{file} is not any more what the editor changed"
            if base is None and not parcel.withdrawal and (here is not None or _has(library, file)):
                return "place-taken", f"there is another {file} by now"
        return "", ""

    def _put(self, parcel: Parcel, tried: Trial) -> DecisionResult:
        """Write it and note it; where a decision took it back between the two, take it out again."""
        went = self.target.put(parcel, tried, self.step)
        self.step("placed")
        noted = self.store.written(parcel.entries, went)
        self.step("noted")
        ids = {entry.id for entry in parcel.entries}
        past = () if noted else self.store.outbox(subject=parcel.subject)
        if any(entry.id in ids and entry.state is OutboxState.CANCELLED for entry in past):
            return self._undo(parcel.entries, parcel.files)
        return DecisionResult(parcel.subject, PublishResult.WRITTEN, f"{', '.join(parcel.files)} -> {went}")

    def _send_back(self, entries: tuple[OutboxEntry, ...], reason: str, why: str) -> DecisionResult:
        """Return a submission to the editors. A report and the withdrawal of a playbook wait, and each run says so."""
        subject, version, sentence = entries[0].subject, entries[0].version, f"{why} [{reason}]"
        if not subject.startswith("sub_"):
            return DecisionResult(subject, PublishResult.WAITING, sentence)
        if self.dry:
            return DecisionResult(subject, PublishResult.SENT_BACK, f"would be: {sentence}")
        try:
            self.store.move(
                subject, SubmissionState.SCREENED, version=version, reasons=[reason], by=PUBLISHER, note=why
            )
        except Conflict as error:
            return DecisionResult(subject, PublishResult.SKIPPED, f"was decided anew meanwhile: {error}")
        self.step("sent-back")
        return DecisionResult(subject, PublishResult.SENT_BACK, sentence)

    def with_unmerged(self, library: Library) -> Library:
        """The library with new files that lie on a branch of their own already and are not in the target yet."""
        if self.target.kind != "branch":
            return library
        files = {
            entry.file: entry.text.encode()
            for _, entries in self.store.accepted()
            for entry in entries
            if entry.state is OutboxState.WRITTEN and (entry.went or "").startswith("branch")
            if entry.text is not None and entry.base is None and self.target.present(entry.file) is None
        }
        return trial(library, files).after if files else library

    def take_back(self, library: Library) -> Iterator[DecisionResult]:
        """Take out what is not decided any more.

        Entries that were written are noted as cancelled then. Entries that were cancelled without a word of where they
        went may have been written by a publisher that was cut off: they are looked for, and of the others nothing is
        said.
        """
        orphans = self.store.orphans()
        orphaned = {entry.id for entry in orphans}
        unsure = [entry for entry in self.store.outbox(OutboxState.CANCELLED) if entry.went is None]
        decided = [
            entry for entry in self.store.outbox(OutboxState.WAITING, OutboxState.WRITTEN) if entry.id not in orphaned
        ]
        alive = {(mark, entry.file) for entry in decided for mark in (entry.subject, entry.text or "")}
        for entries in groups([*orphans, *unsure]):
            subject, written = entries[0].subject, entries[0].id in orphaned
            here = not written or (entries[0].went or "").startswith(self.target.kind)
            wanted = any(alive & {(subject, entry.file), (entry.text or "", entry.file)} for entry in entries)
            if wanted or not here or not is_subject(subject):
                continue
            files = files_written(self.store, library, entries)
            if written or self._still_there(subject, files):
                yield self._take_back(entries, files)

    def _still_there(self, subject: str, files: Mapping[str, bytes]) -> bool:
        """Whether any of the files stands in the target as it would have been written, or on a branch of its own."""
        try:
            return self.target.holds(subject) or any(self.target.present(file) == body for file, body in files.items())
        except (CannotWrite, GitError):
            return False

    def _take_back(self, entries: tuple[OutboxEntry, ...], files: Mapping[str, bytes]) -> DecisionResult:
        result = self._undo(entries, files)
        if result.result is not PublishResult.WAITING:
            for entry in entries:
                self.store.retracted(entry, result.said)
            self.step("retracted")
        return result

    def _undo(self, entries: tuple[OutboxEntry, ...], files: Mapping[str, bytes]) -> DecisionResult:
        """Take the files of these entries out of the target; says so, or what a person has to do."""
        subject = entries[0].subject
        dates = frozenset(entry.created for entry in entries)
        if self.target.kind == "content" and any(entry.base is not None for entry in entries):
            names = ", ".join(files)
            return DecisionResult(
                subject, PublishResult.BY_HAND, f"{names} took the place of an older text; take it back by hand"
            )
        try:
            return DecisionResult(
                subject, PublishResult.TAKEN_BACK, self.target.remove(subject, files, dates, self.step)
            )
        except ChangedSince as error:
            return DecisionResult(subject, PublishResult.BY_HAND, str(error))
        except (CannotWrite, GitError) as error:
            return DecisionResult(subject, PublishResult.WAITING, f"could not be taken back: {error}")


def _has(library: Library, file: str) -> bool:
    """Whether a parcel before it in this run, or one on its way, has this name already: it is not in the target."""
    folder, _, rest = file.partition("/")
    return folder != "runs" and library.has(folder, rest.removesuffix(".yaml"))
