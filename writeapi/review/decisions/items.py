"""All that an editor sees of one subject: what was sent and found, what it would become, and what may be done."""

import tomllib
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path

from pydantic import BaseModel, ConfigDict

from library.records.naming import free_name
from library.records.vocabulary import Decision, OutboxState, RunState, SubmissionState
from library.rules.judgment import Trial, trial
from writeapi.store.records import DraftFile, Finding, OutboxEntry, Review, ReviewStep, RunRecord, SubmissionRecord

from ..publishing.parcels import run_file
from ..screening.matching import present_slug
from ..screening.sent import leaves, sent
from ..services import ReviewServices, record_of
from .drafts import first_draft
from .texts import base_problems, digest, try_texts, with_problems


class Action(BaseModel):
    """One row. `runs` and `submissions` are the states that it starts from.

    A `decision` needs reasons of its own list. Words: of the `summary` that unfolds its form, where it is not the
    button's, the `hint` below its note, the `notice` on the page when it is done; of its command, `help`, `example` and
    `receipt`.
    """

    model_config = ConfigDict(frozen=True, extra="forbid")

    name: str
    runs: frozenset[RunState] = frozenset()
    submissions: frozenset[SubmissionState] = frozenset()
    decision: Decision | None = None
    summary: str = ""
    hint: str = ""
    notice: str
    help: str
    example: str
    receipt: str

    @property
    def key(self) -> str:
        """Its name in addresses and as a command."""
        return self.name.replace("_", "-")

    @property
    def button(self) -> str:
        """Its name as a button has it."""
        return self.name.replace("_", " ").capitalize()


_TABLE = tomllib.loads(Path(__file__).with_name("actions.toml").read_text(encoding="utf-8"))
ACTIONS = tuple(
    Action(**row | {"hint": row.get("hint", "").replace("{public}", _TABLE["public"])}) for row in _TABLE["action"]
)
BY_NAME = {action.name: action for action in ACTIONS}
OF_DECISION = {action.decision: action for action in ACTIONS if action.decision}


@dataclass(frozen=True, slots=True)
class Field:
    """One thing that was sent: its place in the body as a JSON pointer, its text, and what was found in it."""

    pointer: str
    text: str
    findings: tuple[Finding, ...]

    @property
    def name(self) -> str:
        """Its place as people call it: `/payload/steps/0` is `steps 1`."""
        parts = self.pointer.removeprefix("/payload").strip("/").split("/")
        return " ".join(str(int(part) + 1) if part.isdigit() else part.replace("_", " ") for part in parts)


@dataclass(frozen=True)
class Item:
    """All that an editor sees of one subject.

    `kind` is `run` or a submission's kind. `revision` is 0 while `files` are not a saved draft. `olds` holds the
    present text of each file that exists, for the difference. `entries` are its rows of the outbox; `promoted` is
    the submission that was made of a report.
    """

    subject: str
    kind: str
    record: RunRecord | SubmissionRecord
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
    def run(self) -> RunRecord | None:
        """The run report, where it is one."""
        return self.record if isinstance(self.record, RunRecord) else None

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
        return self.run is None and bool(self.steps) and self.steps[0].became == SubmissionState.SCREENED

    @property
    def fields(self) -> tuple[Field, ...]:
        """Everything that was sent, in order."""
        return tuple(
            Field(place, text, tuple(one for one in self._findings if self._place(one) == place))
            for place, text in self._sent.items()
        )

    @property
    def elsewhere(self) -> tuple[Finding, ...]:
        """The findings that belong to no field of it."""
        return tuple(one for one in self._findings if self._place(one) is None)

    @cached_property
    def _sent(self) -> Mapping[str, str]:
        return {place: str(value) for place, value in leaves(sent(self.record).values) if place != "/kind"}

    @property
    def _findings(self) -> tuple[Finding, ...]:
        return self.review.findings if self.review else ()

    def _place(self, finding: Finding) -> str | None:
        """The field that a finding stands beside: its own, or the first part of the one that it names."""
        if finding.pointer in self._sent:
            return finding.pointer
        inside = f"{finding.pointer}/"
        return next((place for place in self._sent if finding.pointer and place.startswith(inside)), None)


def item(review: ReviewServices, subject: str) -> Item:
    """All of one subject. Raises `NotFound`, or `ContentError` when the content has errors."""
    record = record_of(review.store, subject)
    files, revision = files_of(review, record)
    texts = {file.file: file.text for file in files}
    if isinstance(record, RunRecord):
        promoted = review.store.promoted(subject)
        tried = trial(review.shelf.library(), {name: text.encode() for name, text in texts.items()})
        offered = [action for action in ACTIONS if record.state in action.runs]
        if promoted or not lesson_of(record):
            offered = [action for action in offered if action.name != "promote"]
    else:
        promoted = None
        tried = try_texts(review, texts, record.id)
        if record.state is SubmissionState.SCREENED:
            tried = with_problems(tried, base_problems(review, files, record.id))
        offered = [action for action in ACTIONS if record.state in action.submissions]
    return Item(
        subject,
        sent(record).kind,
        record,
        review.store.review(subject),
        review.store.steps(subject),
        files,
        revision,
        tried,
        {name: old for name in texts if (old := review.shelf.text(name)) is not None},
        tuple(action.name for action in offered),
        tuple(review.store.outbox(subject=subject)),
        promoted,
    )


def lesson_of(run: RunRecord) -> str | None:
    """What a report teaches: its lesson, or else what had to be changed."""
    return run.lesson or run.what_changed


def files_of(review: ReviewServices, record: RunRecord | SubmissionRecord) -> tuple[tuple[DraftFile, ...], int]:
    """What a report or a submission became or would become, and the revision of the saved draft that this is (0: none).

    While a submission is accepted or published, what was accepted; else the saved draft; else, when it was sent back
    just now, what was accepted before; else the first draft.
    """
    if isinstance(record, RunRecord):
        book = present_slug(review.shelf.library(), record.playbook) or record.playbook
        name, body = run_file(record, book)
        return (DraftFile(name, body.decode()),), 0
    accepted = {SubmissionState.ACCEPTED: 0, SubmissionState.PUBLISHED: 1}.get(record.state)
    if accepted is None and (draft := review.store.draft(record.id)):
        return draft.files, draft.revision
    version = record.version - (1 if accepted is None else accepted)
    entries = [entry for entry in review.store.outbox(subject=record.id) if entry.version == version]
    if entries:
        return tuple(DraftFile(entry.file, entry.text or "", entry.base) for entry in entries), 0
    if record.state in (SubmissionState.REJECTED, SubmissionState.WITHDRAWN):
        return (), 0
    return first_draft(record, review.shelf.library(), review.shelf.text, fresh(review, record.id)), 0


def fresh(review: ReviewServices, subject: str) -> Callable[[str], str]:
    """Gives a name that is free, for a new file: in the content, among former slugs, and in the outbox."""
    library = review.shelf.library()
    entries = review.store.outbox(OutboxState.WAITING, OutboxState.WRITTEN)
    waiting = {entry.file for entry in entries if entry.subject != subject}

    def taken(file: str) -> bool:
        folder, slug = file.removesuffix(".yaml").split("/")
        former = folder == "playbooks" and library.playbook(slug) is not None
        return former or file in waiting or review.shelf.text(file) is not None

    return lambda file: free_name(file, taken)
