"""What SQLite is told by each connection, how long a writer waits inside it, and how its log is kept short."""

from __future__ import annotations

import os
import sqlite3
import stat
from contextlib import closing
from pathlib import Path

import pytest

from tests.writeapi.store.builders import a_run, sqlite_url, ticking
from writeapi.store import Store
from writeapi.store.engine import DAMAGED, NO_ANSWER, SqliteDatabase, Unavailable


@pytest.fixture
def url(tmp_path: Path) -> str:
    """The address of an empty database of SQLite."""
    return sqlite_url(tmp_path / "queue.db")


def file_of(url: str) -> Path:
    """The file of a database."""
    return Path(url.removeprefix("sqlite:///"))


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
