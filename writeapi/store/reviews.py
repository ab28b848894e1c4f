"""Review in the store: what was screened, editors' drafts, decisions, and the outbox from a decision to the content."""

from collections.abc import Collection, Mapping, Sequence
from dataclasses import asdict, replace

from sqlalchemy import Connection, delete, func, insert, select, update
from sqlalchemy.exc import IntegrityError

from library.records.vocabulary import OutboxState, RunState, SubmissionState

from .base import StorePart, as_record, move, record, send, transitions
from .engine import Conflict, NotFound
from .queue import as_they_stand, signed
from .records import DraftFile, Finding, NewSubmission, OutboxEntry, Review, ReviewStep, SavedDraft, SubmissionRecord
from .schema import audit, contributors, drafts, outbox, reviews, runs, submissions

REVIEW_AGENT = "review-agent"
PUBLISHER = "publisher"
PROMOTED = "promoted"
"""A step of a report that changes neither its state nor its version; its note is the id of the submission."""


class Reviews(StorePart):
    """What reviewers and editors know and do; an entry of the outbox is written once, and follows its subject."""

    def screened(self, review: Review, *, reject: bool, reasons: Collection[str] = ()) -> None:
        """Keep what the review agent found. A submission becomes screened, or rejected; a run waits on, or is rejected.

        Raises `NotFound` or `Conflict`: what was screened is not what stands there now, or another agent screened it.
        """
        subject, version = review.subject, review.version
        of_run = transitions(subject).table is runs
        found = [asdict(finding) for finding in review.findings]
        values = {"subject": subject, "version": version, "advice": review.advice, "findings": found}
        try:
            with self._database.write() as connection:
                at = self._now()
                if reject or not of_run:
                    rejected = RunState.REJECTED if of_run else SubmissionState.REJECTED
                    to = rejected if reject else SubmissionState.SCREENED
                    move(connection, subject, to, at=at, by=REVIEW_AGENT, reasons=reasons, version=version)
                else:
                    same = (runs.c.id == subject) & (runs.c.version == version)
                    if connection.scalar(select(runs.c.state).where(same)) is not RunState.PENDING:
                        raise Conflict("It was decided meanwhile.")
                connection.execute(insert(reviews).values(**values, at=at))
        except IntegrityError as error:
            raise Conflict("It was screened meanwhile.") from error

    def review(self, subject: str) -> Review | None:
        """The last screening of a run or a submission."""
        last = select(reviews).where(reviews.c.subject == subject).order_by(reviews.c.version.desc()).limit(1)
        for row in self._rows(last):
            return as_record(Review, row, findings=tuple(Finding(**finding) for finding in row.findings))
        return None

    def steps(self, subject: str) -> tuple[ReviewStep, ...]:
        """Everything that happened to a run or a submission, oldest first, editors by their handles."""
        wanted = select(audit).where(audit.c.subject == subject).order_by(audit.c.id)
        with self._database.read() as connection:
            rows = connection.execute(wanted).all()
            names = {row.id: row.handle for row in connection.execute(select(contributors.c.id, contributors.c.handle))}
        steps: list[ReviewStep] = []
        for row in rows:  # one without a version changed nothing of the row itself
            version = row.version or (steps[-1].version if steps else 0)
            steps.append(ReviewStep(row.became, row.at, _name(row.who, names), tuple(row.reasons), row.note, version))
        return tuple(steps)

    def promoted(self, run_id: str) -> str | None:
        """The submission that was made of a report's lesson; None where there is none that was not rejected since."""
        with self._database.read() as connection:
            return _promoted(connection, run_id)

    def draft(self, subject: str) -> SavedDraft | None:
        """What an editor made of a submission so far."""
        for row in self._rows(select(drafts).where(drafts.c.subject == subject)):
            return SavedDraft(tuple(DraftFile(**file) for file in row.files), row.revision, row.who, row.at)
        return None

    def save_draft(self, subject: str, files: Sequence[DraftFile], revision: int, *, by: str, version: int) -> int:
        """Keep a draft in place of the one of that `revision` (0: of none); says its own.

        `version` is that of the submission whose text it was made of. Raises `Conflict`.
        """
        try:
            with self._database.write() as connection:
                # Locked: whoever decides about the submission meanwhile sees this draft, or is seen here.
                now = select(submissions.c.version).where(submissions.c.id == subject).with_for_update()
                if connection.scalar(now) != version:
                    raise Conflict("It was changed meanwhile.")
                values = {"files": [asdict(file) for file in files], "who": by, "at": self._now()}
                if not revision:
                    connection.execute(insert(drafts).values(subject=subject, revision=1, **values))
                    return 1
                same = (drafts.c.subject == subject) & (drafts.c.revision == revision)
                if connection.execute(update(drafts).where(same).values(revision=revision + 1, **values)).rowcount == 1:
                    return revision + 1
        except IntegrityError:  # there is one already
            pass
        raise Conflict("Its draft was saved or dropped meanwhile.")

    def accept(
        self, subject: str, files: Sequence[DraftFile], *, by: str, version: int, revision: int = 0, note: str = ""
    ) -> None:
        """Accept a submission as these files; the outbox has them from then on, and no draft is left.

        `revision` is that of the saved draft that was looked at (0: none was). Raises `NotFound` or `Conflict`.
        """
        with self._database.write() as connection:
            at = self._now()
            move(connection, subject, SubmissionState.ACCEPTED, at=at, by=by, note=note or None, version=version)
            saved = delete(drafts).where(drafts.c.subject == subject).returning(drafts.c.revision)
            if (connection.scalar(saved) or 0) != revision:
                raise Conflict("Its draft was saved or dropped meanwhile.")
            send(connection, subject, version + 1, files, at=at)

    def approve_runs(
        self, chosen: Sequence[tuple[str, int]], *, by: str, notes: Mapping[str, str | None] | None = None
    ) -> dict[str, str]:
        """Approve reports as they were looked at, (id, version) each, in one transaction; `notes` are kept by id.

        Says of each that could not be approved why; the others are.
        """
        refused: dict[str, str] = {}
        with self._database.write() as connection:
            at = self._now()
            for name, version in sorted(chosen):  # in one order for all, or two editors may wait for each other
                try:
                    note = (notes or {}).get(name)
                    move(connection, name, RunState.APPROVED, at=at, by=by, note=note, version=version)
                except Conflict as error:
                    refused[name] = str(error)
        return refused

    def promote_run(
        self, run_id: str, version: int, new: NewSubmission, files: Sequence[DraftFile], *, by: str, note: str
    ) -> None:
        """Approve a report, if it waits, and accept what an editor made of its lesson, as a submission of its sender.

        All of it or nothing. Raises `NotFound` or `Conflict`.
        """
        with self._database.write() as connection:
            at = self._now()
            one_at_a_time = select(runs.c.state, runs.c.version).where(runs.c.id == run_id).with_for_update()
            run = connection.execute(one_at_a_time).first()
            if run is None:
                raise NotFound("There is no such record.")
            if made := _promoted(connection, run_id):
                raise Conflict(f"It was promoted already, to {made}.")
            if run.version != version or run.state not in (RunState.PENDING, RunState.APPROVED):
                raise Conflict("It was changed meanwhile.")
            if run.state is RunState.PENDING:
                move(connection, run_id, RunState.APPROVED, at=at, by=by, version=version)
            began = {"state": SubmissionState.SCREENED, "version": 1, "created": at, "updated": at}
            connection.execute(insert(submissions).values(**asdict(new), **began))
            record(connection, new.id, SubmissionState.SCREENED, at=at, by=by, version=1, note=note)
            move(connection, new.id, SubmissionState.ACCEPTED, at=at, by=by, version=1)
            send(connection, new.id, 2, files, at=at)
            record(connection, run_id, PROMOTED, at=at, by=by, note=new.id)

    def withdraw_playbook(
        self, subject: str, files: Sequence[DraftFile], *, by: str, reasons: Collection[str], note: str
    ) -> None:
        """Send a playbook's tombstone to the content, as a step of `playbook:<slug>`. Raises `Conflict`."""
        waits = select(outbox.c.id).where(outbox.c.subject == subject, outbox.c.state == OutboxState.WAITING)
        last = select(func.max(audit.c.version)).where(audit.c.subject == subject)
        try:
            with self._database.write() as connection:
                at = self._now()
                version = (connection.scalar(last) or 0) + 1  # asked first: whoever is between takes this number
                if connection.execute(waits).first():
                    raise Conflict("It was withdrawn already, and waits for publishing.")
                record(
                    connection, subject, SubmissionState.WITHDRAWN,
                    at=at, by=by, was=SubmissionState.PUBLISHED, version=version, reasons=reasons, note=note,
                )  # fmt: skip
                send(connection, subject, version, files, at=at)
        except IntegrityError:
            raise Conflict("Another editor withdrew it meanwhile.") from None

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

    def rebased(self, entry: OutboxEntry, text: str, base: str, original: str) -> OutboxEntry:
        """Let an entry that waits be a change of a newer file: its text with that of others, and what it rests on."""
        waits = (outbox.c.id == entry.id) & (outbox.c.state == OutboxState.WAITING)
        with self._database.write() as connection:
            connection.execute(update(outbox).where(waits).values(text=text, base=base, original=original))
        return replace(entry, text=text, base=base, original=original)

    def accepted(self) -> list[tuple[SubmissionRecord, list[OutboxEntry]]]:
        """Every accepted submission with the entries of its acceptance, oldest first."""
        is_accepted = submissions.c.state == SubmissionState.ACCEPTED
        oldest_first = signed(submissions).where(is_accepted).order_by(submissions.c.updated)
        with self._database.read() as connection:
            items = as_they_stand(connection, SubmissionRecord, oldest_first)
            same = (outbox.c.subject == submissions.c.id) & (outbox.c.version == submissions.c.version)
            wanted = select(outbox).join(submissions, same).where(is_accepted).order_by(outbox.c.id)
            entries = [as_record(OutboxEntry, row) for row in connection.execute(wanted)]
        return [(item, [entry for entry in entries if entry.subject == item.id]) for item in items]

    def orphans(self) -> list[OutboxEntry]:
        """Entries that were written, of submissions that are not accepted or published any more."""
        alive = (SubmissionState.ACCEPTED, SubmissionState.PUBLISHED)
        ended = (outbox.c.state == OutboxState.WRITTEN) & submissions.c.state.not_in(alive)
        wanted = select(outbox).join(submissions, submissions.c.id == outbox.c.subject).where(ended)
        return self._records(OutboxEntry, wanted.order_by(outbox.c.id))

    def retracted(self, entry: OutboxEntry, went: str) -> None:
        """Note that what is not decided any more was taken out again, or why it could not be."""
        was = (outbox.c.id == entry.id) & outbox.c.state.in_([OutboxState.WRITTEN, OutboxState.CANCELLED])
        with self._database.write() as connection:
            connection.execute(update(outbox).where(was).values(state=OutboxState.CANCELLED, went=went))


def _promoted(connection: Connection, run_id: str) -> str | None:
    ended = (SubmissionState.REJECTED, SubmissionState.WITHDRAWN)
    made = (audit.c.subject == run_id) & (audit.c.became == PROMOTED) & submissions.c.state.not_in(ended)
    return connection.scalar(select(submissions.c.id).join(audit, audit.c.note == submissions.c.id).where(made))


def _name(who: str, names: dict[int, str]) -> str:
    role, _, number = who.rpartition(":")
    if not number.isdigit():
        return who
    handle = names.get(int(number), number)
    return handle if role == "c" else f"{role.removesuffix(':c')} {handle}"
