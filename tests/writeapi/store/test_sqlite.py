"""What SQLite is told by each connection, how long a writer waits inside it, and how its log is kept short."""

from __future__ import annotations

import os
import sqlite3
import stat
import time
from contextlib import closing
from pathlib import Path

import pytest
from sqlalchemy import Connection

from tests.writeapi.store.builders import a_run, migrated, sqlite_url, ticking
from writeapi.store import Store
from writeapi.store.engine import DAMAGED, NO_ANSWER, SqliteDatabase, Unavailable


@pytest.fixture
def url(tmp_path: Path) -> str:
    """The address of an empty database of SQLite."""
    return sqlite_url(tmp_path / "queue.db")


def file_of(url: str) -> Path:
    """The file of a database."""
    return Path(url.removeprefix("sqlite:///"))


def waits(connection: Connection) -> object:
    """How many milliseconds SQLite itself waits for a lock."""
    return connection.exec_driver_sql("PRAGMA busy_timeout").scalar()


@pytest.mark.parametrize(
    ("version", "faulty"),
    [((3, 51, 2), True), ((3, 50, 9), True), ((3, 51, 3), False), ((3, 52, 0), False)],
)
def test_a_version_with_a_known_fault_is_said_to_have_it(
    store: Store, url: str, monkeypatch: pytest.MonkeyPatch, version: tuple[int, int, int], *, faulty: bool
) -> None:
    monkeypatch.setattr(sqlite3, "sqlite_version_info", version)
    said = store.describe()
    assert ("WAL-reset" in said) is faulty
    assert str(file_of(url)) in said
    assert "synchronous FULL" in said


def test_a_writer_waits_in_sqlite_no_longer_than_is_left_of_its_turn_and_a_reader_as_long_as_ever(
    url: str,
) -> None:
    migrated(Store(url, clock=ticking(), wait=5), url).close()
    database = SqliteDatabase(file_of(url), 5)
    with database.write() as connection:
        assert waits(connection) == 5000, "what the gate took is less than a tenth: nothing has to be said"
    for patience, said in ((4501, 5000), (4500, 5000), (4499, 4499), (4000, 4000), (0, 0)):
        with database.engine.connect().execution_options(patience=patience) as connection, connection.begin():
            assert waits(connection) == said, patience
        with database.read() as connection:
            assert waits(connection) == 5000, patience
    database.close()


def test_a_writer_takes_its_lock_at_once_and_a_reader_none(store: Store, url: str) -> None:
    with store._database.read(), closing(sqlite3.connect(file_of(url), timeout=0)) as other:
        other.execute("BEGIN IMMEDIATE")
        other.rollback()
    with (
        store._database.write(),
        closing(sqlite3.connect(file_of(url), timeout=0)) as other,
        pytest.raises(sqlite3.OperationalError, match="locked"),
    ):
        other.execute("BEGIN IMMEDIATE")


def grown(url: str, limit: int, runs: int) -> tuple[SqliteDatabase, Path]:
    """A database whose log has this limit, and reports in that log."""
    migrated(Store(url, clock=ticking(), wait=5), url).close()
    store = Store(url, clock=ticking(), wait=5)
    for number in range(runs):
        store.add(a_run(number), None)
    database = SqliteDatabase(file_of(url), 5, limit)
    with database.read() as connection:
        connection.exec_driver_sql("SELECT count(*) FROM runs").scalar()
    return database, file_of(url).with_name("queue.db-wal")


def test_a_log_that_grew_is_emptied_before_the_next_write_and_not_sooner(url: str) -> None:
    database, log = grown(url, 8 * 1024 * 1024, 3)
    size = log.stat().st_size
    assert size > 4096
    with database.write():
        assert log.stat().st_size == size
    for limit, after in ((size * 8, size), (size * 8 - 8, 0)):
        small = SqliteDatabase(file_of(url), 5, limit)
        with small.write() as connection:
            assert log.stat().st_size == after, limit
            assert waits(connection) == 5000
        small.close()


def test_a_log_that_a_reader_holds_is_let_be_up_to_its_limit_and_no_further(url: str) -> None:
    database, log = grown(url, 8 * 1024 * 1024, 3)
    size = log.stat().st_size
    with database.read() as reader:
        reader.exec_driver_sql("SELECT count(*) FROM runs").scalar()
        begun = time.monotonic()
        with SqliteDatabase(file_of(url), 60, size).write():
            assert log.stat().st_size == size
        with (
            pytest.raises(Unavailable, match="log is at its limit"),
            SqliteDatabase(file_of(url), 60, size - 1).write(),
        ):
            pass
        assert time.monotonic() - begun < 60, "it does not wait for the reader"


def test_a_connection_keeps_a_log_that_was_emptied_short(url: str) -> None:
    database, _ = grown(url, 1600, 0)
    with database.read() as connection:
        assert connection.exec_driver_sql("PRAGMA journal_size_limit").scalar() == 100


def test_what_lies_beside_a_database_is_its_owners_alone_and_new_folders_are_made(tmp_path: Path) -> None:
    url = sqlite_url(tmp_path / "a" / "b" / "queue.db")
    store = Store(url, clock=ticking(), wait=5)
    for _ in range(2):
        store.migrate()
    store.add(a_run(), None)
    modes = {path.name: stat.S_IMODE(path.stat().st_mode) for path in (tmp_path / "a" / "b").iterdir()}
    assert {"queue.db", "queue.db-gate"} <= modes.keys()
    assert set(modes.values()) == {0o600}
    store.close()


def test_the_name_of_a_new_file_reaches_the_disk_with_it(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    synced: list[Path] = []
    monkeypatch.setattr(os, "fsync", lambda file: synced.append(Path(f"/proc/self/fd/{file}").readlink()))
    Store(sqlite_url(tmp_path / "queue.db"), clock=ticking(), wait=5).migrate()
    assert tmp_path in synced


def test_a_folder_is_where_the_file_lies_and_a_damaged_file_is_told_from_one_that_is_away(tmp_path: Path) -> None:
    path = tmp_path / "queue.db"
    database = SqliteDatabase(path, 1)
    assert database.folder == tmp_path
    with pytest.raises(Unavailable) as away, database.read():
        pass
    assert str(away.value) == NO_ANSWER
    path.write_bytes(b"not a database, but long enough to be looked at " * 100)
    with pytest.raises(Unavailable) as damaged, database.read() as connection:
        connection.exec_driver_sql("SELECT 1 FROM sqlite_master")
    assert str(damaged.value) == DAMAGED
