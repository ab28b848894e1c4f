"""Transitions: each is one guarded update, one audit row and what it puts in the outbox, in one transaction."""

from __future__ import annotations

from collections.abc import Collection, Iterable
from typing import Any

from sqlalchemy import Connection, Table, delete, insert, select, update

from .base import record
from .errors import Conflict, NotFound
from .records import NewFile
from .schema import drafts, outbox, runs
from .states import FIRST_OF_SUBMISSIONS, RUN_MOVES, Moves


def move(
    connection: Connection,
    table: Table,
    moves: Moves,
    subject: str,
    to: str,
    *,
    at: str,
    by: str,
    reasons: Collection[str] = (),
    note: str | None = None,
    version: int | None = None,
    fields: dict[str, Any] | None = None,
) -> None:
    """Move a row to the state `to`, and set `fields`. Raises `NotFound` or `Conflict`.

    With `version`, the row must still be the one that was looked at when the decision was made.
    """
    row = connection.execute(select(table.c.state, table.c.version).where(table.c.id == subject)).first()
    if row is None:
        raise NotFound("There is no such record.")
    if to not in moves.get(row.state, ()):
        raise Conflict(f"It is {row.state} now, which cannot become {to}.")
    if version is not None and version != row.version:
        raise Conflict("It was changed meanwhile.")
    _step(connection, table, subject, (row.state, row.version), {"state": to, "updated": at, **(fields or {})})
    record(connection, subject, to, at=at, by=by, was=row.state, version=row.version + 1, reasons=reasons, note=note)
    if row.state in _SENT:
        _recall(connection, subject)
    if to == FIRST_OF_SUBMISSIONS:  # its sender changed it: what an editor made of the former text is not of this one
        connection.execute(delete(drafts).where(drafts.c.subject == subject))
    if table is runs and to in _SENT_AGAIN:
        _send_run(connection, subject, row.version + 1, to, at=at)


_SENT = frozenset({"accepted", "approved"})
"""What a subject in these states left in the outbox is not written any more once it leaves them."""
_SENT_AGAIN = frozenset({"approved", "withdrawn"})
"""A run report becomes a file, and the file a tombstone."""


def send(connection: Connection, subject: str, version: int, files: Iterable[NewFile], *, at: str) -> None:
    """Put files of a subject in the outbox."""
    for item in files:
        values = {"subject": subject, "version": version, "file": item.file, "text": item.text, "base": item.base}
        connection.execute(insert(outbox).values(**values, state="waiting", created=at))


def _recall(connection: Connection, subject: str) -> None:
    waits = (outbox.c.subject == subject) & (outbox.c.state == "waiting")
    connection.execute(update(outbox).where(waits).values(state="cancelled"))


def _send_run(connection: Connection, subject: str, version: int, to: str, *, at: str) -> None:
    """A report's file; a tombstone only where its file was written before."""
    was = select(outbox.c.id).where(outbox.c.subject == subject, outbox.c.state == "written").limit(1)
    if to == "withdrawn" and connection.execute(was).first() is None:
        return
    playbook = connection.scalar(select(runs.c.playbook).where(runs.c.id == subject))
    send(connection, subject, version, [NewFile(f"runs/{playbook}/{subject}.yaml", None, None)], at=at)


def take_back(connection: Connection, contributor_id: int, *, at: str, by: str) -> int:
    """Withdraw a contributor's approved runs and reject those that wait; says how many."""
    counted = (runs.c.contributor_id == contributor_id) & runs.c.state.in_(["pending", "approved"])
    found = connection.execute(select(runs.c.id, runs.c.state).where(counted).with_for_update()).all()
    for run in found:
        to = "withdrawn" if run.state == "approved" else "rejected"
        move(connection, runs, RUN_MOVES, run.id, to, at=at, by=by, reasons=["contributor-revoked"])
    return len(found)


def _step(connection: Connection, table: Table, subject: str, seen: tuple[str, int], values: dict[str, Any]) -> None:
    """Change a row that is as it was `seen`."""
    state, version = seen
    unchanged = (table.c.id == subject) & (table.c.state == state) & (table.c.version == version)
    if connection.execute(update(table).where(unchanged).values(version=version + 1, **values)).rowcount != 1:
        raise Conflict("Somebody else was faster.")
