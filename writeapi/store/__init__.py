"""The store: contributors, keys and the queue, on SQLite or PostgreSQL. The only place that knows of a database."""

from collections.abc import Callable
from datetime import datetime
from pathlib import Path

from sqlalchemy import make_url, select
from sqlalchemy.exc import ArgumentError

from library.problems import UsageError

from .backup import Backup, NotBackedUp, NotRestored, back_up, compare, put_back
from .base import record
from .contributors import Contributors
from .engine import Database
from .errors import Conflict, HandleTaken, Mismatch, NotFound, StoreError, Unavailable
from .migrate import VERSIONS, migrate
from .outbox import PUBLISHER, Outbox
from .postgres import PostgresDatabase
from .prune import Pruned, Pruning
from .queue import Queue
from .queue_reads import QueueReads
from .records import (
    DraftFile,
    Figures,
    Finding,
    HistoryRow,
    Key,
    Member,
    NewFile,
    NewRun,
    NewSubmission,
    Once,
    OutboxEntry,
    QueueSize,
    Receipt,
    Review,
    ReviewStep,
    RunRecord,
    SavedDraft,
    Session,
    SubmissionRecord,
    Waiting,
)
from .reviews import REVIEW_AGENT, Reviews
from .schema import REVISION
from .sqlite import LOG_LIMIT, SqliteDatabase

__all__ = [
    "PUBLISHER",
    "REVIEW_AGENT",
    "Backup",
    "Conflict",
    "DraftFile",
    "Figures",
    "Finding",
    "HandleTaken",
    "HistoryRow",
    "Key",
    "Member",
    "Mismatch",
    "NewFile",
    "NewRun",
    "NewSubmission",
    "NotBackedUp",
    "NotFound",
    "NotRestored",
    "Once",
    "OutboxEntry",
    "Pruned",
    "QueueSize",
    "Receipt",
    "Review",
    "ReviewStep",
    "RunRecord",
    "SavedDraft",
    "Session",
    "Store",
    "StoreError",
    "SubmissionRecord",
    "Unavailable",
    "Waiting",
]


class Store(Contributors, Queue, QueueReads, Reviews, Outbox, Pruning):
    """Everything that is kept. Threads may share one; a forked process makes its own connections by itself.

    Every method may raise `Unavailable`. What a method that writes has returned from is on the disk.
    """

    def __init__(
        self, url: str, *, clock: Callable[[], datetime], wait: float = 10.0, log_limit: int = LOG_LIMIT
    ) -> None:
        super().__init__(_database(url, wait, log_limit), clock)

    def migrate(self) -> None:
        """Make the database, or bring it to the newest schema; several processes may do so at once."""
        migrate(self._database)

    def back_up(self, path: Path) -> Backup:
        """Write the store as it is at one moment to one file, read it again, and only then give it its name.

        Writers go on meanwhile. Raises `NotBackedUp`.
        """
        return back_up(self._database, path)

    def restore(self, path: Path, *, force: bool = False) -> Backup:
        """Make the store what a backup holds, brought to the newest schema; says what it held.

        Raises `NotRestored` before anything is changed: for a file that is damaged or of the other engine, and, without
        `force`, for a store that holds anything or is in use.
        """
        expected = put_back(self._database, path, force=force)
        self.migrate()
        compare(self._database, expected)
        self.ready()
        return expected

    def close(self) -> None:
        """End this process's connections."""
        self._database.close()

    def describe(self) -> str:
        """What is used, for the report at start-up; without credentials."""
        return self._database.describe()

    @property
    def folder(self) -> Path | None:
        """Where SQLite lies on this machine; None for PostgreSQL."""
        return self._database.folder

    def ready(self) -> None:
        """Raise `Unavailable` unless the database stands at the newest schema, reads and writes."""
        with self._database.write() as connection:
            found = connection.scalar(select(VERSIONS.c.version_num))
            if found != REVISION:
                raise Unavailable(f"The database stands at migration {found}, and {REVISION} is needed.")
            trial = connection.begin_nested()
            record(connection, "ready", "tried", at=self._now(), by="ready")
            trial.rollback()


def _database(url: str, wait: float, log_limit: int) -> Database:
    """The database at an address. Raises `UsageError`, which never repeats the address: it may hold a password."""
    try:
        parsed = make_url(url.replace("postgres://", "postgresql://", 1))
    except ArgumentError:
        raise UsageError("The address of the database cannot be read: sqlite:////path or postgresql://…") from None
    kind = parsed.get_backend_name()
    if kind == "postgresql":
        return PostgresDatabase(parsed, wait)
    if kind == "sqlite" and parsed.database and not parsed.database.startswith((":memory:", "file:")):
        return SqliteDatabase(Path(parsed.database).absolute(), wait, log_limit)
    raise UsageError("The database must be a file of SQLite (sqlite:////path) or PostgreSQL (postgresql://…).")
