"""From the outbox to the content: each decision once, checked again, written whole, and noted when it is there.

What was written and then taken back is taken out again, where it still is as it was written. What was accepted becomes
published once the built site is made from it. Two changes of one file become one, field by field.
"""

import json
import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from enum import StrEnum
from functools import partial
from pathlib import Path
from typing import Any

from merge3 import Merge3

from library.content.formatting import changed
from library.content.git import Git, GitError
from library.content.loading import TYPED
from library.content.yamlfile import parse
from library.problems import Pointer, Problem, printable
from library.records.collection import Library
from library.records.vocabulary import OutboxState, SubmissionState
from library.rules.judgment import Trial, trial
from writeapi.keys import is_id
from writeapi.store import Store
from writeapi.store.engine import Conflict
from writeapi.store.records import OutboxEntry
from writeapi.store.reviews import PUBLISHER

from ..decisions.texts import digest
from ..publishing import targets
from ..services import ReviewServices
from .targets import BranchTarget, CannotWrite, ChangedSince, ContentTarget, Outdated, Parcel, alone, is_place, trailer

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
    *,
    dry: bool = False,
    waiting: Callable[[], None] = lambda: None,
) -> Iterator[DecisionResult]:
    """Publish what waits in the outbox, in the order of the decisions, and take out again what was taken back.

    What comes earlier counts as being in the library for what comes later. With `dry`, nothing is written or decided.
    Raises `UsageError` for a content folder that is none, `ContentError` for content that has problems by itself.
    """
    job = _PublishJob(review.store, target, dry)
    with alone(content, waiting):
        if not dry:
            yield from job.take_back(target.library())
        library = target.library()
        for entries in targets.groups(review.store.outbox(OutboxState.WAITING)):
            result, library = job.publish(library, entries)
            yield result


@dataclass(frozen=True)
class _PublishJob:
    store: Store
    target: Target
    dry: bool

    def publish(self, library: Library, entries: tuple[OutboxEntry, ...]) -> tuple[DecisionResult, Library]:
        """One decision, and the library with it. Nothing that is wrong with it stops the others."""
        told = partial(DecisionResult, entries[0].subject)
        try:
            waits = self.store.outbox(OutboxState.WAITING, subject=entries[0].subject)
            if not {entry.id for entry in entries} <= {entry.id for entry in waits}:
                return told(PublishResult.SKIPPED, "was decided anew meanwhile; nothing was written"), library
            parcel = targets.pack(self.store, library, self._merged(entries))
            self._check_places(parcel, library)
            tried = trial(library, parcel.files, self.target.present)
            if tried.problems:
                raise Outdated("check-failed", "; ".join(map(str, tried.problems[:_NOTED_PROBLEMS])))
            if self.dry:
                place = f"would go to {self.target.kind}: {', '.join(parcel.files)}"
                return told(PublishResult.WRITTEN, place), library
            return self._put(parcel, tried), tried.after
        except Outdated as error:
            return self._send_back(entries, error.reason, str(error)), library
        except (CannotWrite, GitError) as error:
            return told(PublishResult.WAITING, str(error)), library

    def _merged(self, entries: tuple[OutboxEntry, ...]) -> tuple[OutboxEntry, ...]:
        """The entries with what others changed in their files since. Raises `Outdated`."""
        found: list[OutboxEntry] = []
        for entry in entries:
            here = self.target.present(entry.file) if entry.original is not None else None
            if entry.text is None or entry.original is None or here is None or digest(here) == entry.base:
                found.append(entry)
                continue
            now = here.decode(errors="replace")
            text = merge_files(entry.file, entry.original, entry.text, now)
            again = text != entry.text and not self.dry
            found.append(self.store.rebased(entry, text, digest(here), now) if again else entry)
        return tuple(found)

    def _check_places(self, parcel: Parcel, library: Library) -> None:
        """Raise `Outdated` for a file that changed, or a name that was taken, since the decision."""
        bases = {entry.file: entry.base for entry in parcel.entries if entry.text is not None}
        for file, body in parcel.files.items():
            here = self.target.present(file)
            if here is not None and (here == body or digest(here) in parcel.earlier.get(file, frozenset())):
                continue
            base = bases.get(file)
            if base is not None and (here is None or digest(here) != base):
                raise Outdated("base-changed", f"{file} is not any more what the editor changed")
            folder, _, rest = file.partition("/")  # a parcel before it is not in the target
            has = here is not None or (folder != "runs" and library.has(folder, rest.removesuffix(".yaml")))
            if base is None and not parcel.withdrawal and has:
                raise Outdated("place-taken", f"there is another {file} by now")

    def _put(self, parcel: Parcel, tried: Trial) -> DecisionResult:
        """Write it and note it; where a decision took it back between the two, take it out again."""
        went = self.target.put(parcel, tried)
        noted = self.store.written(parcel.entries, went)
        ids = {entry.id for entry in parcel.entries}
        past = () if noted else self.store.outbox(subject=parcel.subject)
        if any(entry.id in ids and entry.state is OutboxState.CANCELLED for entry in past):
            return self._undo(parcel.entries, parcel.files)
        return DecisionResult(parcel.subject, PublishResult.WRITTEN, f"{', '.join(parcel.files)} -> {went}")

    def _send_back(self, entries: tuple[OutboxEntry, ...], reason: str, why: str) -> DecisionResult:
        """Return a submission to the editors. A report and the withdrawal of a playbook wait, and each run says so."""
        subject, version, sentence = entries[0].subject, entries[0].version, f"{why} [{reason}]"
        told, to = partial(DecisionResult, subject), SubmissionState.SCREENED
        if not subject.startswith("sub_"):
            return told(PublishResult.WAITING, sentence)
        if self.dry:
            return told(PublishResult.SENT_BACK, f"would be: {sentence}")
        try:
            self.store.move(subject, to, version=version, reasons=[reason], by=PUBLISHER, note=why)
        except Conflict as error:
            return told(PublishResult.SKIPPED, f"was decided anew meanwhile: {error}")
        return told(PublishResult.SENT_BACK, sentence)

    def take_back(self, library: Library) -> Iterator[DecisionResult]:
        """Take out what is not decided any more.

        Entries that were written are noted as cancelled then. Entries that were cancelled without a word of where they
        went may have been written by a publisher that was cut off: they are looked for, and of the others nothing is
        said.
        """
        orphans = self.store.orphans()
        orphaned = {entry.id for entry in orphans}
        unsure = [entry for entry in self.store.outbox(OutboxState.CANCELLED) if entry.went is None]
        sent = self.store.outbox(OutboxState.WAITING, OutboxState.WRITTEN)
        decided = [entry for entry in sent if entry.id not in orphaned]
        alive = {(mark, entry.file) for entry in decided for mark in (entry.subject, entry.text or "")}
        for entries in targets.groups([*orphans, *unsure]):
            subject, written = entries[0].subject, entries[0].id in orphaned
            wanted = any(alive & {(subject, entry.file), (entry.text or "", entry.file)} for entry in entries)
            if wanted or not targets.is_subject(subject):
                continue
            files = targets.files_written(self.store, library, entries)
            here = (entries[0].went or "").startswith(self.target.kind) if written else self._has(subject, files)
            if not here:
                continue
            result = self._undo(entries, files)
            for entry in entries if result.result is not PublishResult.WAITING else ():
                self.store.retracted(entry, result.said)
            yield result

    def _has(self, subject: str, files: Mapping[str, bytes]) -> bool:
        """Whether any of the files stands in the target as it would have been written, or on a branch of its own."""
        try:
            branched = isinstance(self.target, BranchTarget) and self.target.holds(subject)
            return branched or any(self.target.present(file) == body for file, body in files.items())
        except (CannotWrite, GitError):
            return False

    def _undo(self, entries: tuple[OutboxEntry, ...], files: Mapping[str, bytes]) -> DecisionResult:
        """Take the files of these entries out of the target; says so, or what a person has to do."""
        subject, told = entries[0].subject, partial(DecisionResult, entries[0].subject)
        dates = frozenset(entry.created for entry in entries)
        if self.target.kind == "content" and any(entry.base is not None for entry in entries):
            names = ", ".join(files)
            return told(PublishResult.BY_HAND, f"{names} took the place of an older text; take it back by hand")
        try:
            return told(PublishResult.TAKEN_BACK, self.target.remove(subject, files, dates))
        except ChangedSince as error:
            return told(PublishResult.BY_HAND, str(error))
        except (CannotWrite, GitError) as error:
            return told(PublishResult.WAITING, f"could not be taken back: {error}")


_COMMIT = re.compile(r"branch \S+ at ([0-9a-f]{12})\b")


def is_merged(git: Git, entry: OutboxEntry) -> bool:
    """Whether a written entry is merged into what is checked out, though its file is not what was sent any more.

    It is when its commit is an ancestor of the checkout, or when a commit there that is not older names the submission
    (a squashed merge). Raises `GitError`.
    """
    found = _COMMIT.match(entry.went or "")
    commit = git.commit_at(found[1]) if found else None
    if commit and git.asks("merge-base", "--is-ancestor", commit, "HEAD") is not None:
        return True
    if is_id(entry.subject):
        times = git.asks("log", "--fixed-strings", f"--grep={trailer(entry.subject)}", "--format=%ct", "HEAD", "--")
        decided = int(datetime.fromisoformat(entry.created).timestamp())
        return any(int(time) >= decided for time in (times or "").split())
    return False


OTHERWISE = "its file changed otherwise; merge its branch, or send it back"


def settle(
    store: Store, built: Mapping[str, str], site_url: str, merged: Callable[[OutboxEntry], bool] = lambda _entry: False
) -> Iterator[DecisionResult]:
    """Publish every accepted submission whose files are all written and in the built content.

    `built` has the SHA-256 of each file of the content that the site was made from, empty where it is not known. A new
    file has to be in it. One that replaced another has not to be the replaced one any more; where it was put on a
    branch, it has to be what was sent, or `merged` says that the branch is merged: a maintainer may have improved it.
    `site_url` is the address that the site was built for.
    """
    for submission, entries in store.accepted():
        told = partial(DecisionResult, submission.id)
        if not all(_arrived(entry, built) for entry in entries):
            continue
        if any(not _as_sent(entry, built) and not merged(entry) for entry in entries):
            yield told(PublishResult.WAITING, OTHERWISE)
            continue
        place, version = page_of(site_url, entries), submission.version
        try:
            store.move(submission.id, SubmissionState.PUBLISHED, version=version, by=PUBLISHER, place=place)
        except Conflict as error:
            yield told(PublishResult.SKIPPED, f"was decided anew meanwhile: {error}")
        else:
            yield told(PublishResult.PUBLISHED, place)


def page_of(site_url: str, entries: Sequence[OutboxEntry]) -> str:
    """The address of the page that the first of these files has."""
    folder, _, name = entries[0].file.partition("/")
    return f"{site_url.rstrip('/')}/{folder}/{name.removesuffix('.yaml')}/"


def _arrived(entry: OutboxEntry, built: Mapping[str, str]) -> bool:
    """Whether an entry was written, and the built content has another file in the place of the one that it replaced."""
    here = built.get(entry.file)
    new = here is not None and (entry.base is None or here not in ("", entry.base))
    return new and entry.state is OutboxState.WRITTEN and is_place(entry.file)


def _as_sent(entry: OutboxEntry, built: Mapping[str, str]) -> bool:
    """Whether nobody has to be asked if it is merged: a new file, one in the folder, or one that is what was sent."""
    on_branch = (entry.went or "").startswith("branch accepted/")
    return entry.base is None or not on_branch or built[entry.file] == digest(entry.text or "")


Three = tuple[Any, ...]  # a value as it was, and as two changes left it: ours, theirs

_ABSENT: Any = object()


def _conflict(file: str, *fields: str) -> Outdated:
    return Outdated("base-changed", f"{file} was changed meanwhile where this changes it too: {', '.join(fields)}")


def merge_files(file: str, base: str, ours: str, theirs: str) -> str:
    """The text of `theirs` with what `ours` changed since `base`; comments of `theirs` stay.

    Raises `Outdated` where both changed a field otherwise, or a text is no mapping.
    """
    values: list[dict[str, Any]] = []
    for text in (base, ours, theirs):
        value = parse(text, file, typed=TYPED).value
        if not isinstance(value, dict):
            raise _conflict(file, "the whole file")
        values.append(value)
    conflicts: list[Pointer] = []
    old, mine, now = values
    merged = _merge((old, mine, now), (), conflicts)
    if conflicts:
        raise _conflict(file, *(Problem(file, pointer, "", "").field for pointer in conflicts))
    fields = {key: merged.get(key) for key in {**now, **merged} if merged.get(key) != now.get(key)}
    body = changed(theirs.encode(), file, fields=fields)
    if isinstance(body, list):
        raise _conflict(file, "the whole file")
    return body.decode()


def _merge(three: Three, at: Pointer, conflicts: list[Pointer]) -> Any:  # noqa: ANN401 - plain YAML
    """The value that has both changes; where there is none, the place is told and theirs stays."""
    base, ours, theirs = three
    if ours in (theirs, base):
        return theirs
    if theirs == base:
        return ours
    if at == ("updated",):
        return max(ours, theirs)
    if all(isinstance(value, Mapping) for value in three):
        keys = {key: _ABSENT for value in (theirs, ours) for key in value}
        values = {key: tuple(value.get(key, _ABSENT) for value in three) for key in keys}
        parts = {key: _merge(value, (*at, key), conflicts) for key, value in values.items()}
        return {key: value for key, value in parts.items() if value is not _ABSENT}
    if all(isinstance(value, list) for value in three):
        return _merge_lists(three, at, conflicts)
    conflicts.append(at)
    return theirs


def _merge_lists(three: Three, at: Pointer, conflicts: list[Pointer]) -> list[Any]:
    """Items by their order: added and removed ones of both; one that both changed is merged field by field."""
    if at == ("contributors",):  # whose order says nothing
        base, ours, theirs = three
        return [*theirs, *(item for item in ours if item not in theirs and item not in base)]
    base, ours, theirs = ([json.dumps(item) for item in value] for value in three)
    found: list[Any] = []
    for group in Merge3(base, ours, theirs).merge_groups():
        if group[0] != "conflict":
            found += map(json.loads, group[1])
            continue
        parts = [[json.loads(line) for line in part] for part in group[1:]]
        if len({len(part) for part in parts}) != 1:
            conflicts.append(at)
            found += parts[2]
            continue
        for one, two, other in zip(*parts, strict=True):
            found.append(_merge((one, two, other), (*at, len(found)), conflicts))
    return found
