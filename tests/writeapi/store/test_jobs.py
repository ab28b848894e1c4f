"""The worker's lease and its jobs: one holder at a time, a lease that ends by itself, failures that count up."""

from __future__ import annotations

from concurrent.futures import ThreadPoolExecutor
from datetime import timedelta

from tests.writeapi.store.builders import START, a_run
from writeapi.store import Store

LONG = 60


def test_one_holds_a_lease_until_it_gives_it_back(store: Store) -> None:
    assert store.leased("worker") is None
    assert store.lease("worker", "one", LONG)
    assert not store.lease("worker", "two", LONG)
    assert store.lease("worker", "one", LONG), "who has it may keep it"
    assert store.leased("worker") == "one"
    store.release("worker", "two")
    assert store.leased("worker") == "one", "nobody gives back what is not his"
    store.release("worker", "one")
    assert store.lease("worker", "two", LONG)


def test_a_lease_ends_by_itself(store: Store, url: str) -> None:
    assert store.lease("worker", "killed", LONG)
    later = Store(url, clock=lambda: START + timedelta(seconds=LONG + 30), wait=5)
    try:
        assert later.leased("worker") is None
        assert later.lease("worker", "two", LONG)
    finally:
        later.close()
    assert not store.lease("worker", "killed", LONG)


def test_a_lease_taken_while_the_clock_was_ahead_holds_nobody_back(store: Store, url: str) -> None:
    ahead = Store(url, clock=lambda: START + timedelta(days=2), wait=5)
    try:
        assert ahead.lease("worker", "ahead", LONG)
    finally:
        ahead.close()
    assert store.lease("worker", "two", LONG)
    assert not store.lease("worker", "ahead", LONG)


def test_of_many_at_once_one_gets_it(store: Store) -> None:
    with ThreadPoolExecutor(8) as pool:
        got = list(pool.map(lambda number: store.lease("worker", f"w{number}", LONG), range(8)))
    assert got.count(True) == 1


def test_failures_count_up_and_a_success_ends_the_count(store: Store) -> None:
    assert store.jobs() == {}
    assert [store.job_ended("publish", "the remote is away", failed=True) for _ in range(3)] == [1, 2, 3]
    assert store.job_ended("screen", "screened 2", failed=False) == 0
    assert store.job_ended("publish", "published 1", failed=False) == 0
    assert {name: job.said for name, job in store.jobs().items()} == {"publish": "published 1", "screen": "screened 2"}


def test_the_last_change_grows_with_what_is_sent(store: Store) -> None:
    before = store.last_change()
    store.add(a_run(), None)
    assert store.last_change() > before
