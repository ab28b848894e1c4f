"""What the engines are: the schema and the way to it, readiness, addresses that are refused, forks and the gate."""

from __future__ import annotations

import os
import sqlite3
import stat
import threading
import time
from pathlib import Path

import pytest
from alembic.autogenerate import compare_metadata
from alembic.migration import MigrationContext

from library.problems import UsageError
from tests.writeapi.store.builders import a_run, a_store, count, rows, set_back, sqlite_url
from writeapi.store import Store
from writeapi.store.engine import Gate, Unavailable
from writeapi.store.schema import metadata


def test_a_database_of_an_earlier_time_is_brought_up_and_keeps_its_rows(url: str) -> None:
    store = a_store(url)
    store.migrate()
    store.add(a_run(), None)
    set_back(store)
    with pytest.raises(Unavailable, match="0001"):
        store.ready()
    store.migrate()
    store.ready()
    assert count(url, "runs") == 1
    with store._database.read() as connection:
        assert compare_metadata(MigrationContext.configure(connection), metadata) == []
    store.close()


def test_migrating_again_changes_nothing(store: Store, url: str) -> None:
    store.add(a_run(), None)
    store.migrate()
    assert count(url, "runs") == 1
    store.ready()


def test_a_store_is_ready_only_when_it_was_migrated(url: str) -> None:
    store = a_store(url, wait=1)
    with pytest.raises(Unavailable):
        store.ready()
    with pytest.raises(Unavailable):
        store.add(a_run(), None)
    store.migrate()
    store.ready()
    assert count(url, "audit") == 0, "the trial leaves nothing"
    store.close()


def test_a_database_of_another_time_is_not_used(store: Store) -> None:
    with store._database.write() as connection:
        connection.exec_driver_sql("UPDATE alembic_version SET version_num = '9999'")
    with pytest.raises(Unavailable, match="9999"):
        store.ready()


def test_what_is_used_is_said_without_credentials(store: Store) -> None:
    assert store.describe().startswith(("SQLite 3.", "PostgreSQL, "))
    assert "postgres@" not in store.describe()
    away = a_store("postgresql://me:secret@127.0.0.1:1/db", wait=1).describe()
    assert away == "PostgreSQL, database db on 127.0.0.1"


@pytest.mark.parametrize(
    "address", ["", "queue.db", "sqlite://", "sqlite:///:memory:", "mysql://me:secret@host/db", "sqlite:///file:x?a=b"]
)
def test_an_address_that_cannot_be_used_is_refused_without_saying_it(address: str) -> None:
    with pytest.raises(UsageError) as refused:
        a_store(address)
    assert "secret" not in str(refused.value)


@pytest.mark.parametrize("scheme", ["postgres", "postgresql", "postgresql+psycopg2"])
def test_postgresql_is_always_spoken_to_by_the_same_driver(scheme: str) -> None:
    assert a_store(f"{scheme}://host/db")._database.engine.dialect.driver == "psycopg"


def test_errors_hold_nothing_that_a_caller_wrote(store: Store) -> None:
    store.add(a_run(), None)
    with pytest.raises(Exception, match=r"(?i)unique") as refused:
        store.add(a_run(lesson="private matter"), None)
    assert "private matter" not in str(refused.value)


def test_threads_share_a_store(store: Store, url: str) -> None:
    def write(name: int) -> None:
        for number in range(5):
            store.add(a_run((name, number)), None)
            assert store.run(a_run((name, number)).id)

    threads = [threading.Thread(target=write, args=(name,)) for name in range(8)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert count(url, "runs") == count(url, "audit") == 40


def test_a_forked_process_makes_its_own_connections(store: Store, url: str) -> None:
    store.add(a_run(1), None)
    child = os.fork()
    if child == 0:
        try:
            store.add(a_run(2), None)
        finally:
            os._exit(0)
    os.waitpid(child, 0)
    store.add(a_run(3), None)
    assert count(url, "runs") == 3


def test_sqlite_keeps_a_log_syncs_fully_and_is_its_owners_alone(tmp_path: Path) -> None:
    path = tmp_path / "new folder %" / "queue #1?.db"
    store = a_store(sqlite_url(path).replace("?", "%3F"))
    path = Path(str(store._database.path))  # type: ignore[union-attr]  # only SQLite's has a path
    store.migrate()
    with store._database.read() as connection:
        said = {name: connection.exec_driver_sql(f"PRAGMA {name}").scalar() for name in PRAGMAS}
    assert said == PRAGMAS
    assert stat.S_IMODE(path.stat().st_mode) == 0o600
    store.close()


PRAGMAS = {"journal_mode": "wal", "synchronous": 2, "foreign_keys": 1}


def test_a_database_that_was_lost_is_not_made_anew_by_a_write(tmp_path: Path) -> None:
    store = a_store(sqlite_url(tmp_path / "queue.db"), wait=1)
    with pytest.raises(Unavailable):
        store.add(a_run(), None)
    assert not (tmp_path / "queue.db").exists()
    store.close()


def test_a_store_is_closed_also_where_there_is_nothing(tmp_path: Path) -> None:
    a_store(sqlite_url(tmp_path / "no" / "queue.db"), wait=1).close()


def test_a_store_that_was_closed_opens_again(store: Store) -> None:
    store.add(a_run(), None)
    store.close()
    assert store.run(a_run().id)


def test_readers_do_not_wait_for_a_writer(store: Store) -> None:
    store.add(a_run(), None)
    with store._database.write() as connection:
        connection.exec_driver_sql("UPDATE runs SET agent = 'x'")
        found = store.run(a_run().id)
    assert found is not None
    assert found.agent == "claude-code"


@pytest.mark.slow
def test_the_gate_opens_for_one_and_in_time_or_not_at_all(tmp_path: Path) -> None:
    first, second = Gate(tmp_path / "db"), Gate(tmp_path / "db")
    with first.held(time.monotonic() + 1):
        started = time.monotonic()
        with pytest.raises(Unavailable), second.held(started + 0.2):
            pass
        assert 0.15 < time.monotonic() - started < 0.6
        with pytest.raises(Unavailable), first.held(started):
            pass
    with second.held(time.monotonic() + 1):
        pass


def test_a_damaged_file_is_unavailable(tmp_path: Path) -> None:
    path = tmp_path / "queue.db"
    path.write_bytes(b"not a database, but long enough to be looked at " * 100)
    store = a_store(sqlite_url(path), wait=1)
    for attempt in (store.migrate, store.ready, lambda: store.add(a_run(), None), lambda: store.run("x")):
        with pytest.raises(Unavailable):
            attempt()
    store.close()


def test_a_folder_that_cannot_be_is_unavailable(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("")
    with pytest.raises(Unavailable):
        a_store(sqlite_url(tmp_path / "file" / "queue.db"), wait=1).migrate()


def test_sqlite_refuses_a_key_to_nobody(store: Store, url: str) -> None:
    if url.startswith("sqlite"):
        assert rows(url, "PRAGMA integrity_check") == [("ok",)]
    with pytest.raises(Exception, match=r"(?i)foreign key"):
        store.add(a_run(contributor_id=77), None)
    assert count(url, "runs") == 0


def test_sqlite_is_new_enough() -> None:
    assert sqlite3.sqlite_version_info >= (3, 35), "RETURNING"
