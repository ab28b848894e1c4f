"""What the desk shows of one subject: what was sent, what was found, what it would become, and what may be done."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass

from library.records.naming import free_name
from library.records.vocabulary import OutboxState, RunState, SubmissionState
from library.rules.tryout import Trial, trial
from writeapi.keys import is_id
from writeapi.store import DraftFile, NotFound, OutboxEntry, Review, ReviewStep, RunRecord, SubmissionRecord

from ..publishing.runfiles import run_file
from ..screening.matching import present_slug
from ..services import ReviewServices
from .drafts import first_draft
from .texts import base_problems, digest, tried, with_problems

_OF_RUNS: Mapping[str, tuple[str, ...]] = {
    RunState.PENDING: ("approve", "reject", "promote"),
    RunState.APPROVED: ("withdraw", "promote"),
}
_OF_SUBMISSIONS: Mapping[str, tuple[str, ...]] = {
    SubmissionState.QUEUED: ("reject",),
    SubmissionState.SCREENED: ("accept", "reject", "request_changes", "edit"),
    SubmissionState.ACCEPTED: ("send_back",),
}


@dataclass(frozen=True)
class Item:
    """All that the desk shows of one subject.

    `kind` is `run` or a submission's kind. `revision` is 0 while `files` are not a saved draft. `olds` holds the
    present text of each file that exists, for the difference. `entries` are its rows of the outbox; `promoted` is
    the submission that was made of a report.
    """

    subject: str
    kind: str
    run: RunRecord | None
    submission: SubmissionRecord | None
    review: Review | None
    steps: tuple[ReviewStep, ...]
    files: tuple[DraftFile, ...]
    revision: int
    tried: Trial
    olds: Mapping[str, str]
    actions: tuple[str, ...]
    entries: tuple[OutboxEntry, ...]
    promoted: str | None = None

    @property
    def state(self) -> str:
        """Where it stands."""
        return self.record.state

    @property
    def version(self) -> int:
        """What a decision about it as shown here has to name."""
        return self.record.version

    @property
    def stale(self) -> frozenset[str]:
        """The files of its draft that were changed, or went, since their texts were made from them."""
        if self.state not in (SubmissionState.QUEUED, SubmissionState.SCREENED):
            return frozenset()
        now = {file: digest(text) for file, text in self.olds.items()}
        return frozenset(file.file for file in self.files if file.base is not None and now.get(file.file) != file.base)

    @property
    def by_editor(self) -> bool:
        """Whether an editor wrote it, of a report's lesson: no review agent looks at it."""
        return self.submission is not None and bool(self.steps) and self.steps[0].became == SubmissionState.SCREENED

    @property
    def record(self) -> RunRecord | SubmissionRecord:
        """The report or the submission itself."""
        found = self.run or self.submission
        if found is None:
            raise NotFound("There is no such record.")
        return found


def item(review: ReviewServices, subject: str) -> Item:
    """All of one subject. Raises `NotFound`, or `ContentError` when the content has errors."""
    run, submission = found(review, subject)
    files, revision = (_of_run(review, run) if run else ()), 0
    if submission:
        files, revision = files_of(review, submission)
    promoted = review.store.promoted(subject) if run else None
    olds = {file.file: old for file in files if (old := review.shelf.text(file.file)) is not None}
    return Item(
        subject,
        submission.kind if submission else "run",
        run,
        submission,
        review.store.review(subject),
        review.store.steps(subject),
        files,
        revision,
        _tried(review, submission, files),
        olds,
        _actions(run, submission, promoted),
        tuple(review.store.outbox(subject=subject)),
        promoted,
    )


def _tried(review: ReviewServices, submission: SubmissionRecord | None, files: Sequence[DraftFile]) -> Trial:
    if submission is None:
        return trial(review.shelf.library(), {file.file: file.text.encode() for file in files})
    attempt = tried(review, {file.file: file.text for file in files}, submission.id)
    open_still = submission.state is SubmissionState.SCREENED
    return with_problems(attempt, base_problems(review, files, submission.id)) if open_still else attempt


def _actions(run: RunRecord | None, submission: SubmissionRecord | None, promoted: str | None) -> tuple[str, ...]:
    if submission:
        return _OF_SUBMISSIONS.get(submission.state, ())
    possible = _OF_RUNS.get(run.state, ()) if run else ()
    return tuple(name for name in possible if name != "promote" or (run and told_by(run) and not promoted))


def found(review: ReviewServices, subject: str) -> tuple[RunRecord | None, SubmissionRecord | None]:
    """The report or the submission of this id: one of the two. Raises `NotFound`."""
    run = review.store.run(subject) if is_id(subject) else None
    submission = review.store.submission(subject) if is_id(subject) and run is None else None
    if run is None and submission is None:
        raise NotFound("There is no report and no submission with this id.")
    return run, submission


def told_by(run: RunRecord) -> str | None:
    """What a report teaches: its lesson, or else what had to be changed."""
    return run.lesson or run.what_changed


def files_of(review: ReviewServices, submission: SubmissionRecord) -> tuple[tuple[DraftFile, ...], int]:
    """What a submission became or would become, and the revision of the saved draft that this is (0: none).

    While it is accepted or published, what was accepted; else the saved draft; else, when it was sent back just now,
    what was accepted before; else the first draft.
    """
    accepted = {SubmissionState.ACCEPTED: 0, SubmissionState.PUBLISHED: 1}.get(submission.state)
    if accepted is None and (draft := review.store.draft(submission.id)):
        return draft.files, draft.revision
    version = submission.version - (1 if accepted is None else accepted)
    entries = [entry for entry in review.store.outbox(subject=submission.id) if entry.version == version]
    if entries:
        return tuple(DraftFile(entry.file, entry.text or "", entry.base) for entry in entries), 0
    if submission.state in (SubmissionState.REJECTED, SubmissionState.WITHDRAWN):
        return (), 0
    return first_draft(submission, review.shelf.library(), review.shelf.text, fresh(review, submission.id)), 0


def fresh(review: ReviewServices, subject: str) -> Callable[[str], str]:
    """Gives a name that is free, for a new file: in the content, among former slugs, and in the outbox."""
    library = review.shelf.library()
    waiting = {
        entry.file
        for entry in review.store.outbox(OutboxState.WAITING, OutboxState.WRITTEN)
        if entry.subject != subject
    }

    def taken(file: str) -> bool:
        folder, slug = file.removesuffix(".yaml").split("/")
        former = folder == "playbooks" and library.playbook(slug) is not None
        return former or file in waiting or review.shelf.text(file) is not None

    return lambda file: free_name(file, taken)


def _of_run(review: ReviewServices, run: RunRecord) -> tuple[DraftFile, ...]:
    library = review.shelf.library()
    name, body = run_file(run, present_slug(library, run.playbook) or run.playbook)
    return (DraftFile(name, body.decode()),)
