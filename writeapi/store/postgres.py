"""PostgreSQL: every wait has an end, and a connection that was lost is made anew before anything is sent."""

import math
from collections.abc import Iterator
from contextlib import contextmanager

from sqlalchemy import URL, Connection, Engine, create_engine, event, text
from sqlalchemy.engine.interfaces import DBAPIConnection
from sqlalchemy.pool import ConnectionPoolEntry

from .engine import Database, refusals
from .errors import Unavailable

_MIGRATION_LOCK = 7_025_501  # any number, the same in every process
_MIGRATION_WAIT = 60_000
_CONNECTIONS = 8


class PostgresDatabase(Database):
    """The database at `url`."""

    def __init__(self, url: URL, wait: float) -> None:
        super().__init__(wait)
        self.url = url.set(drivername="postgresql+psycopg")

    @contextmanager
    def write(self) -> Iterator[Connection]:
        """A transaction. A connection lost within it is not tried again: nobody knows what was stored."""
        with refusals(), self.engine.connect() as connection, connection.begin():
            yield connection

    @contextmanager
    def migrating(self) -> Iterator[Connection]:
        """A write transaction that waits for other migrations."""
        with self.write() as connection:
            connection.execute(text("SET LOCAL statement_timeout = 0"))
            connection.execute(text(f"SET LOCAL lock_timeout = {_MIGRATION_WAIT}"))
            connection.execute(text("SELECT pg_advisory_xact_lock(:number)"), {"number": _MIGRATION_LOCK})
            yield connection

    def describe(self) -> str:
        """The server and the database, without user and password; and what of its settings risks the data."""
        place = f"database {self.url.database} on {self.url.host or self.url.query.get('host') or 'a local socket'}"
        try:
            with self.read() as connection:
                version = connection.scalar(text("SHOW server_version"))
                durable = connection.scalar(text("SHOW fsync")) == "on"
        except Unavailable:
            return f"PostgreSQL, {place} (does not answer now)"
        risk = "" if durable else " (fsync is off: a power cut loses acknowledged writes)"
        return f"PostgreSQL {version}, {place}{risk}"

    def _make_engine(self) -> Engine:
        engine = create_engine(
            self.url,
            hide_parameters=True,
            pool_pre_ping=True,
            pool_size=_CONNECTIONS,
            max_overflow=_CONNECTIONS,
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
        cursor = connection.cursor()
        cursor.execute(f"SET statement_timeout = {limit}")
        cursor.execute(f"SET lock_timeout = {limit}")
        cursor.execute("SET idle_in_transaction_session_timeout = 60000")
        cursor.execute(
            "SELECT set_config('synchronous_commit', 'on', false) WHERE current_setting('synchronous_commit') = 'off'"
        )
        cursor.close()
        connection.commit()
