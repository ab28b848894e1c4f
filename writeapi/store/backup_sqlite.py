"""Backups of SQLite: a copy by its online interface while writers go on, and back in one transaction."""

from __future__ import annotations

import sqlite3
import time
from collections.abc import Iterator
from contextlib import closing, contextmanager, suppress
from pathlib import Path
from urllib.parse import quote

from sqlalchemy import create_engine
from sqlalchemy.pool import NullPool

from .backup import (
    VERSIONS,
    Backup,
    NotBackedUp,
    NotRestored,
    Written,
    check_revision,
    check_seal,
    counted,
    seal,
    without_audit,
)
from .engine import refusals
from .errors import Unavailable
from .sqlite import SqliteDatabase

MAGIC = b"SQLite format 3\0"
_WAIT = 60.0


def back_up(database: SqliteDatabase, path: Path) -> Backup:
    """Copy the database as it is at one moment to a file of its own. Raises `NotBackedUp` or `Unavailable`."""
    if not database.path.exists():
        raise NotBackedUp(f"There is no store at {database.path}: nothing was ever sent to it, or it lies elsewhere.")
    with Written(path) as beside:
        with refusals(), closing(_opened(database.path, "ro")) as source:
            source.execute("BEGIN")  # what is copied and what is counted are of the same moment
            expected = {name: _count(source, name) for name in _tables(source)}
            with closing(sqlite3.connect(beside, isolation_level=None)) as copy:
                source.backup(copy)
                copy.execute("PRAGMA journal_mode = DELETE")  # one file, which needs no other beside it
        seal(beside)
        try:
            found = examine(beside)
        except NotRestored as error:
            raise NotBackedUp(f"The copy is not whole, or the database is not: {error}") from error
        if dict(found.rows) != {name: expected.get(name) for name in found.rows}:
            raise NotBackedUp("The copy does not hold what the database held.")
    return found


def examine(path: Path) -> Backup:
    """What a backup holds, all of it read. Raises `NotRestored` for one that is damaged or no backup of a store."""
    check_seal(path)
    engine = create_engine("sqlite://", creator=lambda: _opened(path, "ro"), poolclass=NullPool, hide_parameters=True)
    try:
        with closing(_opened(path, "ro")) as copy:
            _check(copy)
            revision = str(copy.execute(f"SELECT version_num FROM {VERSIONS}").fetchone()[0])  # noqa: S608 - our name
        with engine.connect() as connection:
            found, orphans = counted(connection), without_audit(connection)
    except (sqlite3.Error, TypeError) as error:
        raise NotRestored(f"{path} is no backup of a store, or it is damaged ({error}).") from error
    if orphans:
        raise NotRestored(f"{orphans} records in {path} have no audit row of their version.")
    return Backup("SQLite", revision, found)


def restore(database: SqliteDatabase, path: Path, *, force: bool) -> Backup:
    """Put a backup in the place of the database. Raises `NotRestored`, and then nothing was changed.

    Without `force` the database must hold nothing and be in nobody's use. With it, a database that is in use becomes
    the backup in one transaction, and one that cannot be read is put aside as `NAME-damaged`.
    """
    expected = examine(path)
    check_revision(expected.revision)
    database.close()
    if database.path.exists() and not _readable(database.path):
        if not force:
            raise NotRestored(f"{database.path} cannot be read; --force puts it aside and restores.")
        _put_aside(database.path)
    with database.created(time.monotonic() + _WAIT), closing(_opened(database.path, "rw")) as target:
        if not force:
            _refuse_live_or_full(target, database.path)
        try:
            with closing(_opened(path, "ro")) as source:
                source.backup(target)
            target.execute("PRAGMA wal_checkpoint(TRUNCATE)")
        except sqlite3.Error as error:
            raise NotRestored(f"The backup could not be put into {database.path}: {error}.") from error
    return expected


def _refuse_live_or_full(target: sqlite3.Connection, path: Path) -> None:
    with _as_refusal(path):
        rows = sum(_count(target, name) for name in _tables(target) if name != VERSIONS)
    if rows:
        raise NotRestored(f"{path} holds {rows} rows; --force replaces them.")
    with _as_refusal(path):  # only who is alone may change the mode
        target.execute("PRAGMA busy_timeout = 200")
        target.execute("PRAGMA journal_mode = DELETE")


@contextmanager
def _as_refusal(path: Path) -> Iterator[None]:
    try:
        yield
    except sqlite3.OperationalError as error:
        raise NotRestored(f"{path} is in use ({error}); stop the service first, or use --force.") from error


def _readable(path: Path) -> bool:
    """Whether it is a whole database, or an empty file."""
    try:
        with closing(_opened(path, "rw")) as connection:
            _check(connection)
    except sqlite3.DatabaseError as error:
        if isinstance(error, sqlite3.OperationalError) and "locked" in str(error):
            raise Unavailable("The database is busy with other writers.") from error
        return False
    except NotRestored:
        return False
    return True


def _put_aside(path: Path) -> None:
    for end in ("-wal", "-shm", ""):
        with suppress(FileNotFoundError):
            Path(f"{path}{end}").replace(f"{path}-damaged{end}")


def _check(connection: sqlite3.Connection) -> None:
    """Raise `NotRestored` unless every page, index and reference holds."""
    told = [str(row[0]) for row in connection.execute("PRAGMA integrity_check(5)")]
    if told != ["ok"]:
        raise NotRestored(f"SQLite finds it damaged: {'; '.join(told)}")
    if connection.execute("PRAGMA foreign_key_check").fetchone():
        raise NotRestored("Rows refer to others that are not there.")


def _tables(connection: sqlite3.Connection) -> list[str]:
    wanted = "SELECT name FROM sqlite_schema WHERE type = 'table' AND name NOT LIKE 'sqlite_%'"
    return [str(row[0]) for row in connection.execute(wanted)]


def _count(connection: sqlite3.Connection, table: str) -> int:
    """The rows of a table that the schema itself named."""
    return int(connection.execute(f'SELECT count(*) FROM "{table}"').fetchone()[0])  # noqa: S608 - see above


def _opened(path: Path, mode: str) -> sqlite3.Connection:
    return sqlite3.connect(
        f"file:{quote(str(path))}?mode={mode}", uri=True, timeout=_WAIT, isolation_level=None, check_same_thread=False
    )
