"""PostgreSQL dies under load and comes back: refused meanwhile, nothing lost, and the store recovers by itself."""

from __future__ import annotations

import threading
import time
from collections.abc import Iterator, Sized

import pytest

from tests.postgres import PostgresServer, needs_postgres
from tests.waiting import AT_ONCE, until
from tests.writeapi.store.builders import a_run, a_store, count, once, rows
from writeapi.store import Store
from writeapi.store.engine import Unavailable

pytestmark = [pytest.mark.slow, pytest.mark.system, needs_postgres]


@pytest.fixture
def server() -> Iterator[PostgresServer]:
    """A server of this test's own, for it is killed."""
    made = PostgresServer()
    try:
        made.start()
        yield made
    finally:
        made.remove()


@pytest.fixture
def url(server: PostgresServer) -> str:
    return server.fresh()


@pytest.fixture
def store(url: str) -> Iterator[Store]:
    made = a_store(url, wait=2)
    made.migrate()
    yield made
    made.close()


def test_a_dead_server_is_unavailable_and_a_live_one_is_used_again(
    server: PostgresServer, store: Store, url: str
) -> None:
    first = store.add(a_run(1), once("1"))
    for number in (2, 3):
        server.kill()
        for attempt in (store.ready, lambda: store.run(first.id), lambda: store.add(a_run("no"), once("no"))):
            started = time.monotonic()
            with pytest.raises(Unavailable):
                attempt()
            assert time.monotonic() - started < AT_ONCE
        server.start()
        store.ready()
        assert store.add(a_run(number), once(str(number))).fresh, "the first write after it came back"
        assert store.add(a_run("again"), once("1")).id == first.id
    assert count(url, "runs") == 3


def test_a_server_killed_under_load_loses_and_doubles_nothing(server: PostgresServer, store: Store, url: str) -> None:
    acknowledged: dict[str, str] = {}
    refused: list[float] = []
    done = threading.Event()

    def write(thread: int) -> None:
        number = 0
        while not done.is_set():
            label = f"{thread}.{number}"
            try:
                receipt = store.add(a_run((label, time.monotonic_ns()), reporter=label), once(label))
            except Unavailable:
                refused.append(time.monotonic())
                time.sleep(0.02)
                continue
            acknowledged[label] = receipt.id
            number += 1

    def more(grows: Sized, many: int) -> None:
        before = len(grows)
        until(lambda: len(grows) >= before + many, "more writes")

    crew = [threading.Thread(target=write, args=(thread,)) for thread in range(4)]
    for thread in crew:
        thread.start()
    for _ in range(3):
        more(acknowledged, 20)
        server.kill()
        more(refused, 4)
        server.start()
    more(acknowledged, 20)
    done.set()
    for thread in crew:
        thread.join()
    assert refused
    assert len(acknowledged) > 50
    stored = rows(url, "SELECT reporter, id FROM runs")
    assert dict(stored) == acknowledged
    assert len(stored) == count(url, "answers") == count(url, "audit") == len(acknowledged)


def test_a_statement_that_waits_for_a_lock_ends(store: Store, url: str) -> None:
    run = store.add(a_run(), None).id
    other = a_store(url)
    with other._database.write() as connection:
        connection.exec_driver_sql("UPDATE runs SET agent = 'x'")
        started = time.monotonic()
        with pytest.raises(Unavailable):
            store.move(run, "approved", by="editor")
        assert 1.5 < time.monotonic() - started < AT_ONCE
    other.close()
    store.move(run, "approved", by="editor")
