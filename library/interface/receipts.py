"""Models of what the write API answers."""

from collections.abc import Mapping
from typing import Literal

from ..records.fields import optional
from ..records.vocabulary import RunState, SubmissionKind, SubmissionState
from .answers import Answer


class RunReceipt(Answer):
    """A run report waits for review."""

    id: str
    status: Literal[RunState.PENDING] = RunState.PENDING
    playbook: str
    playbook_version: str
    received: str


class ContributorReceipt(Answer):
    """A contributor was created. The key is shown here and never again."""

    handle: str
    api_key: str
    created: str


class SubmissionReceipt(Answer):
    """A submission waits for review. The edit token is shown to its sender only."""

    id: str
    status: Literal[SubmissionState.QUEUED] = SubmissionState.QUEUED
    status_url: str
    edit_token: str


class HistoryStep(Answer):
    """One step of a submission: what it became, when, by whom and why."""

    status: SubmissionState
    at: str
    by: Literal["sender", "review-agent", "editor", "publisher"]
    reasons: tuple[str, ...]
    sentences: tuple[str, ...]
    note: str | None = optional()


class SubmissionStatus(Answer):
    """Where a submission stands. Never its body, never who sent it."""

    id: str
    kind: SubmissionKind
    title: str
    status: SubmissionState
    created: str
    updated: str
    history: tuple[HistoryStep, ...]
    what_to_change: tuple[str, ...] | None = optional()
    place: str | None = optional()


MEANINGS: Mapping[SubmissionState, str] = {
    SubmissionState.QUEUED: "it waits for the review agent",
    SubmissionState.SCREENED: "the review agent has looked at it; it waits for an editor",
    SubmissionState.CHANGES_REQUESTED: "an editor asks for changes and says which",
    SubmissionState.ACCEPTED: "an editor took it; it is on its way into the library",
    SubmissionState.PUBLISHED: "it is in the library",
    SubmissionState.REJECTED: "it was refused; the last step of its history says why",
    SubmissionState.WITHDRAWN: "its sender took it back",
}
"""What each state means to whoever sent a submission."""

RUN_MEANINGS: Mapping[RunState, str] = {
    RunState.PENDING: "it waits for an editor",
    RunState.APPROVED: "an editor took it; it counts, and stands with its playbook",
    RunState.REJECTED: "an editor did not take it; it does not count",
    RunState.WITHDRAWN: "it was taken back; it does not count",
}
"""What each state means to whoever sent a run report."""


class KeyRow(Answer):
    """A key as its owner sees it: by its first characters."""

    prefix: str
    created: str
    revoked: str | None = optional()


class Me(Answer):
    """What a contributor sees of itself."""

    handle: str
    role: str
    created: str
    keys: tuple[KeyRow, ...]


class KeyReceipt(Answer):
    """A further key was made; it is shown here and never again."""

    prefix: str
    api_key: str
    created: str


class Health(Answer):
    """Whether the server is well."""

    status: Literal["ok", "ready"]
    warnings: tuple[str, ...] | None = optional()
