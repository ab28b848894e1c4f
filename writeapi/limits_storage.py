"""How often something happened lately, counted exactly over all processes: in SQLite, or in a Redis that may be away.

A window slides by a counter, as in the library `limits`: what was counted in the window before weighs as much as it
still reaches into the last `expiry` seconds. So nobody gets a quota twice by asking at the seam of two windows.
"""

from __future__ import annotations

import os
import sqlite3
import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from math import floor
from pathlib import Path
from typing import NamedTuple, Protocol

from limits import RateLimitItem
from limits.storage import MemoryStorage, RedisStorage

from .store.errors import Unavailable
from .store.gate import Gate

SOCKET_SECONDS = 0.2
REST_SECONDS = 2.0
_SWEEP_ROWS = 200
_SCHEMA = """
DROP TABLE IF EXISTS windows;
CREATE TABLE IF NOT EXISTS counters (
  key TEXT PRIMARY KEY, begun REAL NOT NULL, before INTEGER NOT NULL, hits INTEGER NOT NULL, expires REAL NOT NULL
) WITHOUT ROWID;
CREATE INDEX IF NOT EXISTS counters_by_expiry ON counters (expires);
"""
_SWEEP = "DELETE FROM counters WHERE key IN (SELECT key FROM counters WHERE expires <= ? ORDER BY expires LIMIT ?)"

Hit = tuple[RateLimitItem, str]
"""One count: the limit that it is for, and who is counted."""


class LimitsUnavailable(Exception):
    """The limits cannot be asked now, so nothing may be let through; `retry_after` is when to try again, in seconds."""

    def __init__(self, why: str, retry_after: int = 2) -> None:
        super().__init__(why)
        self.retry_after = retry_after


class Window(NamedTuple):
    """A window after a hit: whether it was within the limit, how many more are, and in how many seconds that grows."""

    within: bool
    left: int
    seconds: float


class Counters(Protocol):
    """What counts hits."""

    def take(self, hits: Sequence[Hit]) -> list[Window]:
        """Count each hit, up to the first that is beyond its limit: it is not counted, and ends the list.

        Raises `LimitsUnavailable`.
        """


@dataclass(frozen=True, slots=True)
class Counted:
    """A window that began at `begun`: what was counted in it, and in the one before."""

    begun: float
    before: int = 0
    hits: int = 0

    def at(self, now: float, expiry: int) -> Counted:
        """The same later on, when it may have become the one before. A clock set back makes no window longer."""
        age = now - self.begun
        if age >= 2 * expiry:
            return Counted(now)
        if age >= expiry:
            return Counted(self.begun + expiry, self.hits)
        return Counted(min(now, self.begun), self.before, self.hits)

    def window(self, item: RateLimitItem, now: float, *, within: bool) -> Window:
        """What is left, and when there is more: of a full window, when one more is let through."""
        expiry, rest = item.get_expiry(), self.begun + item.get_expiry() - now
        left = max(0, item.amount - self.hits - floor(self.before * rest / expiry))
        fades = not left and self.hits < item.amount
        return Window(within, left, rest - (item.amount - self.hits) * expiry / self.before if fades else rest)


class SqliteCounters:
    """Counters in one SQLite file, kept over a restart.

    One process at a time has the gate: SQLite's own waiting is unfair, and versions before 3.51.3 may damage a log that
    two write at once. A counter may lose its last second in a power cut, never in a crash of the process.
    """

    def __init__(
        self, path: Path, *, wait: float = 1.0, max_pages: int = 65_536, clock: Callable[[], float] = time.time
    ) -> None:
        """`wait` is how long, in seconds, a locked database is waited for; `max_pages` bounds the file (4 KiB each)."""
        self.path = path
        self.wait = wait
        self.max_pages = max_pages
        self.clock = clock
        self._gate = Gate(path)
        self._connections: dict[int, sqlite3.Connection] = {}  # a forked child neither uses nor closes its parent's

    def take(self, hits: Sequence[Hit]) -> list[Window]:
        """Count, in one transaction; what is beyond a limit writes nothing."""
        windows: list[Window] = []
        with self._transaction() as connection:
            for item, who in hits:
                windows.append(self._hit(connection, item, item.key_for(who)))
                if not windows[-1].within:
                    break
        return windows

    def close(self) -> None:
        """Close what this process opened; the next call opens it again."""
        if connection := self._connections.pop(os.getpid(), None):
            connection.close()

    def _hit(self, connection: sqlite3.Connection, item: RateLimitItem, key: str) -> Window:
        now, expiry = self.clock(), item.get_expiry()
        row = connection.execute("SELECT begun, before, hits FROM counters WHERE key = ?", (key,)).fetchone()
        counted = Counted(*row).at(now, expiry) if row else Counted(now)
        if counted.window(item, now, within=False).left < 1:
            return counted.window(item, now, within=False)
        counted = Counted(counted.begun, counted.before, counted.hits + 1)
        if row is None:
            connection.execute(_SWEEP, (now, _SWEEP_ROWS))
        values = (key, counted.begun, counted.before, counted.hits, counted.begun + 2 * expiry)
        connection.execute("INSERT OR REPLACE INTO counters VALUES (?, ?, ?, ?, ?)", values)
        return counted.window(item, now, within=True)

    @contextmanager
    def _transaction(self) -> Iterator[sqlite3.Connection]:
        """This process's connection, for this thread alone. Raises `LimitsUnavailable` for all that goes wrong."""
        process, until = os.getpid(), time.monotonic() + self.wait
        try:
            self.path.parent.mkdir(parents=True, exist_ok=True)
            with self._gate.held(until):
                connection = self._connections.get(process) or self._connections.setdefault(process, self._opened())
                try:
                    with connection:
                        connection.execute("BEGIN IMMEDIATE")
                        yield connection
                except sqlite3.Error:
                    self.close()  # what is damaged, full or gone is looked at afresh next time
                    raise
        except (sqlite3.Error, OSError, Unavailable) as error:
            raise LimitsUnavailable(f"the database of the limits cannot be used: {error}") from error

    def _opened(self) -> sqlite3.Connection:
        # Made here, because SQLite would make it for everybody to read; its log gets the same permissions.
        os.close(os.open(self.path, os.O_RDWR | os.O_CREAT | os.O_CLOEXEC, 0o600))
        connection = sqlite3.connect(self.path, timeout=self.wait, isolation_level=None, check_same_thread=False)
        try:
            connection.execute("PRAGMA journal_mode=WAL")
            connection.execute("PRAGMA synchronous=NORMAL")
            connection.execute(f"PRAGMA max_page_count={self.max_pages:d}")
            connection.executescript(_SCHEMA)
        except sqlite3.Error:
            connection.close()
            raise
        return connection


class LibraryCounters:
    """Counters in a storage of `limits`: a Redis, or the memory of this process."""

    def __init__(self, storage: RedisStorage | MemoryStorage) -> None:
        self.storage = storage

    def take(self, hits: Sequence[Hit]) -> list[Window]:
        """Count, and look at each window once."""
        windows: list[Window] = []
        for item, who in hits:
            key, expiry = item.key_for(who), item.get_expiry()
            within = self.storage.acquire_sliding_window_entry(key, item.amount, expiry)
            before, before_lasts, counted, lasts = self.storage.get_sliding_window(key, expiry)
            rest = lasts - expiry if counted else before_lasts or expiry
            windows.append(Counted(rest - expiry, before, counted).window(item, 0.0, within=within))
            if not within:
                break
        return windows

    def check(self) -> bool:
        """Whether it answers."""
        return self.storage.check()


class GuardedCounters:
    """Redis with a time limit; gone or hung, the spare counts instead, or everything is refused.

    After a failure Redis is asked again in `rest` seconds. A spare starts to count afresh: for as long as Redis is
    away, a caller may have its quota once more on each machine.
    """

    def __init__(self, address: str, spare: Counters | None, *, rest: float = REST_SECONDS) -> None:
        """`address` is that of a Redis."""
        from redis import ConnectionPool
        from redis.backoff import NoBackoff
        from redis.retry import Retry

        pool: ConnectionPool = ConnectionPool.from_url(
            address.replace("redis+unix://", "unix://"),
            socket_timeout=SOCKET_SECONDS,
            socket_connect_timeout=SOCKET_SECONDS,
            retry=Retry(NoBackoff(), 0),
        )
        self._storage = RedisStorage(address, connection_pool=pool)
        self.primary = LibraryCounters(self._storage)
        self.spare = spare
        self._rest = rest
        self._asked_from = 0.0

    def take(self, hits: Sequence[Hit]) -> list[Window]:
        """Count in Redis, or where that is away."""
        if time.monotonic() >= self._asked_from:
            try:
                return self.primary.take(hits)
            except (self._storage.base_exceptions, OSError):  # type: ignore[misc]  # one class, for Redis
                self._asked_from = time.monotonic() + self._rest
        if self.spare is None:
            raise LimitsUnavailable("Redis does not answer", retry_after=round(self._rest) + 1)
        return self.spare.take(hits)
