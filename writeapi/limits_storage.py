"""Our own storage for `limits`: counters in SQLite, exact over several processes and kept over a restart."""

from __future__ import annotations

import os
import sqlite3
import threading
import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from urllib.parse import quote, unquote, urlsplit

from limits.storage import SlidingWindowCounterSupport, Storage
from limits.storage.base import TimestampedSlidingWindow

from .store.errors import Unavailable
from .store.gate import Gate

SCHEME = "playbooks+sqlite"
_SWEEP_EVERY = 60.0
_SWEEP_ROWS = 200
_SCHEMA = """
CREATE TABLE IF NOT EXISTS windows (key TEXT PRIMARY KEY, hits INTEGER NOT NULL, expires REAL NOT NULL) WITHOUT ROWID;
CREATE INDEX IF NOT EXISTS windows_by_expiry ON windows (expires);
"""
_HIT = """
INSERT INTO windows (key, hits, expires) VALUES (:key, :amount, :now + :expiry)
ON CONFLICT (key) DO UPDATE SET
  hits = CASE WHEN expires <= :now THEN :amount ELSE hits + :amount END,
  expires = CASE WHEN expires <= :now THEN :now + :expiry ELSE min(expires, :now + :expiry) END
RETURNING hits
"""
_SLIDE = """
INSERT INTO windows (key, hits, expires) SELECT :current, :amount, :ends
WHERE :amount <= :limit - coalesce((SELECT hits FROM windows WHERE key = :current AND expires > :now), 0)
  - CAST(:share * coalesce((SELECT hits FROM windows WHERE key = :previous AND expires > :now), 0) AS INTEGER)
ON CONFLICT (key) DO UPDATE SET hits = hits + :amount
RETURNING hits
"""
_SWEEP = "DELETE FROM windows WHERE key IN (SELECT key FROM windows WHERE expires <= ? ORDER BY expires LIMIT ?)"


class LimitsUnavailable(Exception):
    """The limits cannot be asked now, so nothing may be let through; `retry_after` is when to try again, in seconds."""

    def __init__(self, why: str, retry_after: int = 2) -> None:
        super().__init__(why)
        self.retry_after = retry_after


def sqlite_url(path: Path) -> str:
    """The storage address of a database file: after the scheme's `://` stands the whole path, `/` first."""
    return f"{SCHEME}://{quote(str(path.absolute()))}"


class SqliteStorage(Storage, SlidingWindowCounterSupport, TimestampedSlidingWindow):
    """Counters in one SQLite file, which `playbooks+sqlite:///path/limits.db` names.

    One writer at a time, behind a gate as the queue has one. A counter may lose its last second in a power cut
    (`synchronous=NORMAL`), never in a crash of the process.
    """

    STORAGE_SCHEME = [SCHEME]  # noqa: RUF012 - the base class declares it so

    def __init__(
        self,
        uri: str,
        wrap_exceptions: bool = False,
        *,
        wait: float = 1.0,
        max_pages: int = 65_536,
        clock: Callable[[], float] = time.time,
        **_: float | str | bool,
    ) -> None:
        """`wait` is how long, in seconds, a locked database is waited for; `max_pages` bounds the file (4 KiB each)."""
        super().__init__(uri, wrap_exceptions=wrap_exceptions)
        self.path = Path(unquote(urlsplit(uri).path))
        self.wait = wait
        self.max_pages = max_pages
        self.clock = clock
        self._here: _Opened | None = None
        self._inherited: list[_Opened] = []  # a forked child neither uses nor closes what its parent opened

    @property
    def base_exceptions(self) -> type[Exception]:
        """What this storage raises."""
        return LimitsUnavailable

    def incr(self, key: str, expiry: int, amount: int = 1) -> int:
        """Count `amount` hits in the fixed window of a key, which the first hit opens; the hits in it so far."""
        values: dict[str, float | str] = {"key": key, "amount": amount, "expiry": expiry, "now": self.clock()}
        return self._write(_HIT, values)[0][0]

    def get(self, key: str) -> int:
        """The hits in the window of a key that is open now."""
        return self._row(key)[0]

    def get_expiry(self, key: str) -> float:
        """When the open window of a key ends; now, when there is none."""
        return self._row(key)[1]

    def acquire_sliding_window_entry(self, key: str, limit: int, expiry: int, amount: int = 1) -> bool:
        """Count `amount` hits unless this window and the share of the one before it would then hold too many."""
        now = self.clock()
        previous, current = self.sliding_window_keys(key, expiry, now)
        values: dict[str, float | str] = {
            "previous": previous,
            "current": current,
            "share": 1 - (now / expiry) % 1,
            "amount": amount,
            "limit": limit,
            "now": now,
            "ends": (now // expiry + 2) * expiry,
        }
        return bool(self._write(_SLIDE, values))

    def get_sliding_window(self, key: str, expiry: int) -> tuple[int, float, int, float]:
        """Hits and remaining seconds of the window before this one, then of this one (till it no longer counts)."""
        now = self.clock()
        previous, current = (self._row(name)[0] for name in self.sliding_window_keys(key, expiry, now))
        remaining = (1 - (now / expiry) % 1) * expiry
        return previous, remaining if previous else 0.0, current, remaining + expiry

    def clear_sliding_window(self, key: str, expiry: int) -> None:
        """Forget the hits of a key."""
        for name in self.sliding_window_keys(key, expiry, self.clock()):
            self.clear(name)

    def check(self) -> bool:
        """Whether the database can be written."""
        try:
            self._write("UPDATE windows SET hits = hits WHERE false", {})
        except LimitsUnavailable:
            return False
        return True

    def reset(self) -> int | None:
        """Forget every counter; how many there were."""
        return len(self._write("DELETE FROM windows RETURNING 1", {}))

    def clear(self, key: str) -> None:
        """Forget one counter."""
        self._write("DELETE FROM windows WHERE key = :key", {"key": key})

    def close(self) -> None:
        """Close what this process opened; the next call opens it again."""
        opened, self._here = self._here, None
        if opened and opened.pid == os.getpid():
            opened.close()

    def _row(self, key: str) -> tuple[int, float]:
        now = self.clock()
        with self._opened() as opened:
            query = "SELECT hits, expires FROM windows WHERE key = ? AND expires > ?"
            return opened.connection.execute(query, (key, now)).fetchone() or (0, now)

    def _write(self, statement: str, values: dict[str, float | str]) -> Sequence[tuple[int]]:
        """Run one statement in a transaction of its own, and now and then remove what expired."""
        with self._opened() as opened, opened.gate.held(time.monotonic() + self.wait):
            now = self.clock()
            if now >= opened.sweep_at or opened.sweep_at > now + _SWEEP_EVERY:
                removed = opened.connection.execute(_SWEEP, (now, _SWEEP_ROWS)).rowcount
                opened.sweep_at = now if removed == _SWEEP_ROWS else now + _SWEEP_EVERY
            return opened.connection.execute(statement, values).fetchall()

    @contextmanager
    def _opened(self) -> Iterator[_Opened]:
        """This process's connection, for this thread alone. Raises `LimitsUnavailable` for all that goes wrong."""
        here = self._here
        if here is None or here.pid != os.getpid():
            self._inherited += [here] if here else []
            here = self._here = _Opened(self.path)
        if not here.lock.acquire(timeout=self.wait):
            raise LimitsUnavailable("the database of the limits is busy")
        try:
            if not here.is_open:
                here.open(self.path, self.wait, self.max_pages)
            yield here
        except Unavailable as error:
            raise LimitsUnavailable(f"the database of the limits cannot be used: {error}") from error
        except (sqlite3.Error, OSError) as error:
            here.close()  # what is damaged, full or gone is looked at afresh next time
            raise LimitsUnavailable(f"the database of the limits cannot be used: {error}") from error
        finally:
            here.lock.release()


class _Opened:
    """What one process has open: a connection, its gate, and the lock that keeps threads apart."""

    def __init__(self, path: Path) -> None:
        self.pid = os.getpid()
        self.lock = threading.Lock()
        self.sweep_at = 0.0
        self.is_open = False
        self.connection: sqlite3.Connection
        self.gate = Gate(path)

    def open(self, path: Path, wait: float, max_pages: int) -> None:
        """Open the database, made when it is not there; several processes may do so at once."""
        path.parent.mkdir(parents=True, exist_ok=True)
        # Made here, because SQLite would make it for everybody to read; its log gets the same permissions.
        os.close(os.open(path, os.O_RDWR | os.O_CREAT | os.O_CLOEXEC, 0o600))
        self.connection = sqlite3.connect(path, timeout=wait, isolation_level=None, check_same_thread=False)
        self.is_open = True
        try:
            with self.gate.held(time.monotonic() + wait):
                self.connection.execute("PRAGMA journal_mode=WAL")
                self.connection.execute("PRAGMA synchronous=NORMAL")
                self.connection.execute(f"PRAGMA max_page_count={max_pages:d}")
                self.connection.executescript(_SCHEMA)
        except (sqlite3.Error, OSError, Unavailable):
            self.close()
            raise

    def close(self) -> None:
        """Close the connection, if it is open."""
        if self.is_open:
            self.is_open = False
            self.sweep_at = 0.0
            self.connection.close()
