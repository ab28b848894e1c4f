"""Backups of SQLite: a copy by its online interface while writers go on, and back in one transaction."""

from __future__ import annotations

import sqlite3
import time
from contextlib import closing, suppress
from pathlib import Path
from urllib.parse import quote

from .backup import Backup, NotBackedUp, NotRestored, facts_of, refuse_full
from .engine import is_damaged, refusals
from .errors import Unavailable
from .sqlite import SqliteDatabase

_WAIT = 60.0


def copy(database: SqliteDatabase, path: Path) -> Backup:
    """Copy the database as it is at one moment, and read every page of the copy. Raises `NotBackedUp`."""
    if not database.path.exists():
        raise NotBackedUp(f"There is no store at {database.path}: nothing was ever sent to it, or it lies elsewhere.")
    with refusals(), database.read() as connection, closing(sqlite3.connect(path, isolation_level=None)) as target:
        found = facts_of(connection)
        source = connection.connection.driver_connection
        assert isinstance(source, sqlite3.Connection)  # noqa: S101 - the driver's
        source.backup(target)
        target.execute("PRAGMA journal_mode = DELETE")  # one file, which needs no other beside it
        if wrong := _wrong(target):
            raise NotBackedUp(f"The copy is not whole, or the database is not: {wrong}.")
    return found


def replace(database: SqliteDatabase, path: Path, *, force: bool) -> None:
    """Put a backup in the place of the database. Raises `NotRestored`, and then nothing was changed.

    Without `force` the database must hold nothing and be in nobody's use. With it, a database that is in use becomes
    the backup in one transaction, and one that cannot be read is put aside as `NAME-damaged`.
    """
    if database.path.exists() and not _is_whole(database.path):
        if not force:
            raise NotRestored(f"{database.path} cannot be read; --force puts it aside and restores.")
        for end in ("-wal", "-shm", ""):
            with suppress(FileNotFoundError):
                Path(f"{database.path}{end}").replace(f"{database.path}-damaged{end}")
    with database.created(time.monotonic() + _WAIT):
        if not force:
            refuse_full(database)
        database.let_go()
        with closing(_opened(database.path, "rw")) as target:
            if not force:
                _refuse_live(target, database.path)
            try:
                with closing(_opened(path, "ro")) as source:
                    source.backup(target)
                target.execute("PRAGMA wal_checkpoint(TRUNCATE)")
            except sqlite3.Error as error:
                raise NotRestored(f"The backup could not be put into {database.path}: {error}.") from error


def _refuse_live(target: sqlite3.Connection, path: Path) -> None:
    try:  # only who is alone may change the mode
        target.execute("PRAGMA busy_timeout = 200")
        target.execute("PRAGMA journal_mode = DELETE")
    except sqlite3.OperationalError as error:
        raise NotRestored(f"{path} is in use ({error}); stop the service first, or use --force.") from error


def _is_whole(path: Path) -> bool:
    """Whether it is a whole database, or an empty file. Raises `Unavailable` where that cannot be known now."""
    try:
        with closing(_opened(path, "rw")) as connection:
            return not _wrong(connection)
    except sqlite3.DatabaseError as error:
        if is_damaged(error):
            return False
        raise Unavailable("The database is busy with other writers.") from error


def _wrong(connection: sqlite3.Connection) -> str:
    """What does not hold of pages, indexes and references; empty for a whole database."""
    found = [str(row[0]) for row in connection.execute("PRAGMA integrity_check(5)")]
    if found != ["ok"]:
        return "; ".join(found)
    return (
        "rows refer to others that are not there" if connection.execute("PRAGMA foreign_key_check").fetchone() else ""
    )


def _opened(path: Path, mode: str) -> sqlite3.Connection:
    return sqlite3.connect(f"file:{quote(str(path))}?mode={mode}", uri=True, timeout=_WAIT, isolation_level=None)
