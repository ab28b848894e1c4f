"""SQLite in one file: every acknowledged write is on the disk, one writer at a time, and a log that stays small."""

import os
import sqlite3
import time
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from urllib.parse import quote

from sqlalchemy import Connection, Engine, create_engine, event
from sqlalchemy.pool import QueuePool

from library.durable import sync_folder

from .engine import Database, refusals
from .errors import Unavailable
from .gate import Gate

LOG_LIMIT = 256 * 1024 * 1024
_MIGRATION_WAIT = 60.0
_SAFE = (3, 51, 3)
_CONNECTIONS = 16
_PATIENCE = "patience"  # the execution option of writers: how long SQLite itself may wait, in milliseconds


class SqliteDatabase(Database):
    """The file at `path`. `log_limit` is how many bytes its log may take while a reader keeps it from being emptied."""

    def __init__(self, path: Path, wait: float, log_limit: int = LOG_LIMIT) -> None:
        super().__init__(wait)
        self.path = path
        self._log = path.with_name(f"{path.name}-wal")
        self._log_limit = log_limit
        self._gate = Gate(path)

    @property
    def folder(self) -> Path:
        """Where the file lies."""
        return self.path.parent

    @contextmanager
    def write(self) -> Iterator[Connection]:
        """A transaction of the one writer. Raises `Unavailable` when its turn does not come in time."""
        with self._writing(self.wait) as connection:
            yield connection

    @contextmanager
    def migrating(self) -> Iterator[Connection]:
        """A write transaction on a file that is made, and put into the mode with a log, where it was not."""
        with refusals(), self.created(time.monotonic() + _MIGRATION_WAIT):
            connection = self.engine.raw_connection()
            try:
                mode = connection.cursor().execute("PRAGMA journal_mode = WAL").fetchone()
            finally:
                connection.close()
        if mode != ("wal",):
            raise Unavailable("SQLite cannot keep a write-ahead log on this file system.")
        with self._writing(_MIGRATION_WAIT) as migrating:
            yield migrating

    @contextmanager
    def created(self, until: float) -> Iterator[None]:
        """Hold the gate before a file that is there, empty where it was not."""
        self._create()
        with self._gate.held(until):
            yield

    def close(self) -> None:
        """End all connections, behind the gate where it opens: the last to end moves the log into the database."""
        if os.getpid() in self._engines:  # else there is nothing to end, and perhaps no folder for the gate
            with suppress(Unavailable), self._gate.held(time.monotonic() + self.wait):
                self.let_go()
        self.let_go()

    def let_go(self) -> None:
        """End all connections where the gate is held already."""
        super().close()

    def describe(self) -> str:
        """The file, the version, and what is known of it."""
        fault = "" if sqlite3.sqlite_version_info >= _SAFE else "; this SQLite has the WAL-reset fault: the gate guards"
        version = sqlite3.sqlite_version
        return f"SQLite {version} in {self.path} (WAL, synchronous FULL, one writer at a time{fault})"

    @contextmanager
    def _writing(self, wait: float) -> Iterator[Connection]:
        until = time.monotonic() + wait
        with refusals(), self._gate.held(until):
            self._shorten_log()
            patience = max(0, int((until - time.monotonic()) * 1000))
            with self.engine.connect().execution_options(**{_PATIENCE: patience}) as connection, connection.begin():
                yield connection

    def _shorten_log(self) -> None:
        """Empty a log that has grown. Raises `Unavailable` when a reader holds on to one that is at its limit."""
        if self._log_size() <= self._log_limit // 8:
            return
        connection = self.engine.raw_connection()
        try:
            cursor = connection.cursor()
            cursor.execute("PRAGMA busy_timeout = 0")
            cursor.execute("PRAGMA wal_checkpoint(TRUNCATE)")
            cursor.execute(f"PRAGMA busy_timeout = {int(self.wait * 1000)}")
        finally:
            connection.close()
        if self._log_size() > self._log_limit:
            raise Unavailable("Something has been reading the database for too long: its log is at its limit.")

    def _log_size(self) -> int:
        try:
            return self._log.stat().st_size
        except OSError:
            return 0

    def _create(self) -> None:
        """An empty file that only its owner reads, and whose name survives a power cut."""
        try:
            self.path.parent.mkdir(parents=True, exist_ok=True)
            os.close(os.open(self.path, os.O_RDWR | os.O_CREAT | os.O_CLOEXEC, 0o600))
            sync_folder(self.path.parent)
        except OSError as error:
            raise Unavailable("The folder of the database cannot be written.") from error

    def _make_engine(self) -> Engine:
        engine = create_engine(
            "sqlite://",
            creator=self._connect,
            hide_parameters=True,
            poolclass=QueuePool,
            pool_size=_CONNECTIONS,
            max_overflow=_CONNECTIONS,
            pool_timeout=self.wait,
        )
        event.listen(engine, "begin", self._begin)
        return engine

    def _connect(self) -> sqlite3.Connection:
        """A connection to the file, which must be there: to make an empty one would hide that it was lost."""
        connection = sqlite3.connect(
            f"file:{quote(str(self.path))}?mode=rw",
            uri=True,
            timeout=self.wait,
            isolation_level=None,  # we say BEGIN ourselves
            check_same_thread=False,  # the pool hands it to one thread at a time
        )
        connection.execute("PRAGMA synchronous = FULL")
        connection.execute("PRAGMA foreign_keys = ON")
        connection.execute(f"PRAGMA journal_size_limit = {self._log_limit // 16}")
        return connection

    def _begin(self, connection: Connection) -> None:
        """Writers take the lock at once; readers never wait for it."""
        patience = connection.get_execution_options().get(_PATIENCE)
        whole = int(self.wait * 1000)
        wanted = whole if patience is None else patience
        if abs(connection.info.get(_PATIENCE, whole) - wanted) > whole // 10:  # a tenth more or less is the same
            connection.exec_driver_sql(f"PRAGMA busy_timeout = {wanted}")
            connection.info[_PATIENCE] = wanted
        connection.exec_driver_sql("BEGIN" if patience is None else "BEGIN IMMEDIATE")
