"""The queue: run reports and submissions come in, each exactly once, and move from state to state."""

from __future__ import annotations

import hashlib
from collections.abc import Collection, Mapping
from dataclasses import fields as fields_of
from typing import Any, TypeVar

from sqlalchemy import Connection, Row, Select, Table, insert, select
from sqlalchemy.exc import IntegrityError

from .base import StorePart, person, record, shown
from .errors import Mismatch, NotFound
from .moves import move
from .records import HistoryRow, NewRun, NewSubmission, Once, Receipt, RunRecord, SubmissionRecord
from .schema import answers, audit, contributors, runs, submissions
from .states import FIRST_OF_RUNS, FIRST_OF_SUBMISSIONS, RUN_MOVES, SUBMISSION_MOVES

ANSWERABLE = frozenset({"kind", "title", "body", "agent", "playbook", "source_url", "reporter", "payload"})
"""What the sender of a submission may change when changes were requested."""

T = TypeVar("T")


_INSERTS = {table.name: insert(table) for table in (runs, submissions, answers)}
"""Made once: what SQLAlchemy works out about a statement stays with it."""


class Queue(StorePart):
    """What was sent and waits, or was decided."""

    def add_run(self, run: NewRun, once: Once | None) -> Receipt:
        """Store a run report as pending. Raises `Mismatch` or `Unavailable`."""
        return self._add(runs, run, FIRST_OF_RUNS, once)

    def add_submission(self, submission: NewSubmission, once: Once | None) -> Receipt:
        """Store a submission as queued. Raises `Mismatch` or `Unavailable`."""
        return self._add(submissions, submission, FIRST_OF_SUBMISSIONS, once)

    def run(self, run_id: str) -> RunRecord | None:
        """A run report as it stands."""
        with self._database.read() as connection:
            return run_of(connection, run_id)

    def submission(self, submission_id: str) -> SubmissionRecord | None:
        """A submission as it stands, with its history."""
        with self._database.read() as connection:
            return submission_of(connection, submission_id)

    def move_run(
        self,
        run_id: str,
        to: str,
        *,
        by: str,
        reasons: Collection[str] = (),
        note: str | None = None,
        version: int | None = None,
    ) -> RunRecord:
        """Decide about a run report. Raises `NotFound` or `Conflict`."""
        with self._database.write() as connection:
            at = self._now()
            move(connection, runs, RUN_MOVES, run_id, to, at=at, by=by, reasons=reasons, note=note, version=version)
            return there(run_of(connection, run_id))

    def move_submission(
        self,
        submission_id: str,
        to: str,
        *,
        by: str,
        reasons: Collection[str] = (),
        note: str | None = None,
        version: int | None = None,
        place: str | None = None,
    ) -> SubmissionRecord:
        """Decide about a submission; `place` says where it went. Raises `NotFound` or `Conflict`."""
        set_too = {} if place is None else {"place": place}
        return self._move_submission(submission_id, to, set_too, by=by, reasons=reasons, note=note, version=version)

    def answer_submission(self, submission_id: str, fields: Mapping[str, Any], *, by: str) -> SubmissionRecord:
        """Give the changes that were requested, which queues it again. Raises `NotFound` or `Conflict`."""
        if unknown := set(fields) - ANSWERABLE:
            raise ValueError(f"no fields that a sender may change: {', '.join(sorted(unknown))}")
        return self._move_submission(submission_id, "queued", dict(fields), by=by)

    def withdraw_submission(self, submission_id: str, *, by: str) -> SubmissionRecord:
        """Take a submission back while it is open. Raises `NotFound` or `Conflict`."""
        return self._move_submission(submission_id, "withdrawn", {}, by=by)

    def pending_runs(self, published: Collection[str]) -> dict[str, int]:
        """For each playbook, how many reports wait: pending, or approved and not among the `published` ids."""
        there = frozenset(published)
        waiting = select(runs.c.id, runs.c.playbook, runs.c.state).where(runs.c.state.in_(["pending", "approved"]))
        counts: dict[str, int] = {}
        with self._database.read() as connection:
            for row in connection.execute(waiting):
                if row.state == "pending" or row.id not in there:
                    counts[row.playbook] = counts.get(row.playbook, 0) + 1
        return dict(sorted(counts.items()))

    def _move_submission(
        self,
        submission_id: str,
        to: str,
        fields: dict[str, Any],
        *,
        by: str,
        **why: Any,
    ) -> SubmissionRecord:
        with self._database.write() as connection:
            at = self._now()
            move(connection, submissions, SUBMISSION_MOVES, submission_id, to, at=at, by=by, fields=fields, **why)
            return there(submission_of(connection, submission_id))

    def _add(self, table: Table, new: NewRun | NewSubmission, state: str, once: Once | None) -> Receipt:
        """Store a new row once. Of several at once with one key, one stores it; the others give its answer."""
        if once and (receipt := self._given(once)):
            return receipt
        values = {field.name: getattr(new, field.name) for field in fields_of(new)} | {"state": state, "version": 1}
        by = "anonymous" if new.contributor_id is None else person(new.contributor_id)
        answer = b""
        try:
            with self._database.write() as connection:
                now = self._now()
                if once:
                    answer = once.answer(new.id, shown(now))
                    connection.execute(_INSERTS[answers.name], _answer_row(once, new.id, now, answer))
                connection.execute(_INSERTS[table.name], {**values, "created": now, "updated": now})
                record(connection, new.id, state, at=now, by=by, version=1)
        except IntegrityError:
            if once and (receipt := self._given(once)):
                return receipt
            raise
        return Receipt(new.id, shown(now), answer, fresh=True)

    def _given(self, once: Once) -> Receipt | None:
        """What was answered to this before. Raises `Mismatch` when that was to another body."""
        same = (answers.c.caller == once.caller) & (answers.c.key_hash == _hash(once.key))
        with self._database.read() as connection:
            row = connection.execute(select(answers).where(same)).first()
        if row is None:
            return None
        if row.body_hash != once.body_hash:
            raise Mismatch("This idempotency key was used for another body.")
        return Receipt(row.subject, shown(row.created), row.answer, fresh=False)


def _hash(key: str) -> bytes:
    return hashlib.sha256(key.encode("utf-8", "surrogatepass")).digest()


def _answer_row(once: Once, subject: str, created: str, answer: bytes) -> dict[str, Any]:
    row = {"caller": once.caller, "key_hash": _hash(once.key), "body_hash": once.body_hash}
    return {**row, "subject": subject, "created": created, "answer": answer}


def _signed(table: Table) -> Select[Any]:
    """Rows of a table with the handle and the age of their contributor."""
    who = (contributors.c.handle.label("contributor"), contributors.c.created.label("contributor_since"))
    return select(table, *who).outerjoin_from(table, contributors)


def run_of(connection: Connection, run_id: str) -> RunRecord | None:
    """A run report as it stands, read in this transaction."""
    row = connection.execute(_signed(runs).where(runs.c.id == run_id)).first()
    if row is None:
        return None
    times = {name: getattr(row, name) for name in ("created", "updated", "contributor_since")}
    return _filled(RunRecord, row, {name: moment and shown(moment) for name, moment in times.items()})


def submission_of(connection: Connection, submission_id: str) -> SubmissionRecord | None:
    """A submission as it stands, with its history, read in this transaction."""
    row = connection.execute(_signed(submissions).where(submissions.c.id == submission_id)).first()
    if row is None:
        return None
    steps = connection.execute(select(audit).where(audit.c.subject == submission_id).order_by(audit.c.version)).all()
    history = tuple(HistoryRow(step.became, shown(step.at), step.who, tuple(step.reasons), step.note) for step in steps)
    times = {"created": shown(row.created), "updated": shown(row.updated)}
    return _filled(SubmissionRecord, row, {**times, "history": history})


def _filled(kind: type[T], row: Row[Any], more: dict[str, Any]) -> T:
    """A record of this kind from the row's columns of the same names."""
    names = [field.name for field in fields_of(kind)]  # type: ignore[arg-type]  # `T` is a dataclass each time
    return kind(**{name: more[name] if name in more else getattr(row, name) for name in names})


def there(found: T | None) -> T:
    """What was found. Raises `NotFound`."""
    if found is None:
        raise NotFound("There is no such record.")
    return found
