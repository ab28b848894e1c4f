"""Retention: what is old is forgotten, once; the audit and what was sent stay; writers go on meanwhile."""

from __future__ import annotations

import threading
from datetime import timedelta
from itertools import count as numbers
from typing import Any

import pytest

from tests.writeapi.store.builders import START, a_run, a_store, a_submission, count, once, rows, sha
from writeapi.store import Store
from writeapi.store.queue import FORGOTTEN, STEP, Pruned

pytestmark = pytest.mark.slow


def later(url: str, days: float) -> Store:
    """The same store, so many days later."""
    ticks = numbers()
    return Store(url, clock=lambda: START + timedelta(days=days, milliseconds=next(ticks)), wait=5)


def pruned(url: str, days: float, **options: Any) -> Pruned:
    store = later(url, days)
    try:
        return store.prune(**{"addresses_days": 30, "answers_days": 7, **options})
    finally:
        store.close()


def test_each_goes_in_its_time_and_the_rest_stays(store: Store, url: str) -> None:
    store.add(a_run(), once())
    store.add(a_submission(), None)
    audit = rows(url, "SELECT * FROM audit ORDER BY id")
    kept = rows(url, "SELECT id, state, version, created, updated, lesson FROM runs")
    assert pruned(url, 6.9) == Pruned(0, 0, 0)
    assert count(url, "audit") == len(audit), "nothing done is nothing to record"
    assert pruned(url, 7.1) == Pruned(0, 1, 0)
    assert pruned(url, 30.1) == Pruned(2, 0, 0)
    assert rows(url, "SELECT origin FROM runs UNION ALL SELECT origin FROM submissions") == [(FORGOTTEN,)] * 2
    assert rows(url, "SELECT id, state, version, created, updated, lesson FROM runs") == kept
    assert rows(url, "SELECT * FROM audit WHERE subject <> 'store' ORDER BY id") == audit
    assert rows(url, "SELECT became, note FROM audit WHERE subject = 'store' ORDER BY id") == [
        ("pruned", "0 addresses, 1 answers, 0 sessions"),
        ("pruned", "2 addresses, 0 answers, 0 sessions"),
    ]


def test_twice_is_as_once(store: Store, url: str) -> None:
    store.add(a_run(), once())
    assert pruned(url, 40) == Pruned(1, 1, 0)
    assert pruned(url, 40) == Pruned(0, 0, 0)


def test_sessions_that_ended_go_and_one_that_lasts_stays(store: Store, url: str) -> None:
    store.add_contributor("ada", None, sha("key"), "pbl_x")
    store.open_session(sha("key"), sha("session"), "csrf")
    assert pruned(url, 0.4) == Pruned(0, 0, 0)
    assert pruned(url, 2) == Pruned(0, 0, 1)


def test_more_than_a_step_goes_too(store: Store, url: str) -> None:
    for number in range(STEP + 20):
        store.add(a_run(number), None)
    assert pruned(url, 31) == Pruned(STEP + 20, 0, 0)


def test_writers_go_on_and_lose_nothing(store: Store, url: str) -> None:
    for number in range(60):
        store.add(a_run(("old", number)), once(f"old {number}"))
    stop, done = threading.Event(), list[str]()

    def write(name: int) -> None:
        for number in range(100_000):
            if stop.is_set():
                return
            done.append(busy.add(a_run((name, number)), once(f"{name}.{number}")).id)

    busy = a_store(url)
    crew = [threading.Thread(target=write, args=(name,)) for name in range(3)]
    for thread in crew:
        thread.start()
    together: list[Pruned] = []
    pruners = [threading.Thread(target=lambda: together.append(pruned(url, -1e-3 + 31))) for _ in range(2)]
    for thread in pruners:
        thread.start()
    for thread in pruners:
        thread.join()
    stop.set()
    for thread in crew:
        thread.join()
    busy.close()
    assert {run for (run,) in rows(url, "SELECT id FROM runs")} >= set(done)
    assert len(done) >= 3
    assert sum(one.addresses for one in together) >= 60, "two at once share the work"
    assert count(url, "audit") == count(url, "runs") + sum(1 for one in together if one != Pruned(0, 0, 0))
