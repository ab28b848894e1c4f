"""A database as the store uses it: read and write transactions, and errors in the store's own words."""

import os
import sqlite3
from abc import ABC, abstractmethod
from collections.abc import Iterator
from contextlib import AbstractContextManager, contextmanager
from pathlib import Path

from sqlalchemy import Connection, Engine
from sqlalchemy.exc import DBAPIError, InternalError, OperationalError
from sqlalchemy.exc import TimeoutError as PoolTimeout

from .errors import Unavailable

NO_ANSWER = "The database cannot take this now."
DAMAGED = "The file of the database is damaged, or is none: `playbooks restore --force` brings a backup back."
_DAMAGE = frozenset({sqlite3.SQLITE_CORRUPT, sqlite3.SQLITE_NOTADB})
_NO_TABLE = "42P01"  # PostgreSQL's code


class Database(ABC):
    """One database. Connections are made when they are needed, and never shared with a forked process."""

    def __init__(self, wait: float) -> None:
        self.wait = wait
        self._engines: dict[int, Engine] = {}

    @property
    def engine(self) -> Engine:
        """This process's engine. A parent's stays referenced: to collect it would end the parent's connections."""
        process = os.getpid()
        found = self._engines.get(process)
        return found if found is not None else self._engines.setdefault(process, self._make_engine())

    @contextmanager
    def read(self) -> Iterator[Connection]:
        """A transaction that only reads. Raises `Unavailable`."""
        with refusals(), self.engine.connect() as connection, connection.begin():
            yield connection

    @property
    def folder(self) -> Path | None:
        """Where it lies on this machine; None when a server keeps it."""
        return None

    def close(self) -> None:
        """End all connections of this process; the next transaction makes new ones."""
        engine = self._engines.pop(os.getpid(), None)
        if engine is not None:
            engine.dispose()

    @abstractmethod
    def write(self) -> AbstractContextManager[Connection]:
        """A transaction that writes. What is written is on the disk when it ends. Raises `Unavailable`."""

    @abstractmethod
    def migrating(self) -> AbstractContextManager[Connection]:
        """A write transaction that waits long and that one process has at a time; makes the database if needed."""

    @abstractmethod
    def describe(self) -> str:
        """What it is and how it is used, without credentials."""

    @abstractmethod
    def _make_engine(self) -> Engine: ...


@contextmanager
def refusals() -> Iterator[None]:
    """Turn what a database that is away, locked, full or damaged says into `Unavailable`."""
    try:
        yield
    except PoolTimeout as error:
        raise Unavailable("All connections to the database are in use.") from error
    except (DBAPIError, sqlite3.Error) as error:
        if _away(error):
            raise Unavailable(DAMAGED if is_damaged(error) else NO_ANSWER) from error
        raise


def is_damaged(error: DBAPIError | sqlite3.Error) -> bool:
    """Whether the file of a database is the reason."""
    cause = error.orig if isinstance(error, DBAPIError) else error
    return (getattr(cause, "sqlite_errorcode", 0) & 0xFF) in _DAMAGE  # what is above says more of the same


def _away(error: DBAPIError | sqlite3.Error) -> bool:
    """Whether the database, not our statement, is the reason."""
    cause = error.orig if isinstance(error, DBAPIError) else error
    if isinstance(cause, sqlite3.Error):
        if getattr(cause, "sqlite_errorcode", None) == sqlite3.SQLITE_ERROR:
            return str(cause).startswith("no such table")
        return type(cause) in {sqlite3.OperationalError, sqlite3.DatabaseError}
    if getattr(cause, "sqlstate", None) == _NO_TABLE:
        return True
    return isinstance(error, OperationalError | InternalError) or bool(getattr(error, "connection_invalidated", False))
