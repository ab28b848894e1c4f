"""The outbox in the store: what was decided and has to become a file, and how far that is."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from typing import Any

from sqlalchemy import Row, Select, select, update

from .base import StorePart, shown, shown_or_none
from .moves import move
from .queue import submission_of, there
from .records import OutboxEntry, SubmissionRecord
from .schema import outbox, submissions
from .states import SUBMISSION_MOVES

PUBLISHER = "publisher"


class Outbox(StorePart):
    """From a decision to the content. An entry is written once; its transitions are those of its subject."""

    def outbox(self, *states: str, subject: str = "") -> list[OutboxEntry]:
        """The entries in these states (all, when none is named), in the order of the decisions."""
        wanted = select(outbox).order_by(outbox.c.id)
        if states:
            wanted = wanted.where(outbox.c.state.in_(states))
        if subject:
            wanted = wanted.where(outbox.c.subject == subject)
        with self._database.read() as connection:
            return [_entry(row) for row in connection.execute(wanted)]

    def written(self, entries: Sequence[OutboxEntry], went: str) -> bool:
        """Note that these were written, and where they went; False when a decision took one back meanwhile."""
        ids = [entry.id for entry in entries]
        waits = outbox.c.id.in_(ids) & (outbox.c.state == "waiting")
        with self._database.write() as connection:
            done = connection.execute(update(outbox).where(waits).values(state="written", done=self._now(), went=went))
        return done.rowcount == len(ids)

    def accepted(self) -> list[tuple[SubmissionRecord, list[OutboxEntry]]]:
        """Every accepted submission with the entries of its acceptance, oldest first."""
        named = select(submissions.c.id).where(submissions.c.state == "accepted").order_by(submissions.c.updated)
        with self._database.read() as connection:
            found = [there(submission_of(connection, name)) for name in connection.scalars(named).all()]
            return [(item, [_entry(row) for row in connection.execute(_of(item))]) for item in found]

    def orphans(self) -> list[OutboxEntry]:
        """Entries that were written, of submissions that are not accepted or published any more."""
        kept = ("accepted", "published")
        wanted = (
            select(outbox)
            .join(submissions, submissions.c.id == outbox.c.subject)
            .where(outbox.c.state == "written", submissions.c.state.not_in(kept))
            .order_by(outbox.c.id)
        )
        with self._database.read() as connection:
            return [_entry(row) for row in connection.execute(wanted)]

    def retracted(self, entry: OutboxEntry, went: str) -> None:
        """Note that what is not decided any more was taken out again, or why it could not be."""
        was = (outbox.c.id == entry.id) & outbox.c.state.in_(["written", "cancelled"])
        with self._database.write() as connection:
            connection.execute(update(outbox).where(was).values(state="cancelled", went=went))

    def send_back(
        self, subject: str, version: int, *, reasons: Collection[str], by: str, note: str | None = None
    ) -> None:
        """Return an accepted submission to the editors; what waits of it is not written. Raises `Conflict`."""
        with self._database.write() as connection:
            at = self._now()
            move(
                connection, submissions, SUBMISSION_MOVES, subject, "screened",
                at=at, by=by, reasons=reasons, note=note, version=version,
            )  # fmt: skip

    def published(self, subject: str, version: int, place: str) -> None:
        """Note that an accepted submission is in the built content, at the address `place`. Raises `Conflict`."""
        with self._database.write() as connection:
            at = self._now()
            fields = {"place": place}
            move(
                connection, submissions, SUBMISSION_MOVES, subject, "published",
                at=at, by=PUBLISHER, version=version, fields=fields,
            )  # fmt: skip


def _of(submission: SubmissionRecord) -> Select[Any]:
    same = (outbox.c.subject == submission.id) & (outbox.c.version == submission.version)
    return select(outbox).where(same).order_by(outbox.c.id)


def _entry(row: Row[Any]) -> OutboxEntry:
    return OutboxEntry(
        row.id, row.subject, row.version, row.file, row.text, row.base, row.state,
        shown(row.created), shown_or_none(row.done), row.went,
    )  # fmt: skip
