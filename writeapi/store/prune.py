"""Retention: what is known only for a time is forgotten; the audit, and what was sent, stay."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta

from sqlalchemy import Column, ColumnElement, Connection, Table, delete, func, select, tuple_, update

from .base import StorePart, record
from .schema import answers, runs, sessions, submissions

_Step = Callable[[Connection], int]

FORGOTTEN = "a:forgotten"
"""What stands in place of the bucket of an address when its time is over."""

STEP = 500
"""So many rows a transaction: who writes meanwhile waits for one step, not for all."""


@dataclass(frozen=True, slots=True)
class Pruned:
    """How many rows forgot the bucket of an address, and how many answers and sessions went."""

    addresses: int
    answers: int
    sessions: int


class Pruning(StorePart):
    """What goes with time."""

    def prune(self, *, addresses_days: int, answers_days: int, dry_run: bool = False) -> Pruned:
        """Forget what is older than so many days; with `dry_run` only count it. Twice is the same as once.

        Answers that are gone are not given again: a request that is repeated later is a new one.
        """
        now = self._clock().astimezone(UTC)
        old, older = _stamp(now, addresses_days), _stamp(now, answers_days)
        done = Pruned(
            sum(self._forget(table, old, dry_run=dry_run) for table in (runs, submissions)),
            self._remove(answers, answers.c.created <= older, dry_run=dry_run),
            self._remove(sessions, sessions.c.expires <= _stamp(now, 1), dry_run=dry_run),
        )
        if not dry_run and (done.addresses or done.answers or done.sessions):
            note = f"{done.addresses} addresses, {done.answers} answers, {done.sessions} sessions"
            with self._database.write() as connection:
                record(connection, "store", "pruned", at=self._now(), by="operator", note=note)
        return done

    def _forget(self, table: Table, old: str, *, dry_run: bool) -> int:
        """Put `FORGOTTEN` in the place of buckets; neither the version nor the day of the last change moves."""

        def step(connection: Connection) -> int:
            some = select(table.c.id).where(due).limit(STEP).scalar_subquery()
            return connection.execute(update(table).where(table.c.id.in_(some)).values(origin=FORGOTTEN)).rowcount

        due = (table.c.created <= old) & (table.c.origin != FORGOTTEN)
        return self._count(table, due) if dry_run else self._in_steps(step)

    def _remove(self, table: Table, due: ColumnElement[bool], *, dry_run: bool) -> int:
        keys: list[Column[object]] = list(table.primary_key.columns)

        def step(connection: Connection) -> int:
            some = select(*keys).where(due).limit(STEP)
            return connection.execute(delete(table).where(tuple_(*keys).in_(some))).rowcount

        return self._count(table, due) if dry_run else self._in_steps(step)

    def _in_steps(self, step: _Step) -> int:
        whole = 0
        while True:
            with self._database.write() as connection:
                done = step(connection)
            whole += done
            if done < STEP:
                return whole

    def _count(self, table: Table, due: ColumnElement[bool]) -> int:
        with self._database.read() as connection:
            return int(connection.scalar(select(func.count()).select_from(table).where(due)) or 0)


def _stamp(now: datetime, days: int) -> str:
    """The time so many days ago, as the database keeps it."""
    return (now - timedelta(days=days)).strftime("%Y-%m-%dT%H:%M:%S.%fZ")
