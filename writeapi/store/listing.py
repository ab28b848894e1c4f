"""What waits, as editors and the review agent read it: the queue, its size, and the texts of what is in it."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from sqlalchemy import Connection, Row, Select, Table, and_, func, literal, or_, select, union_all

from .base import StorePart, shown
from .records import QueueSize, Waiting
from .schema import contributors, reviews, runs, submissions
from .states import OPEN_RUNS, OPEN_SUBMISSIONS, RUN_MOVES, SUBMISSION_MOVES


class QueueListing(StorePart):
    """What waits for somebody to decide."""

    def waiting(
        self, *, kind: str = "", playbook: str = "", limit: int = 200, offset: int = 0, after: str = ""
    ) -> list[Waiting]:
        """What an editor may decide about, oldest first. `kind` is `run` or a submission's kind.

        With `after`, only what came after the report or submission of this id.
        """
        both = _waiting(playbook).subquery()
        wanted = select(both).order_by(both.c.created, both.c.id).limit(limit).offset(offset)
        if after:
            table = machine(after)[0]
            came = select(table.c.created).where(table.c.id == after).scalar_subquery()
            wanted = wanted.where(or_(both.c.created > came, and_(both.c.created == came, both.c.id > after)))
        with self._database.read() as connection:
            found = connection.execute(wanted.where(both.c.kind == kind) if kind else wanted).all()
            advice = _advice(connection, [row.id for row in found])
        return [_row(row, advice.get(row.id)) for row in found]

    def told(self, ids: Sequence[str]) -> dict[str, tuple[str | None, str | None]]:
        """What each of these reports says in words: what was changed, and its lesson."""
        wanted = select(runs.c.id, runs.c.what_changed, runs.c.lesson).where(runs.c.id.in_(ids))
        with self._database.read() as connection:
            return {row.id: (row.what_changed, row.lesson) for row in connection.execute(wanted)}

    def queue_size(self) -> QueueSize:
        """How much waits for an editor or the review agent, of what kinds, and since when."""
        both = _waiting("").subquery()
        with self._database.read() as connection:
            rows = connection.execute(
                select(both.c.kind, func.count(), func.min(both.c.created)).group_by(both.c.kind)
            ).all()
        oldest = min((row[2] for row in rows), default=None)
        return QueueSize({row[0]: row[1] for row in sorted(rows)}, oldest and shown(oldest))

    def texts_beside(self, subject: str, limit: int = 200) -> dict[str, tuple[str | None, str | None]]:
        """The two texts of what is open and of one sort, by id: a subject's, then those of the latest before it."""
        table, _, states = machine(subject)
        texts = (runs.c.what_changed, runs.c.lesson) if table is runs else (submissions.c.title, submissions.c.body)
        came = select(table.c.created).where(table.c.id == subject).scalar_subquery()
        earlier = (table.c.state.in_(states)) & (table.c.created < came)
        own = select(table.c.id, *texts).where(table.c.id == subject)
        others = select(table.c.id, *texts).where(earlier).order_by(table.c.created.desc()).limit(limit)
        with self._database.read() as connection:
            rows = [*connection.execute(own), *connection.execute(others)]
        return {row[0]: (row[1], row[2]) for row in rows}


def _waiting(playbook: str) -> Select[Any] | Any:  # noqa: ANN401 - SQLAlchemy's compound selects
    """Open runs and submissions as rows of one shape."""
    of_runs = select(
        runs.c.id, literal("run").label("kind"), runs.c.outcome.label("title"), runs.c.playbook, runs.c.agent,
        runs.c.state, runs.c.version, runs.c.created, contributors.c.handle.label("contributor"),
    ).outerjoin_from(runs, contributors).where(runs.c.state.in_(OPEN_RUNS))  # fmt: skip
    of_submissions = select(
        submissions.c.id, submissions.c.kind, submissions.c.title, submissions.c.playbook, submissions.c.agent,
        submissions.c.state, submissions.c.version, submissions.c.created, contributors.c.handle.label("contributor"),
    ).outerjoin_from(submissions, contributors).where(submissions.c.state.in_(OPEN_SUBMISSIONS))  # fmt: skip
    if playbook:
        of_runs = of_runs.where(runs.c.playbook == playbook)
        of_submissions = of_submissions.where(submissions.c.playbook == playbook)
    return union_all(of_runs, of_submissions)


def _advice(connection: Connection, subjects: Sequence[str]) -> dict[str, tuple[str, int]]:
    """For each subject the advice of its last screening, and how many findings it had."""
    rows = connection.execute(select(reviews).where(reviews.c.subject.in_(subjects)).order_by(reviews.c.version)).all()
    return {row.subject: (row.advice, len(row.findings)) for row in rows}


def _row(row: Row[Any], advice: tuple[str, int] | None) -> Waiting:
    return Waiting(
        row.id, row.kind, row.title, row.playbook, row.agent, row.state, row.version, shown(row.created),
        row.contributor, advice[0] if advice else None, advice[1] if advice else 0,
    )  # fmt: skip


def machine(subject: str) -> tuple[Table, Any, frozenset[str]]:
    """The table of a subject, by its id, the moves of its states, and those states in which it waits."""
    if subject.startswith("run_"):
        return runs, RUN_MOVES, OPEN_RUNS
    return submissions, SUBMISSION_MOVES, OPEN_SUBMISSIONS
