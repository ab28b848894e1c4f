"""The queue: run reports and submissions come in, each exactly once, and move from state to state."""

import hashlib
from collections.abc import Collection, Mapping
from typing import Any

from sqlalchemy import Connection, Row, Table, insert, select
from sqlalchemy.exc import IntegrityError

from library.records.vocabulary import SubmissionState

from .base import StorePart, as_record, columns, person, record
from .errors import Mismatch
from .records import HistoryRow, NewRun, NewSubmission, Once, Receipt, RunRecord, SubmissionRecord
from .schema import answers, audit, contributors, runs, submissions, to_the_second
from .transitions import move, transitions

ANSWERABLE = frozenset({"kind", "title", "body", "agent", "playbook", "source_url", "reporter", "payload"})
"""What the sender of a submission may change when changes were requested."""


class Queue(StorePart):
    """What was sent and waits, or was decided."""

    def add_run(self, run: NewRun, once: Once | None) -> Receipt:
        """Store a run report as pending. Raises `Mismatch` or `Unavailable`."""
        return self._add(run, once)

    def add_submission(self, submission: NewSubmission, once: Once | None) -> Receipt:
        """Store a submission as queued. Raises `Mismatch` or `Unavailable`."""
        return self._add(submission, once)

    def run(self, run_id: str) -> RunRecord | None:
        """A run report as it stands."""
        with self._database.read() as connection:
            return run_of(connection, run_id)

    def submission(self, submission_id: str) -> SubmissionRecord | None:
        """A submission as it stands, with its history."""
        with self._database.read() as connection:
            return submission_of(connection, submission_id)

    def move(
        self,
        subject: str,
        to: str,
        *,
        by: str,
        reasons: Collection[str] = (),
        note: str | None = None,
        version: int | None = None,
        place: str | None = None,
    ) -> None:
        """Decide about a run report or a submission; `place` says where that went. Raises `NotFound` or `Conflict`."""
        fields = {} if place is None else {"place": place}
        with self._database.write() as connection:
            move(
                connection, subject, to,
                at=self._now(), by=by, reasons=reasons, note=note, version=version, **fields,
            )  # fmt: skip

    def answer_submission(self, submission_id: str, fields: Mapping[str, Any], *, by: str) -> None:
        """Give the changes that were requested, which queues it again. Raises `NotFound` or `Conflict`."""
        if unknown := set(fields) - ANSWERABLE:
            raise ValueError(f"no fields that a sender may change: {', '.join(sorted(unknown))}")
        with self._database.write() as connection:
            move(connection, submission_id, SubmissionState.QUEUED, at=self._now(), by=by, **fields)

    def _add(self, new: NewRun | NewSubmission, once: Once | None) -> Receipt:
        """Store a new row once. Of several at once with one key, one stores it; the others give its answer."""
        if once and (receipt := self._given(once)):
            return receipt
        its = transitions(new.id)
        by = "anonymous" if new.contributor_id is None else person(new.contributor_id)
        answer = b""
        try:
            with self._database.write() as connection:
                now = self._now()
                if once:
                    answer = once.answer(new.id, to_the_second(now))
                    row = {"caller": once.caller, "key_hash": _hash(once.key), "body_hash": once.body_hash}
                    connection.execute(insert(answers), {**row, "subject": new.id, "created": now, "answer": answer})
                values = {**columns(new), "state": its.first, "version": 1, "created": now, "updated": now}
                connection.execute(insert(its.table), values)
                record(connection, new.id, its.first, at=now, by=by, version=1)
        except IntegrityError:
            if once and (receipt := self._given(once)):
                return receipt
            raise
        return Receipt(new.id, to_the_second(now), answer, fresh=True)

    def _given(self, once: Once) -> Receipt | None:
        """What was answered to this before. Raises `Mismatch` when that was to another body."""
        same = (answers.c.caller == once.caller) & (answers.c.key_hash == _hash(once.key))
        for row in self._rows(select(answers).where(same)):
            if row.body_hash != once.body_hash:
                raise Mismatch("This idempotency key was used for another body.")
            return Receipt(row.subject, row.created, row.answer, fresh=False)
        return None


def _hash(key: str) -> bytes:
    return hashlib.sha256(key.encode("utf-8", "surrogatepass")).digest()


def _signed(connection: Connection, table: Table, subject: str) -> Row[Any] | None:
    """A row with the handle and the age of its contributor."""
    who = (contributors.c.handle.label("contributor"), contributors.c.created.label("contributor_since"))
    wanted = select(table, *who).outerjoin_from(table, contributors).where(table.c.id == subject)
    return connection.execute(wanted).first()


def run_of(connection: Connection, run_id: str) -> RunRecord | None:
    """A run report as it stands, read in this transaction."""
    row = _signed(connection, runs, run_id)
    return row and as_record(RunRecord, row)


def submission_of(connection: Connection, submission_id: str) -> SubmissionRecord | None:
    """A submission as it stands, with its history, read in this transaction."""
    row = _signed(connection, submissions, submission_id)
    if row is None:
        return None
    steps = connection.execute(select(audit).where(audit.c.subject == submission_id).order_by(audit.c.version))
    history = tuple(HistoryRow(step.became, step.at, step.who, tuple(step.reasons), step.note) for step in steps)
    return as_record(SubmissionRecord, row, history=history)
