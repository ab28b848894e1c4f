"""What all parts of the store share: its database, its clock, the audit, and what each record can become."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from dataclasses import asdict, dataclass
from dataclasses import fields as fields_of
from datetime import UTC, datetime, timedelta
from enum import StrEnum
from typing import TYPE_CHECKING, Any, TypeVar

from sqlalchemy import Connection, Executable, Row, Table, delete, insert, select, update

from library.records.vocabulary import OutboxState, RunState, SubmissionState

from .engine import Conflict, NotFound, PostgresDatabase, SqliteDatabase
from .records import DraftFile
from .schema import audit, drafts, outbox, runs, submissions

if TYPE_CHECKING:
    from _typeshed import DataclassInstance

R = TypeVar("R", bound="DataclassInstance")


class StorePart:
    """A part of the store."""

    def __init__(self, database: SqliteDatabase | PostgresDatabase, clock: Callable[[], datetime]) -> None:
        self._database = database
        self._clock = clock

    def _now(self, **later: int) -> str:
        """The time, or one so many `days` or `hours` later, as the database keeps it."""
        moment = self._clock().astimezone(UTC) + timedelta(**later)
        return moment.strftime("%Y-%m-%dT%H:%M:%S.%fZ")

    def _rows(self, wanted: Executable) -> Sequence[Row[*tuple[Any, ...]]]:
        with self._database.read() as connection:
            return connection.execute(wanted).all()

    def _records(self, kind: type[R], wanted: Executable) -> list[R]:
        return [as_record(kind, row) for row in self._rows(wanted)]

    def _record(self, kind: type[R], wanted: Executable) -> R | None:
        return next(iter(self._records(kind, wanted)), None)


def as_record(kind: type[R], row: Row[*tuple[Any, ...]], **more: object) -> R:
    """A record of this kind from the columns of the same names, and from what is given besides."""
    names = (field.name for field in fields_of(kind))
    return kind(**{name: more[name] if name in more else getattr(row, name) for name in names})


def person(contributor_id: int) -> str:
    """A contributor as the audit and callers' names know one: never by handle."""
    return f"c:{contributor_id}"


def record(
    connection: Connection,
    subject: str,
    became: str,
    *,
    at: str,
    by: str,
    was: str | None = None,
    version: int | None = None,
    reasons: Iterable[str] = (),
    note: str | None = None,
) -> None:
    """Write one audit row. A second one for the same version of a subject cannot be written.

    The values stand beside the statement, here and where rows are sent: SQLAlchemy keeps what it made of the statement.
    """
    values = {"subject": subject, "version": version, "at": at, "who": by, "was": was, "became": became}
    connection.execute(insert(audit), {**values, "reasons": list(reasons), "note": note})


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
        RunState.PENDING: frozenset({RunState.APPROVED, RunState.REJECTED, RunState.WITHDRAWN}),
        RunState.APPROVED: frozenset({RunState.WITHDRAWN}),
    },
)
_S = SubmissionState
SUBMISSIONS = Transitions(
    submissions,
    _S.QUEUED,
    frozenset({_S.QUEUED, _S.SCREENED}),
    {
        _S.QUEUED: frozenset({_S.QUEUED, _S.SCREENED, _S.REJECTED, _S.WITHDRAWN}),
        _S.SCREENED: frozenset({_S.ACCEPTED, _S.REJECTED, _S.CHANGES_REQUESTED, _S.WITHDRAWN}),
        _S.CHANGES_REQUESTED: frozenset({_S.QUEUED, _S.WITHDRAWN}),
        _S.ACCEPTED: frozenset({_S.PUBLISHED, _S.SCREENED, _S.WITHDRAWN}),
    },
)


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
        before = " or ".join(state for state, then in moves.items() if to in then)
        raise Conflict(f"It is {row.state} now; only what is {before} can become {to}.")
    if version is not None and version != row.version:
        raise Conflict("It was changed meanwhile.")
    unchanged = (table.c.id == subject) & (table.c.state == row.state) & (table.c.version == row.version)
    values = {"state": to, "version": row.version + 1, "updated": at, **fields}
    if connection.execute(update(table).where(unchanged).values(**values)).rowcount != 1:
        raise Conflict("Somebody else was faster.")
    record(connection, subject, to, at=at, by=by, was=row.state, version=row.version + 1, reasons=reasons, note=note)
    if row.state in (SubmissionState.ACCEPTED, RunState.APPROVED):  # what it left in the outbox is not written any more
        waits = (outbox.c.subject == subject) & (outbox.c.state == OutboxState.WAITING)
        connection.execute(update(outbox).where(waits).values(state=OutboxState.CANCELLED))
    if to == SubmissionState.QUEUED:  # its sender changed it: what an editor made of the former text is not of this one
        connection.execute(delete(drafts).where(drafts.c.subject == subject))
    if table is runs and to in (RunState.APPROVED, RunState.WITHDRAWN):
        _send_run(connection, subject, row.version + 1, to, at=at)


def send(connection: Connection, subject: str, version: int, files: Iterable[DraftFile], *, at: str) -> None:
    """Put files of a subject in the outbox."""
    for item in files:
        values = {"subject": subject, "version": version, "state": OutboxState.WAITING, "created": at}
        connection.execute(insert(outbox).values(**values, **asdict(item)))


def _send_run(connection: Connection, subject: str, version: int, to: str, *, at: str) -> None:
    """A report's file; a tombstone only where its file was written before."""
    was = select(outbox.c.id).where(outbox.c.subject == subject, outbox.c.state == OutboxState.WRITTEN).limit(1)
    if to == RunState.WITHDRAWN and connection.execute(was).first() is None:
        return
    playbook = connection.scalar(select(runs.c.playbook).where(runs.c.id == subject))
    values = {"subject": subject, "version": version, "file": f"runs/{playbook}/{subject}.yaml"}
    connection.execute(insert(outbox).values(**values, state=OutboxState.WAITING, created=at))
