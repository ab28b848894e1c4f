"""What a run report and a submission can become, and from where; each transition is one step of one transaction."""

from collections.abc import Collection, Iterable, Mapping
from dataclasses import dataclass
from enum import StrEnum
from typing import Any

from sqlalchemy import Connection, Table, delete, insert, select, update

from library.records.vocabulary import OutboxState, RunState, SubmissionState

from .base import record
from .errors import Conflict, NotFound
from .records import NewFile
from .schema import drafts, outbox, runs, submissions


@dataclass(frozen=True, slots=True)
class Transitions:
    """The states of one table: the first, those that wait for the review agent or an editor, and where each leads."""

    table: Table
    first: StrEnum
    open: frozenset[StrEnum]
    moves: Mapping[str, frozenset[str]]


RUNS = Transitions(
    runs,
    RunState.PENDING,
    frozenset({RunState.PENDING}),
    {
        RunState.PENDING: frozenset({RunState.APPROVED, RunState.REJECTED}),
        RunState.APPROVED: frozenset({RunState.WITHDRAWN}),
    },
)
_S = SubmissionState
SUBMISSIONS = Transitions(
    submissions,
    _S.QUEUED,
    frozenset({_S.QUEUED, _S.SCREENED}),
    {
        _S.QUEUED: frozenset({_S.SCREENED, _S.REJECTED, _S.WITHDRAWN}),
        _S.SCREENED: frozenset({_S.ACCEPTED, _S.REJECTED, _S.CHANGES_REQUESTED, _S.WITHDRAWN}),
        _S.CHANGES_REQUESTED: frozenset({_S.QUEUED, _S.WITHDRAWN}),
        _S.ACCEPTED: frozenset({_S.PUBLISHED, _S.SCREENED, _S.WITHDRAWN}),
    },
)
_SENT = frozenset({_S.ACCEPTED, RunState.APPROVED})
"""What a subject in these states left in the outbox is not written any more once it leaves them."""


def transitions(subject: str) -> Transitions:
    """Those of a subject, by its id."""
    return RUNS if subject.startswith("run_") else SUBMISSIONS


def move(
    connection: Connection,
    subject: str,
    to: str,
    *,
    at: str,
    by: str,
    reasons: Collection[str] = (),
    note: str | None = None,
    version: int | None = None,
    **fields: Any,
) -> None:
    """Move a row to the state `to`, and set `fields`. Raises `NotFound` or `Conflict`.

    It is a guarded update, an audit row, and what follows for the outbox and the draft. With `version`, the row must
    still be the one that was looked at when the decision was made.
    """
    table, moves = transitions(subject).table, transitions(subject).moves
    row = connection.execute(select(table.c.state, table.c.version).where(table.c.id == subject)).first()
    if row is None:
        raise NotFound("There is no such record.")
    if to not in moves.get(row.state, ()):
        raise Conflict(f"It is {row.state} now, which cannot become {to}.")
    if version is not None and version != row.version:
        raise Conflict("It was changed meanwhile.")
    unchanged = (table.c.id == subject) & (table.c.state == row.state) & (table.c.version == row.version)
    values = {"state": to, "version": row.version + 1, "updated": at, **fields}
    if connection.execute(update(table).where(unchanged).values(**values)).rowcount != 1:
        raise Conflict("Somebody else was faster.")
    record(connection, subject, to, at=at, by=by, was=row.state, version=row.version + 1, reasons=reasons, note=note)
    if row.state in _SENT:
        waits = (outbox.c.subject == subject) & (outbox.c.state == OutboxState.WAITING)
        connection.execute(update(outbox).where(waits).values(state=OutboxState.CANCELLED))
    if to == SubmissionState.QUEUED:  # its sender changed it: what an editor made of the former text is not of this one
        connection.execute(delete(drafts).where(drafts.c.subject == subject))
    if table is runs and to in (RunState.APPROVED, RunState.WITHDRAWN):
        _send_run(connection, subject, row.version + 1, to, at=at)


def send(connection: Connection, subject: str, version: int, files: Iterable[NewFile], *, at: str) -> None:
    """Put files of a subject in the outbox."""
    for item in files:
        values = {"subject": subject, "version": version, "file": item.file, "text": item.text, "base": item.base}
        connection.execute(insert(outbox).values(**values, state=OutboxState.WAITING, created=at))


def _send_run(connection: Connection, subject: str, version: int, to: str, *, at: str) -> None:
    """A report's file; a tombstone only where its file was written before."""
    was = select(outbox.c.id).where(outbox.c.subject == subject, outbox.c.state == OutboxState.WRITTEN).limit(1)
    if to == RunState.WITHDRAWN and connection.execute(was).first() is None:
        return
    playbook = connection.scalar(select(runs.c.playbook).where(runs.c.id == subject))
    send(connection, subject, version, [NewFile(f"runs/{playbook}/{subject}.yaml", None, None)], at=at)


def take_back(connection: Connection, contributor_id: int, *, at: str, by: str) -> int:
    """Withdraw a contributor's approved runs and reject those that wait; says how many."""
    counted = (runs.c.contributor_id == contributor_id) & runs.c.state.in_([RunState.PENDING, RunState.APPROVED])
    rows = connection.execute(select(runs.c.id, runs.c.state).where(counted).with_for_update()).all()
    for row in rows:
        to = RunState.WITHDRAWN if row.state is RunState.APPROVED else RunState.REJECTED
        move(connection, row.id, to, at=at, by=by, reasons=["contributor-revoked"])
    return len(rows)
