"""A database as the store uses it, SQLite or PostgreSQL: transactions, one writer at a time, refusals in own words."""

import math
import os
import sqlite3
import threading
import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import ExitStack, closing, contextmanager, suppress
from pathlib import Path
from urllib.parse import quote

from filelock import lock_descriptor, unlock_descriptor
from sqlalchemy import URL, Connection, Engine, create_engine, event, text
from sqlalchemy.engine.interfaces import DBAPIConnection
from sqlalchemy.exc import DBAPIError, InternalError, OperationalError
from sqlalchemy.exc import TimeoutError as PoolTimeout
from sqlalchemy.pool import ConnectionPoolEntry, QueuePool

from library.durable import sync_folder
from library.problems import LibraryError


class StoreError(LibraryError):
    """Any refusal of the store; its text is for people and holds nothing that a caller wrote."""


class Unavailable(StoreError):
    """The database cannot take or give it now: try again later. Nothing is known to have been stored."""


class Damaged(Unavailable):
    """The file of the database cannot be read any more."""


class HandleTaken(StoreError):
    """Another contributor has this handle, perhaps in another spelling."""


class Mismatch(StoreError):
    """The same caller used the same idempotency key for another body."""


class Conflict(StoreError):
    """The state does not allow it, or somebody else was faster."""


class NotFound(StoreError):
    """There is no such record."""


NO_ANSWER = "The database cannot take this now."
DAMAGED = "The file of the database is damaged, or is none: `playbooks restore --force` brings a backup back."
_DAMAGE = frozenset({sqlite3.SQLITE_CORRUPT, sqlite3.SQLITE_NOTADB})
_NO_TABLE = "42P01"  # PostgreSQL's code


class Database:
    """What both have. Connections are made when they are needed, and never shared with a forked process."""

    folder: Path | None = None  # where it lies on this machine; None when a server keeps it

    def __init__(self, wait: float, make_engine: Callable[[], Engine]) -> None:
        self.wait = wait
        self._make_engine = make_engine
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

    def close(self) -> None:
        """End all connections of this process; the next transaction makes new ones."""
        if engine := self._engines.pop(os.getpid(), None):
            engine.dispose()


@contextmanager
def refusals() -> Iterator[None]:
    """Turn what a database that is away, locked, full or damaged says into `Unavailable`."""
    try:
        yield
    except PoolTimeout as error:
        raise Unavailable("All connections to the database are in use.") from error
    except (DBAPIError, sqlite3.Error) as error:
        cause = error.orig if isinstance(error, DBAPIError) else error
        if (getattr(cause, "sqlite_errorcode", 0) & 0xFF) in _DAMAGE:  # what is above says more of the same
            raise Damaged(DAMAGED) from error
        if _away(error, cause):
            raise Unavailable(NO_ANSWER) from error
        raise


def _away(error: DBAPIError | sqlite3.Error, cause: BaseException | None) -> bool:
    if isinstance(cause, sqlite3.Error):
        if getattr(cause, "sqlite_errorcode", None) == sqlite3.SQLITE_ERROR:
            return str(cause).startswith("no such table")
        return type(cause) in {sqlite3.OperationalError, sqlite3.DatabaseError}
    lost = isinstance(error, OperationalError | InternalError) or getattr(error, "connection_invalidated", False)
    return bool(lost) or getattr(cause, "sqlstate", None) == _NO_TABLE


_PAUSE = 0.0002  # seconds between two looks at a locked file


class Gate:
    """One writer at a time over the threads of all processes: a lock of this process, and a locked file.

    SQLite has a lock of its own, but those who wait for it sleep and try again by chance, so that a few wait for very
    long; and before 3.51.3 it can damage its log when a writer and a checkpoint of another process meet. Behind the
    gate neither happens. filelock's lock for paths took ten times the processor time a turn (decision 0034).
    """

    def __init__(self, database: Path) -> None:
        self._file = database.with_name(f"{database.name}-gate")
        self._locks: dict[int, threading.Lock] = {}  # a fork must not inherit one that a thread of its parent holds

    @contextmanager
    def held(self, until: float) -> Iterator[None]:
        """Hold the gate; `until` is a time of `time.monotonic`. Raises `Unavailable` when it does not open by then."""
        lock = self._locks.setdefault(os.getpid(), threading.Lock())
        if not lock.acquire(timeout=max(0.0, until - time.monotonic())):
            raise Unavailable("The database is busy with other writers.")
        with ExitStack() as undone:
            undone.callback(lock.release)
            try:  # opened anew: a lock belongs to one opening of a file, and so to one thread of one process
                file = os.open(self._file, os.O_RDWR | os.O_CREAT | os.O_CLOEXEC, 0o600)
            except OSError as error:
                raise Unavailable("The folder of the database cannot be written.") from error
            undone.callback(os.close, file)
            while not lock_descriptor(file, blocking=False):
                if time.monotonic() >= until:
                    raise Unavailable("The database is busy with other writers.")
                time.sleep(_PAUSE)
            # closing alone would leave the lock with a child that was forked meanwhile
            undone.callback(unlock_descriptor, file)
            yield


_MIGRATION_WAIT = 60.0
_CONNECTIONS = 16
_WRITES = "writes"  # the execution option of writers
DURABLE = ("synchronous = FULL", "foreign_keys = ON", "journal_size_limit = 16777216")


class SqliteDatabase(Database):
    """The file at `path`; every connection is told the `pragmas`."""

    def __init__(self, path: Path, wait: float, pragmas: Sequence[str] = DURABLE) -> None:
        super().__init__(wait, self._engine)
        self.path, self.folder = path, path.parent
        self._pragmas = pragmas
        self._gate = Gate(path)

    @contextmanager
    def write(self, wait: float | None = None) -> Iterator[Connection]:
        """A transaction of the one writer, who holds no gate longer. Raises `Unavailable` where it opens too late."""
        until = time.monotonic() + (self.wait if wait is None else wait)
        with (
            refusals(),
            self.engine.connect().execution_options(**{_WRITES: True}) as connection,
            self._gate.held(until),
            connection.begin(),
        ):
            yield connection

    @contextmanager
    def migrating(self) -> Iterator[Connection]:
        """A write transaction on a file that is made, and put into the mode with a log, where it was not."""
        try:
            self.path.parent.mkdir(parents=True, exist_ok=True)
            os.close(os.open(self.path, os.O_RDWR | os.O_CREAT | os.O_CLOEXEC, 0o600))
            sync_folder(self.path.parent)
        except OSError as error:
            raise Unavailable("The folder of the database cannot be written.") from error
        held = self._gate.held(time.monotonic() + _MIGRATION_WAIT)
        with refusals(), held, closing(self.engine.raw_connection()) as connection:
            mode = connection.cursor().execute("PRAGMA journal_mode = WAL").fetchone()
        if mode != ("wal",):
            raise Unavailable("SQLite cannot keep a write-ahead log on this file system.")
        with self.write(_MIGRATION_WAIT) as migrating:
            yield migrating

    def close(self) -> None:
        """End all connections, behind the gate where it opens: the last to end moves the log into the database."""
        with ExitStack() as gate:
            if os.getpid() in self._engines:  # else there is nothing to end, and perhaps no folder for the gate
                with suppress(Unavailable):
                    gate.enter_context(self._gate.held(time.monotonic() + self.wait))
            super().close()

    def has_others(self) -> bool:
        """Whether others have the file open: only who is alone may change how its log is kept."""
        self.close()
        if not self.path.exists():
            return False
        with refusals(), closing(self._connect()) as connection:
            connection.execute("PRAGMA busy_timeout = 200")
            try:
                connection.execute("PRAGMA journal_mode = DELETE")
            except sqlite3.OperationalError:
                return True
        return False

    def put_aside(self) -> None:
        """Give the file another name, with `-damaged` at its end."""
        self.close()
        for end in ("-wal", "-shm", ""):
            with suppress(FileNotFoundError):
                Path(f"{self.path}{end}").replace(f"{self.path}-damaged{end}")

    def describe(self) -> str:
        """The file and the version."""
        return f"SQLite {sqlite3.sqlite_version} in {self.path} (WAL, synchronous FULL, one writer at a time)"

    def _engine(self) -> Engine:
        engine = create_engine(
            "sqlite://",
            creator=self._connect,
            hide_parameters=True,
            poolclass=QueuePool,
            pool_size=_CONNECTIONS,
            max_overflow=_CONNECTIONS,
            pool_timeout=self.wait,
        )
        event.listen(engine, "begin", _begin)
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
        for pragma in self._pragmas:
            connection.execute(f"PRAGMA {pragma}")
        return connection


def _begin(connection: Connection) -> None:
    """Writers take the lock at once; readers never wait for it."""
    with closing(connection.connection.cursor()) as cursor:
        cursor.execute("BEGIN IMMEDIATE" if _WRITES in connection.get_execution_options() else "BEGIN")


_MIGRATION_LOCK = 7_025_501  # any number, the same in every process
_PG_CONNECTIONS = 8
_OTHERS = (
    "SELECT count(*) FROM pg_stat_activity WHERE datname = current_database()"
    " AND pid <> pg_backend_pid() AND backend_type = 'client backend'"
)
_DURABLE = "SELECT set_config('synchronous_commit', 'on', false) WHERE current_setting('synchronous_commit') = 'off'"


class PostgresDatabase(Database):
    """The database at `url`. What is written in a transaction is on the disk when it ends."""

    def __init__(self, url: URL, wait: float) -> None:
        super().__init__(wait, self._engine)
        self.url = url.set(drivername="postgresql+psycopg")
        self.write = self.read

    @contextmanager
    def migrating(self) -> Iterator[Connection]:
        """A write transaction that waits for other migrations."""
        with self.write() as connection:
            connection.execute(text("SET LOCAL statement_timeout = 0"))
            connection.execute(text(f"SET LOCAL lock_timeout = {int(_MIGRATION_WAIT * 1000)}"))
            connection.execute(text("SELECT pg_advisory_xact_lock(:number)"), {"number": _MIGRATION_LOCK})
            yield connection

    def has_others(self) -> bool:
        """Whether others are connected to it."""
        self.close()
        with self.read() as connection:
            return bool(connection.scalar(text(_OTHERS)))

    def describe(self) -> str:
        """The server and the database, without user and password."""
        server = self.url.host or self.url.query.get("host") or "a local socket"
        return f"PostgreSQL, database {self.url.database} on {server}"

    def _engine(self) -> Engine:
        engine = create_engine(
            self.url,
            hide_parameters=True,
            pool_pre_ping=True,
            pool_size=_PG_CONNECTIONS,
            max_overflow=_PG_CONNECTIONS,
            pool_timeout=self.wait,
            connect_args={
                "connect_timeout": max(1, math.ceil(self.wait)),
                "keepalives_idle": 10,
                "keepalives_interval": 5,
                "keepalives_count": 3,
                "tcp_user_timeout": int(self.wait * 1000),
            },
        )
        event.listen(engine, "connect", self._prepare)
        return engine

    def _prepare(self, connection: DBAPIConnection, _entry: ConnectionPoolEntry) -> None:
        """Give every wait of a session an end, and no acknowledgement before the disk has it."""
        limit = int(self.wait * 1000)
        with closing(connection.cursor()) as cursor:
            cursor.execute(f"SET statement_timeout = {limit}")
            cursor.execute(f"SET lock_timeout = {limit}")
            cursor.execute("SET idle_in_transaction_session_timeout = 60000")
            cursor.execute(_DURABLE)
        connection.commit()
