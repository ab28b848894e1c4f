"""What everybody may see of a submission: where it stands, and why in sentences; never its body nor who sent it."""

from __future__ import annotations

from typing import Literal

from library.interface.reasons import sentences
from library.interface.receipts import HistoryStep, SubmissionStatus
from library.records.vocabulary import SubmissionKind, SubmissionState

from ..store import PUBLISHER, REVIEW_AGENT, HistoryRow, SubmissionRecord

Role = Literal["sender", "review-agent", "editor", "publisher"]


def status_of(record: SubmissionRecord) -> SubmissionStatus:
    """The status of a submission as its address answers it."""
    history = tuple(_step(row) for row in record.history)
    return SubmissionStatus(
        id=record.id,
        kind=SubmissionKind(record.kind),
        title=record.title,
        status=SubmissionState(record.state),
        created=record.created,
        updated=record.updated,
        history=history,
        what_to_change=_wanted(history[-1]) if record.state == SubmissionState.CHANGES_REQUESTED else None,
        place=record.place if record.state == SubmissionState.PUBLISHED else None,
    )


def _step(row: HistoryRow) -> HistoryStep:
    """One step. Notes are shown where an editor wrote them: those of programs hold findings, which are for editors.

    For the same reason a screening shows no reasons unless it rejected.
    """
    by = _role(row.by)
    reasons = () if by == REVIEW_AGENT and row.status != SubmissionState.REJECTED else row.reasons
    return HistoryStep(
        status=SubmissionState(row.status),
        at=row.at,
        by=by,
        reasons=reasons,
        sentences=sentences(reasons),
        note=row.note if by == "editor" else None,
    )


def _role(by: str) -> Role:
    """In what role somebody acted, whoever it was."""
    if by == REVIEW_AGENT:
        return "review-agent"
    if by == PUBLISHER:
        return "publisher"
    return "editor" if by.partition(":")[0] == "editor" else "sender"


def _wanted(step: HistoryStep) -> tuple[str, ...]:
    return (*step.sentences, *([step.note] if step.note else []))
