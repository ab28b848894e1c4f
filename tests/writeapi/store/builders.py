"""Small builders for the tests of the store: stores, reports, submissions, and a look at the tables from outside."""

from __future__ import annotations

import functools
import hashlib
import sqlite3
import tempfile
from collections.abc import Callable, Iterator
from contextlib import closing, contextmanager
from datetime import UTC, datetime, time, timedelta
from pathlib import Path
from typing import Any

import psycopg
from sqlalchemy import make_url

from tests.builders import BOOK, VERSION
from writeapi.store import Store
from writeapi.store.records import NewRun, NewSubmission, Once

START = datetime(2026, 11, 20, 12, tzinfo=UTC)


def ticking(start: datetime = START) -> Callable[[], datetime]:
    """A clock that goes on by a millisecond each time that it is read."""
    count = iter(range(10**9))
    return lambda: start + timedelta(milliseconds=next(count))


class StandingClock:
    """A clock that stands until it is set."""

    now = START

    def __call__(self) -> datetime:
        return self.now


_SHIFT = timedelta(days=(START.date() - datetime.now(UTC).date()).days)


def wall_clock() -> datetime:
    """The real time of day on the day of the tests: what is sent is never of a day that is still to come there.

    Tests that run at midnight see the last moment of that day.
    """
    return min(datetime.now(UTC) + _SHIFT, datetime.combine(START.date(), time.max, UTC))


def a_store(url: str, *, wait: float = 10.0, **options: Any) -> Store:
    """A store on the real clock."""
    return Store(url, clock=wall_clock, wait=wait, **options)


def migrated(store: Store, url: str) -> Store:
    """The store, made ready: a new file of SQLite begins as a copy of one that is, in a sixth of the time."""
    path = Path(url.removeprefix("sqlite:///"))
    if url.startswith("sqlite:///") and not path.exists():
        path.write_bytes(_ready_file())
    store.migrate()
    return store


@contextmanager
def standing_store(folder: Path, clock: StandingClock) -> Iterator[Store]:
    """A store that is ready, in a file of its own, on a clock that stands."""
    url = sqlite_url(folder / "queue.db")
    store = migrated(Store(url, clock=clock, wait=5), url)
    yield store
    store.close()


@functools.cache
def _ready_file() -> bytes:
    """A file that was migrated, and holds nothing."""
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder, "queue.db")
        store = a_store(sqlite_url(path))
        store.migrate()
        store.close()
        return path.read_bytes()


def sqlite_url(path: Path) -> str:
    """The address of a database file."""
    return f"sqlite:///{path}"


def an_id(kind: str, name: object) -> str:
    """An id of the right form, made from a name so that tests can say which."""
    digest = hashlib.sha256(str(name).encode()).digest()
    return f"{kind}_" + "".join("abcdefghijklmnopqrstuvwxyz234567"[byte % 32] for byte in digest[:26])


def a_run(name: object = 1, **changes: Any) -> NewRun:
    """A run report."""
    values: dict[str, Any] = {
        "id": an_id("run", name),
        "playbook": BOOK,
        "playbook_version": VERSION,
        "agent": "claude-code",
        "outcome": "worked",
        "origin": "0" * 16,
    }
    return NewRun(**{**values, **changes})


def a_submission(name: object = 1, **changes: Any) -> NewSubmission:
    """A submission."""
    values: dict[str, Any] = {
        "id": an_id("sub", name),
        "kind": "use_case",
        "title": "Sort the family's photographs",
        "body": "By person and year, with nothing deleted.",
        "origin": "0" * 16,
    }
    return NewSubmission(**{**values, **changes})


def once(key: str = "key-1", body: str = "body", caller: str = "c:1") -> Once:
    """What makes a write happen once."""
    return Once(caller, sha(key), sha(body), f"the answer to {caller} {key}".encode(errors="replace"))


def set_back(store: Store) -> None:
    """Make a store's database what the first schema was."""
    with store._database.migrating() as connection:
        for name in ("reviews", "drafts", "outbox", "sessions", "leases", "jobs"):
            connection.exec_driver_sql(f"DROP TABLE {name}")
        connection.exec_driver_sql("ALTER TABLE runs DROP COLUMN edit_hash")
        connection.exec_driver_sql("UPDATE alembic_version SET version_num = '0001'")


def sha(text: str) -> bytes:
    """The SHA-256 of a text, as keys are known by."""
    return hashlib.sha256(text.encode()).digest()


def rows(url: str, statement: str) -> list[tuple[Any, ...]]:
    """What stands in the tables, read without the store."""
    parsed = make_url(url)
    if parsed.get_backend_name() == "sqlite":
        with closing(sqlite3.connect(str(parsed.database))) as connection:
            return connection.execute(statement).fetchall()
    dsn = f"host={parsed.query['host']} user=postgres dbname={parsed.database}"
    with psycopg.connect(dsn) as server:
        return server.execute(statement.encode()).fetchall()


def count(url: str, table: str) -> int:
    """How many rows a table holds."""
    return int(rows(url, f"SELECT count(*) FROM {table}")[0][0])
