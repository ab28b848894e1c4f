"""The store: contributors, keys and the queue, on SQLite or PostgreSQL. The only place that knows of a database."""

from collections.abc import Callable
from datetime import datetime
from pathlib import Path

from sqlalchemy import make_url
from sqlalchemy.exc import ArgumentError

from library.problems import UsageError

from .backup import Backups
from .contributors import Contributors
from .engine import PostgresDatabase, SqliteDatabase
from .queue import Queue
from .reviews import Reviews


class Store(Contributors, Queue, Reviews, Backups):
    """Everything that is kept. Threads may share one; a forked process makes its own connections by itself.

    Every method may raise `Unavailable`. What a method that writes has returned from is on the disk.
    """

    def __init__(self, url: str, *, clock: Callable[[], datetime], wait: float = 10.0) -> None:
        super().__init__(_database(url, wait), clock)
        self.folder = self._database.folder

    def close(self) -> None:
        """End this process's connections."""
        self._database.close()

    def describe(self) -> str:
        """What is used, for the report at start-up; without credentials."""
        return self._database.describe()


def _database(url: str, wait: float) -> SqliteDatabase | PostgresDatabase:
    """The database at an address. Raises `UsageError`, which never repeats the address: it may hold a password."""
    try:
        parsed = make_url(url.replace("postgres://", "postgresql://", 1))
    except ArgumentError:
        raise UsageError("The address of the database cannot be read: sqlite:////path or postgresql://…") from None
    kind = parsed.get_backend_name()
    if kind == "postgresql":
        return PostgresDatabase(parsed, wait)
    if kind == "sqlite" and parsed.database and not parsed.database.startswith((":memory:", "file:")):
        return SqliteDatabase(Path(parsed.database).absolute(), wait)
    raise UsageError("The database must be a file of SQLite (sqlite:////path) or PostgreSQL (postgresql://…).")
