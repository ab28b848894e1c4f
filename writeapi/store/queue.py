"""The queue: what is sent comes in, each exactly once, moves from state to state, is read, and forgotten in time.

Of the worker that does what follows from it, it knows which process has the lease and what became of each job.
"""

from collections import Counter, defaultdict
from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass
from dataclasses import fields as fields_of
from datetime import date, datetime
from typing import Any

import sqlalchemy as sa
from sqlalchemy import Connection, Table, delete, func, insert, select, update
from sqlalchemy.exc import IntegrityError

from library.records.vocabulary import OutboxState, RunState, SubmissionState

from .base import RUNS, SUBMISSIONS, R, StorePart, as_record, move, person, record, transitions
from .engine import Mismatch, NotFound
from .records import JobRecord, NewRun, NewSubmission, Once, Receipt, ReviewStep, RunRecord, SubmissionRecord, Waiting
from .schema import answers, audit, contributors, jobs, leases, outbox, reviews, runs, sessions, submissions, to_second

FORGOTTEN = "a:forgotten"  # what stands in place of the bucket of an address when its time is over

WORKER = "worker"  # the lease of who does what follows from the queue, one process at a time, over machines

STEP = 500  # so many rows a transaction: who writes meanwhile waits for one step, not for all


@dataclass(frozen=True, slots=True)
class QueueSize:
    """How many wait, by kind, and since when the oldest."""

    kinds: Mapping[str, int]
    oldest: str | None

    @property
    def total(self) -> int:
        """All of them."""
        return sum(self.kinds.values())


@dataclass(frozen=True, slots=True)
class Pruned:
    """How many rows forgot the bucket of an address, and how many answers and sessions went."""

    addresses: int
    answers: int
    sessions: int

    def __str__(self) -> str:
        return f"{self.addresses} addresses, {self.answers} answers, {self.sessions} sessions"


class Queue(StorePart):
    """What was sent and waits, or was decided."""

    def run(self, run_id: str) -> RunRecord | None:
        """A run report as it stands, with its history."""
        with self._database.read() as connection:
            return next(iter(as_they_stand(connection, RunRecord, signed(runs).where(runs.c.id == run_id))), None)

    def submission(self, submission_id: str) -> SubmissionRecord | None:
        """A submission as it stands, with its history."""
        wanted = signed(submissions).where(submissions.c.id == submission_id)
        with self._database.read() as connection:
            return next(iter(as_they_stand(connection, SubmissionRecord, wanted)), None)

    def sent_by(self, contributor_id: int, kind: type[R], *, limit: int, after: str = "") -> tuple[int, list[R]]:
        """How many reports or submissions a contributor sent, and at most `limit` of them, newest first.

        With `after`, only what was sent before the one of this id. Raises `NotFound` where they sent no such.
        """
        table = runs if kind is RunRecord else submissions
        own, its = table.c.contributor_id == contributor_id, table.c.id == after
        wanted = signed(table).where(own).order_by(table.c.created.desc(), table.c.id.desc()).limit(limit)
        with self._database.read() as connection:
            if after:
                if connection.execute(select(table.c.id).where(own & its)).first() is None:
                    raise NotFound("This contributor sent nothing of this id.")
                came = select(table.c.created).where(its).scalar_subquery()
                wanted = wanted.where((table.c.created < came) | ((table.c.created == came) & (table.c.id < after)))
            total = connection.scalar(select(func.count()).select_from(table).where(own))
            return total or 0, as_they_stand(connection, kind, wanted)

    def move(self, subject: str, to: str, *, by: str, **more: Any) -> None:
        """Decide about a run report or a submission. Raises `NotFound` or `Conflict`.

        `more` are the `reasons`, the `note`, the `version` that was looked at, and the columns that change with it.
        """
        with self._database.write() as connection:
            move(connection, subject, to, at=self._now(), by=by, **more)

    def add(self, new: NewRun | NewSubmission, once: Once | None) -> Receipt:
        """Store a run report as pending, or a submission as queued, once. Raises `Mismatch` or `Unavailable`.

        Of several at once with one key, one stores it; the others give its answer.
        """
        if once and (receipt := self._given(once)):
            return receipt
        its = transitions(new.id)
        by = "anonymous" if new.contributor_id is None else person(new.contributor_id)
        values = {field.name: getattr(new, field.name) for field in fields_of(new)} | {"state": its.first, "version": 1}
        try:
            with self._database.write() as connection:
                now = self._now()
                if once:
                    same = {"caller": once.caller, "key_hash": once.key_hash, "body_hash": once.body_hash}
                    row = {**same, "subject": new.id, "created": now, "answer": once.answer}
                    connection.execute(insert(answers), row)
                connection.execute(insert(its.table), values | {"created": now, "updated": now})
                record(connection, new.id, its.first, at=now, by=by, version=1)
        except IntegrityError:
            if once and (receipt := self._given(once)):
                return receipt
            raise
        return Receipt(new.id, to_second(now), once.answer if once else b"", fresh=True)

    def _given(self, once: Once) -> Receipt | None:
        """What was answered to this before. Raises `Mismatch` when that was to another body."""
        same = (answers.c.caller == once.caller) & (answers.c.key_hash == once.key_hash)
        for row in self._rows(select(answers).where(same)):
            if row.body_hash != once.body_hash:
                raise Mismatch("This idempotency key was used for another body.")
            return Receipt(row.subject, row.created, row.answer, fresh=False)
        return None

    def unscreened(self, limit: int) -> list[str]:
        """The ids of what no review agent has looked at as it stands, oldest first: at most `limit`."""
        same = (reviews.c.subject == runs.c.id) & (reviews.c.version == runs.c.version)
        unseen = (runs.c.state == RunState.PENDING) & reviews.c.id.is_(None)
        fresh_runs = select(runs.c.id, runs.c.created).outerjoin(reviews, same).where(unseen)
        queued = select(submissions.c.id, submissions.c.updated).where(submissions.c.state == SubmissionState.QUEUED)
        both = sa.union_all(fresh_runs, queued).subquery()
        return [row.id for row in self._rows(select(both.c.id).order_by(both.c.created, both.c.id).limit(limit))]

    def waiting(
        self, *, kind: str = "", playbook: str = "", limit: int = 200, offset: int = 0, after: str = ""
    ) -> list[Waiting]:
        """What an editor may decide about, oldest first. `kind` is `run` or a submission's kind.

        With `after`, only what came after the report or submission of this id.
        """
        both = _open()
        wanted = select(both).order_by(both.c.created, both.c.id).limit(limit).offset(offset)
        if playbook:
            wanted = wanted.where(both.c.playbook == playbook)
        if after:
            table = transitions(after).table
            came = select(table.c.created).where(table.c.id == after).scalar_subquery()
            wanted = wanted.where((both.c.created > came) | ((both.c.created == came) & (both.c.id > after)))
        if kind:
            wanted = wanted.where(both.c.kind == kind)
        rows = self._rows(wanted)
        screenings = select(reviews).where(reviews.c.subject.in_([row.id for row in rows])).order_by(reviews.c.version)
        advice = {row.subject: (row.advice, len(row.findings)) for row in self._rows(screenings)}
        screened = [advice.get(row.id, (None, 0)) for row in rows]
        return [as_record(Waiting, row, advice=a, findings=f) for row, (a, f) in zip(rows, screened, strict=True)]

    def lessons(self, ids: Sequence[str]) -> dict[str, tuple[str | None, str | None]]:
        """What each of these reports says in words: what was changed, and its lesson."""
        wanted = select(runs.c.id, runs.c.what_changed, runs.c.lesson).where(runs.c.id.in_(ids))
        return {row.id: (row.what_changed, row.lesson) for row in self._rows(wanted)}

    def texts_beside(self, subject: str, limit: int = 200) -> dict[str, tuple[str | None, str | None]]:
        """The two texts of what is open and of one sort, by id: a subject's, then those of the latest before it."""
        its, table = transitions(subject), transitions(subject).table
        texts = (runs.c.what_changed, runs.c.lesson) if its is RUNS else (submissions.c.title, submissions.c.body)
        came = select(table.c.created).where(table.c.id == subject).scalar_subquery()
        earlier = (table.c.state.in_(its.open)) & (table.c.created < came)
        own = select(table.c.id, *texts).where(table.c.id == subject)
        others = select(table.c.id, *texts).where(earlier).order_by(table.c.created.desc()).limit(limit)
        with self._database.read() as connection:
            rows = [*connection.execute(own), *connection.execute(others)]
        return {row[0]: (row[1], row[2]) for row in rows}

    def pending_runs(self, published: Collection[str]) -> dict[str, int]:
        """For each playbook, how many reports wait: pending, or approved and not among the `published` ids."""
        there = frozenset(published)
        waiting = runs.c.state.in_([RunState.PENDING, RunState.APPROVED])
        rows = self._rows(select(runs.c.id, runs.c.playbook, runs.c.state).where(waiting))
        counts = Counter(row.playbook for row in rows if row.state is RunState.PENDING or row.id not in there)
        return dict(sorted(counts.items()))

    def queue_size(self) -> QueueSize:
        """How much waits for an editor or the review agent, of what kinds, and since when."""
        both = _open()
        rows = self._rows(select(both.c.kind, func.count(), func.min(both.c.created)).group_by(both.c.kind))
        return QueueSize({row[0]: row[1] for row in sorted(rows)}, min((row[2] for row in rows), default=None))

    def outbox_waits(self) -> tuple[int, float]:
        """How many decisions wait to become files, and the seconds that the oldest has waited."""
        waits = outbox.c.state == OutboxState.WAITING
        [(number, oldest)] = self._rows(select(func.count(), func.min(outbox.c.created)).where(waits))
        return int(number), self._age(oldest)

    def figures(self) -> dict[str, dict[tuple[str, ...], float]]:
        """What an operator watches: numbers by their labels, of each figure by its name. Ages are in seconds."""
        became = self._rows(select(audit.c.became, func.count()).group_by(audit.c.became))
        size, (decisions, age) = self.queue_size(), self.outbox_waits()
        return {
            "records": {
                (name, row[0]): row[1]
                for name, table in (("run", runs), ("submission", submissions))
                for row in self._rows(select(table.c.state, func.count()).group_by(table.c.state))
            },
            "transitions": {(row[0],): row[1] for row in became},
            "queue": {(kind,): number for kind, number in size.kinds.items()},
            "queue_age_seconds": {(): self._age(size.oldest)},
            "outbox": {(): decisions},
            "outbox_age_seconds": {(): age},
            "job_failures": {(job.name,): job.failures for job in self.jobs().values()},
            "worker_up": {(): self.leased(WORKER) is not None},
        }

    def _age(self, moment: str | None) -> float:
        return max(0.0, (self._clock() - datetime.fromisoformat(moment)).total_seconds()) if moment else 0.0

    def prune(self, *, addresses_days: int, answers_days: int) -> Pruned:
        """Forget what is older than so many days. Twice is the same as once.

        Answers that are gone are not given again: a request that is repeated later is a new one. Neither the version
        nor the day of the last change moves where `FORGOTTEN` takes the place of a bucket.
        """
        old, older, ended = self._now(days=-addresses_days), self._now(days=-answers_days), self._now(days=-1)
        known = [(table, (table.c.created <= old) & (table.c.origin != FORGOTTEN)) for table in (runs, submissions)]
        done = Pruned(
            sum(self._change(table, due, sa.update(table).values(origin=FORGOTTEN)) for table, due in known),
            self._change(answers, answers.c.created <= older, sa.delete(answers)),
            self._change(sessions, sessions.c.expires <= ended, sa.delete(sessions)),
        )
        if done != Pruned(0, 0, 0):
            with self._database.write() as connection:
                record(connection, "store", "pruned", at=self._now(), by="operator", note=str(done))
        return done

    def _change(self, table: Table, due: sa.ColumnElement[bool], change: sa.Update | sa.Delete) -> int:
        """Change what is due, some rows a transaction; how many they are."""
        primary = list(table.primary_key.columns)
        step = change.where(sa.tuple_(*primary).in_(select(*primary).where(due).limit(STEP)))
        whole, done = 0, STEP
        while done == STEP:
            with self._database.write() as connection:
                done = connection.execute(step).rowcount
            whole += done
        return whole

    def lease(self, name: str, holder: str, seconds: int) -> bool:
        """Take or keep a lease for so long; False where another holder has it. It ends by itself."""
        late = leases.c.until > self._now(hours=1)  # nobody takes one for so long: a clock was ahead
        free = (leases.c.holder == holder) | (leases.c.until <= self._now()) | late
        row = {"holder": holder, "until": self._now(seconds=seconds)}
        with self._database.write() as connection:
            if connection.execute(update(leases).where(leases.c.name == name, free).values(**row)).rowcount:
                return True
            try:
                with connection.begin_nested():
                    connection.execute(insert(leases).values(name=name, **row))
            except IntegrityError:
                return False
            return True

    def release(self, name: str, holder: str) -> None:
        """Give a lease back before its time."""
        with self._database.write() as connection:
            connection.execute(delete(leases).where(leases.c.name == name, leases.c.holder == holder))

    def leased(self, name: str) -> str | None:
        """Who has a lease now."""
        wanted = select(leases.c.holder).where(leases.c.name == name, leases.c.until > self._now())
        return next((row.holder for row in self._rows(wanted)), None)

    def job_ended(self, name: str, said: str, *, failed: bool) -> int:
        """Note how a job ended; says how often in a row it failed."""
        with self._database.write() as connection:
            before = connection.scalar(select(jobs.c.failures).where(jobs.c.name == name))
            failures = (before or 0) + 1 if failed else 0
            row = {"ended": self._now(), "failures": failures, "said": said}
            change = insert(jobs).values(name=name) if before is None else update(jobs).where(jobs.c.name == name)
            connection.execute(change.values(**row))
        return failures

    def jobs(self) -> dict[str, JobRecord]:
        """What became of every job that ever ran, by its name."""
        return {found.name: found for found in self._records(JobRecord, select(jobs).order_by(jobs.c.name))}

    def did(self, job: str, since: date) -> bool:
        """Whether a job ended well since that day; what a clock that was ahead noted counts for nothing."""
        known = jobs.c.ended.between(since.isoformat(), self._now()) & (jobs.c.failures == 0)
        return bool(self._rows(select(jobs.c.name).where(known, jobs.c.name == job)))

    def last_change(self) -> int:
        """A number that grows with everything that is sent, screened or decided."""
        [(number,)] = self._rows(select(func.max(audit.c.id)))
        return int(number or 0)


def signed(table: Table) -> sa.Select[Any]:
    """Rows with their senders; of reports that were approved also when their file was written, and where to."""
    who = (contributors.c.handle.label("contributor"), contributors.c.created.label("contributor_since"))
    signed = select(table, *who).outerjoin_from(table, contributors)
    if table is not runs:
        return signed
    approval = runs.c.version - sa.case((runs.c.state == RunState.WITHDRAWN, 1), else_=0)
    written = (outbox.c.subject == runs.c.id) & (outbox.c.version == approval) & (outbox.c.state == OutboxState.WRITTEN)
    return signed.add_columns(outbox.c.done.label("filed"), outbox.c.went).outerjoin(outbox, written)


def as_they_stand(connection: Connection, kind: type[R], wanted: sa.Select[Any]) -> list[R]:
    """Records with their histories, of rows that `signed` gives."""
    rows = connection.execute(wanted).all()
    of_these = audit.c.subject.in_([row.id for row in rows]) & audit.c.version.is_not(None)
    steps: defaultdict[str, list[ReviewStep]] = defaultdict(list)
    for step in connection.execute(select(audit).where(of_these).order_by(audit.c.version)):
        steps[step.subject].append(as_record(ReviewStep, step, by=step.who, reasons=tuple(step.reasons)))
    return [as_record(kind, row, history=tuple(steps[row.id])) for row in rows]


def _open() -> sa.Subquery:
    parts = []
    sorts = (RUNS, sa.literal("run"), runs.c.outcome), (SUBMISSIONS, submissions.c.kind, submissions.c.title)
    for its, kind, title in sorts:
        table = its.table.c
        common = (table.id, table.playbook, table.agent, table.version, table.created)
        named = (kind.label("kind"), title.label("title"), sa.type_coerce(table.state, sa.Text).label("state"))
        row = select(*common, *named, contributors.c.handle.label("contributor"))
        parts.append(row.outerjoin_from(its.table, contributors).where(table.state.in_(its.open)))
    return sa.union_all(*parts).subquery()
