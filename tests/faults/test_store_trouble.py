"""SQLite in trouble: the disk is full, another process holds the lock, a reader never ends."""

from __future__ import annotations

import subprocess
import sys
import time
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest
from sqlalchemy import Engine, event

from tests.waiting import AT_ONCE
from tests.writeapi.store import holder
from tests.writeapi.store.builders import a_run, a_store, count, once, rows, sqlite_url
from tests.writeapi.store.worker import said
from writeapi.store import Store
from writeapi.store.engine import Unavailable
from writeapi.store.records import Receipt

KIB = 1024


@pytest.fixture
def url(tmp_path: Path) -> str:
    return sqlite_url(tmp_path / "queue.db")


@pytest.fixture
def store(url: str) -> Iterator[Store]:
    made = a_store(url, wait=0.5)
    made.migrate()
    yield made
    made.close()


def holding(folder: Path, how: str) -> subprocess.Popen[str]:
    """Another process that holds the database until it is told to end."""
    command = [sys.executable, holder.__file__, str(folder / "queue.db"), how]
    pipe = subprocess.PIPE
    process = subprocess.Popen(command, stdin=pipe, stdout=pipe, stderr=pipe, text=True)
    assert said(process) == "held"
    return process


def fill(store: Store, first: int = 0) -> list[Receipt]:
    """Store large reports until the database takes no more."""
    stored = []
    for number in range(first, first + 1000):
        try:
            stored.append(store.add(a_run(number, lesson="x" * 8 * KIB), once(str(number))))
        except Unavailable:
            return stored
    raise AssertionError("it never became full")


def limit_pages(engine: Engine, pages: int) -> None:
    """Let every connection made from now on have a file of this many pages at most: a disk of that size."""
    engine.dispose()
    event.listen(engine, "connect", lambda raw, _entry: raw.execute(f"PRAGMA max_page_count = {pages}").close())


def test_a_full_disk_refuses_and_damages_nothing(store: Store, url: str) -> None:
    limit_pages(store._database.engine, 200)
    stored = fill(store)
    assert 20 < len(stored) < 100
    assert store.run(stored[0].id), "it still reads"
    assert store.add(a_run("again"), once("0")) == Receipt(
        stored[0].id, stored[0].created, stored[0].answer, fresh=False
    )
    assert {run for (run,) in rows(url, "SELECT id FROM runs")} == {receipt.id for receipt in stored}
    assert count(url, "audit") == count(url, "answers") == len(stored)
    assert rows(url, "PRAGMA integrity_check") == [("ok",)]
    limit_pages(store._database.engine, 2_000)
    assert store.add(a_run("later", lesson="x" * 8 * KIB), None).fresh, "room was made, and it takes again"


def test_a_locked_database_is_unavailable_in_time_and_free_afterwards(store: Store, url: str, tmp_path: Path) -> None:
    store.add(a_run(1), None)
    process = holding(tmp_path, "write")
    started = time.monotonic()
    with pytest.raises(Unavailable):
        store.add(a_run(2), None)
    assert 0.4 < time.monotonic() - started < AT_ONCE
    with pytest.raises(Unavailable):
        store.ready()
    assert store.run(a_run(1).id), "readers go on"
    process.communicate("done\n")
    assert store.add(a_run(2), None).fresh
    assert count(url, "runs") == 2


def test_a_crowd_before_a_locked_database_is_told_in_time(store: Store, url: str, tmp_path: Path) -> None:
    process = holding(tmp_path, "write")

    def refused(name: int) -> float:
        started = time.monotonic()
        with pytest.raises(Unavailable):
            store.add(a_run(name), None)
        return time.monotonic() - started

    with ThreadPoolExecutor(16) as crowd:
        assert max(crowd.map(refused, range(16))) < 16 * 0.5 / 2, "all at once, not one after the other"
    process.communicate("done\n")
    assert count(url, "runs") == 0
