"""What waits and how much there is, as editors, the review agent and whoever looks after the service read it."""

from collections import Counter
from collections.abc import Collection, Sequence
from datetime import datetime

from sqlalchemy import Column, Text, and_, func, literal, or_, select, type_coerce, union_all
from sqlalchemy.sql.selectable import Subquery

from library.records.vocabulary import OutboxState, RunState, SubmissionState

from .base import StorePart, as_record
from .records import Figures, QueueSize, Waiting
from .schema import audit, contributors, outbox, reviews, runs, submissions
from .transitions import RUNS, SUBMISSIONS, transitions


class QueueReads(StorePart):
    """What waits for somebody, and counts and ages of what is there."""

    def unscreened(self, limit: int) -> list[str]:
        """The ids of what no review agent has looked at as it stands, oldest first: at most `limit`."""
        same = (reviews.c.subject == runs.c.id) & (reviews.c.version == runs.c.version)
        fresh_runs = (
            select(runs.c.id, runs.c.created)
            .outerjoin(reviews, same)
            .where(runs.c.state == RunState.PENDING, reviews.c.id.is_(None))
        )
        queued = select(submissions.c.id, submissions.c.updated).where(submissions.c.state == SubmissionState.QUEUED)
        both = union_all(fresh_runs, queued).subquery()
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
            wanted = wanted.where(or_(both.c.created > came, and_(both.c.created == came, both.c.id > after)))
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
        its = transitions(subject)
        table = its.table
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

    def figures(self) -> Figures:
        """What an operator watches."""
        states = {
            (name, row[0]): int(row[1])
            for name, table in (("run", runs), ("submission", submissions))
            for row in self._rows(select(table.c.state, func.count()).group_by(table.c.state))
        }
        became = self._rows(select(audit.c.became, func.count()).group_by(audit.c.became))
        size = self.queue_size()
        waits = self.outbox_waits()
        return Figures(states, {row[0]: row[1] for row in became}, dict(size.kinds), self._age(size.oldest), *waits)

    def _age(self, moment: str | None) -> float:
        if moment is None:
            return 0.0
        return max(0.0, (self._clock() - datetime.fromisoformat(moment)).total_seconds())


def _open() -> Subquery:
    """Open runs and submissions as rows of one shape."""
    parts = []
    for its, kind, title in (
        (RUNS, literal("run"), runs.c.outcome),
        (SUBMISSIONS, submissions.c.kind, submissions.c.title),
    ):
        common: list[Column[object]] = [its.table.c[name] for name in ("id", "playbook", "agent", "version", "created")]
        named = (kind.label("kind"), title.label("title"), type_coerce(its.table.c.state, Text).label("state"))
        row = select(*common, *named, contributors.c.handle.label("contributor"))
        parts.append(row.outerjoin_from(its.table, contributors).where(its.table.c.state.in_(its.open)))
    return union_all(*parts).subquery()
