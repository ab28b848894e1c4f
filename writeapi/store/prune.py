"""Retention: what is known only for a time is forgotten; the audit, and what was sent, stay."""

from dataclasses import dataclass

from sqlalchemy import ColumnElement, Delete, Table, Update, delete, func, select, tuple_, update

from .base import StorePart, record
from .schema import answers, runs, sessions, submissions

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
        old, older = self._now(days=-addresses_days), self._now(days=-answers_days)
        done = Pruned(
            sum(self._forget(table, old, dry_run=dry_run) for table in (runs, submissions)),
            self._remove(answers, answers.c.created <= older, dry_run=dry_run),
            self._remove(sessions, sessions.c.expires <= self._now(days=-1), dry_run=dry_run),
        )
        if not dry_run and (done.addresses or done.answers or done.sessions):
            note = f"{done.addresses} addresses, {done.answers} answers, {done.sessions} sessions"
            with self._database.write() as connection:
                record(connection, "store", "pruned", at=self._now(), by="operator", note=note)
        return done

    def _forget(self, table: Table, old: str, *, dry_run: bool) -> int:
        """Put `FORGOTTEN` in the place of buckets; neither the version nor the day of the last change moves."""
        due = (table.c.created <= old) & (table.c.origin != FORGOTTEN)
        return self._in_steps(table, due, update(table).values(origin=FORGOTTEN), dry_run=dry_run)

    def _remove(self, table: Table, due: ColumnElement[bool], *, dry_run: bool) -> int:
        return self._in_steps(table, due, delete(table), dry_run=dry_run)

    def _in_steps(self, table: Table, due: ColumnElement[bool], change: Update | Delete, *, dry_run: bool) -> int:
        """Change what is due, some rows a transaction, or only count it; how many they are."""
        if dry_run:
            [(number,)] = self._rows(select(func.count()).select_from(table).where(due))
            return int(number)
        primary = list(table.primary_key.columns)
        step = change.where(tuple_(*primary).in_(select(*primary).where(due).limit(STEP)))
        whole = 0
        while True:
            with self._database.write() as connection:
                done = connection.execute(step).rowcount
            whole += done
            if done < STEP:
                return whole
