"""The outbox in the store: what was decided and has to become a file, and how far that is."""

from collections.abc import Sequence

from sqlalchemy import Connection, select, update

from library.records.vocabulary import OutboxState, SubmissionState

from .base import StorePart, as_record, existing
from .queue import submission_of
from .records import OutboxEntry, SubmissionRecord
from .schema import outbox, submissions

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
        return self._records(OutboxEntry, wanted)

    def written(self, entries: Sequence[OutboxEntry], went: str) -> bool:
        """Note that these were written, and where they went; False when a decision took one back meanwhile."""
        ids = [entry.id for entry in entries]
        waits = outbox.c.id.in_(ids) & (outbox.c.state == OutboxState.WAITING)
        noted = {"state": OutboxState.WRITTEN, "done": self._now(), "went": went}
        with self._database.write() as connection:
            return connection.execute(update(outbox).where(waits).values(**noted)).rowcount == len(ids)

    def accepted(self) -> list[tuple[SubmissionRecord, list[OutboxEntry]]]:
        """Every accepted submission with the entries of its acceptance, oldest first."""
        is_accepted = submissions.c.state == SubmissionState.ACCEPTED
        named = select(submissions.c.id).where(is_accepted).order_by(submissions.c.updated)
        with self._database.read() as connection:
            items = [existing(submission_of(connection, name)) for name in connection.scalars(named).all()]
            return [(item, _accepted_as(connection, item)) for item in items]

    def orphans(self) -> list[OutboxEntry]:
        """Entries that were written, of submissions that are not accepted or published any more."""
        alive = (SubmissionState.ACCEPTED, SubmissionState.PUBLISHED)
        wanted = (
            select(outbox)
            .join(submissions, submissions.c.id == outbox.c.subject)
            .where(outbox.c.state == OutboxState.WRITTEN, submissions.c.state.not_in(alive))
            .order_by(outbox.c.id)
        )
        return self._records(OutboxEntry, wanted)

    def retracted(self, entry: OutboxEntry, went: str) -> None:
        """Note that what is not decided any more was taken out again, or why it could not be."""
        was = (outbox.c.id == entry.id) & outbox.c.state.in_([OutboxState.WRITTEN, OutboxState.CANCELLED])
        with self._database.write() as connection:
            connection.execute(update(outbox).where(was).values(state=OutboxState.CANCELLED, went=went))


def _accepted_as(connection: Connection, item: SubmissionRecord) -> list[OutboxEntry]:
    same = (outbox.c.subject == item.id) & (outbox.c.version == item.version)
    rows = connection.execute(select(outbox).where(same).order_by(outbox.c.id))
    return [as_record(OutboxEntry, row) for row in rows]
