"""What goes into the store and what comes out of it, as plain frozen records.

Times are RFC 3339 in UTC with `Z`, to the second.
"""

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

from library.records.vocabulary import OutboxState, RunState, Scope, SubmissionState


@dataclass(frozen=True, slots=True)
class Member:
    """Somebody with a handle. `role` is `contributor` or `editor`."""

    id: int
    handle: str
    email: str | None = field(repr=False)
    role: str
    created: str
    revoked: str | None

    @property
    def editor(self) -> bool:
        """Whether this contributor decides about what others send."""
        return self.role == "editor"


@dataclass(frozen=True, slots=True)
class Key:
    """A contributor's key as lists show it: known by its first characters, never whole."""

    prefix: str
    created: str
    revoked: str | None
    scopes: str | None = None
    until: str | None = None

    @property
    def allows(self) -> tuple[Scope, ...]:
        """What it may be used for; one from before there were scopes, for everything."""
        return tuple(Scope) if self.scopes is None else tuple(map(Scope, self.scopes.split()))


@dataclass(frozen=True, slots=True)
class Once:
    """What makes a write happen once: the same `caller`, `key_hash` and `body_hash` get the first answer again.

    `caller` is `c:<contributor id>` or the bucket of an address; `answer` is stored as it is.
    """

    caller: str
    key_hash: bytes = field(repr=False)
    body_hash: bytes = field(repr=False)
    answer: bytes = field(repr=False)


@dataclass(frozen=True, slots=True)
class Receipt:
    """What was stored. `answer` is empty without `Once`; `fresh` is false when it had been stored before."""

    id: str
    created: str
    answer: bytes
    fresh: bool


@dataclass(frozen=True, slots=True)
class ReviewStep:
    """One step of a run or a submission: what it became, when, by whom, and why.

    In the history of a record `by` is as the audit knows somebody; for editors it names contributors by handle.
    """

    became: str
    at: str
    by: str
    reasons: tuple[str, ...]
    note: str | None
    version: int


@dataclass(frozen=True, slots=True)
class NewRun:
    """A run report to be stored as `pending`. `origin` is the hashed bucket of the sender's address.

    `edit_hash` is the SHA-256 of the token that lets its sender withdraw it.
    """

    id: str
    playbook: str
    playbook_version: str
    agent: str
    outcome: str
    origin: str
    agent_version: str | None = None
    model: str | None = None
    what_changed: str | None = None
    lesson: str | None = None
    duration_minutes: int | None = None
    reporter: str | None = None
    contributor_id: int | None = None
    edit_hash: bytes | None = field(default=None, repr=False)


@dataclass(frozen=True, slots=True, kw_only=True)
class RunRecord(NewRun):
    """A run report as it stands; `contributor` and `contributor_since` are those of the key that it came with.

    Once it was approved, `filed` is when its file was written, and `went` where to.
    """

    contributor: str | None
    contributor_since: str | None
    state: RunState
    version: int
    created: str
    updated: str
    filed: str | None = None
    went: str | None = None
    history: tuple[ReviewStep, ...] = ()


@dataclass(frozen=True, slots=True)
class NewSubmission:
    """A submission to be stored as `queued`. `edit_hash` is the SHA-256 of the token that lets its sender edit it."""

    id: str
    kind: str
    title: str
    body: str = field(repr=False)
    origin: str
    agent: str | None = None
    playbook: str | None = None
    source_url: str | None = None
    reporter: str | None = None
    payload: Mapping[str, Any] | None = field(default=None, repr=False)
    contributor_id: int | None = None
    edit_hash: bytes | None = field(default=None, repr=False)


@dataclass(frozen=True, slots=True, kw_only=True)
class SubmissionRecord(NewSubmission):
    """A submission as it stands. `place` is where it went, once it is published."""

    contributor: str | None
    state: SubmissionState
    version: int
    place: str | None
    created: str
    updated: str
    history: tuple[ReviewStep, ...] = ()


@dataclass(frozen=True, slots=True)
class Finding:
    """One thing that the review agent found: a code, the field (a JSON pointer) and a sentence for editors."""

    code: str
    pointer: str
    detail: str


@dataclass(frozen=True, slots=True)
class Review:
    """A screening of one version of a run or a submission. `advice` is accept, editor or reject."""

    subject: str
    version: int
    advice: str
    findings: tuple[Finding, ...]
    at: str = ""


@dataclass(frozen=True, slots=True)
class Waiting:
    """A row of the queue. `kind` is `run` or the submission's kind; `title` of a run is its outcome."""

    id: str
    kind: str
    title: str
    playbook: str | None
    agent: str | None
    state: str
    version: int
    created: str
    contributor: str | None
    advice: str | None
    findings: int


@dataclass(frozen=True, slots=True)
class JobRecord:
    """What became of a job: when it last ended, how often in a row it failed (0: it did not), and a sentence."""

    name: str
    ended: str
    failures: int
    said: str


@dataclass(frozen=True, slots=True)
class DraftFile:
    """A file that an editor makes: its name in the content, its text, and the SHA-256 of what it replaces.

    `original` is the text of that SHA-256, once it is accepted: a change that comes between is merged by it.
    """

    file: str
    text: str = field(repr=False)
    base: str | None = None
    original: str | None = field(default=None, repr=False)


@dataclass(frozen=True, slots=True)
class SavedDraft:
    """An editor's files for a submission. `revision` counts the times that it was saved."""

    files: tuple[DraftFile, ...]
    revision: int
    by: str
    at: str


@dataclass(frozen=True, slots=True)
class OutboxEntry:
    """A row of the outbox; `went` says where it was written. `text` is None for a run report, which its row holds."""

    id: int
    subject: str
    version: int
    file: str
    text: str | None = field(repr=False)
    base: str | None
    state: OutboxState
    created: str
    done: str | None
    went: str | None
    original: str | None = field(default=None, repr=False)


@dataclass(frozen=True, slots=True)
class Session:
    """An editor who is signed in, and the token that forms of the session carry."""

    editor: Member
    csrf: str = field(repr=False)


@dataclass(frozen=True, slots=True)
class SignIn:
    """A session as the list of its editor's shows it; `prefix` is that of its key, `last` when it asked last."""

    hash: bytes = field(repr=False)
    prefix: str
    created: str
    last: str
