"""Transitions: each is one guarded update and one audit row, in one transaction."""

from __future__ import annotations

from collections.abc import Collection
from typing import Any

from sqlalchemy import Connection, Table, select, update

from .base import record
from .errors import Conflict, NotFound
from .schema import runs
from .states import RUN_MOVES, Moves


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
