"""What an operator watches: how much there is of what, what waits, and since when."""

from __future__ import annotations

from collections.abc import Iterator
from datetime import timedelta
from pathlib import Path

import pytest

from tests.writeapi.review.desk import reported, sent
from tests.writeapi.store.builders import StandingClock, standing_store
from writeapi.store import Store


@pytest.fixture
def store(tmp_path: Path, clock: StandingClock) -> Iterator[Store]:
    with standing_store(tmp_path, clock) as made:
        yield made


def test_an_empty_store_has_nothing_that_waits(store: Store) -> None:
    numbers = {(): 0}
    assert store.figures() == {
        **{name: {} for name in ("records", "transitions", "queue", "job_failures")},
        **dict.fromkeys(("queue_age_seconds", "outbox", "outbox_age_seconds", "worker_up"), numbers),
    }
    assert store.outbox_waits() == (0, 0.0)


@pytest.mark.slow
def test_everything_is_counted_by_kind_and_state_and_the_oldest_has_its_age(store: Store, clock: StandingClock) -> None:
    one, two = reported(store, "one"), reported(store, "two")
    clock.now += timedelta(seconds=30)
    sent(store, "lesson", kind="lesson")
    sent(store, "case", screened=False)
    assert store.approve_runs([(one, 1)], by="editor:c:1") == {}
    store.move(two, "rejected", by="editor:c:1", reasons=["spam"])
    clock.now += timedelta(seconds=60)
    assert store.figures() == {
        "records": {
            ("run", "approved"): 1,
            ("run", "rejected"): 1,
            ("submission", "screened"): 1,
            ("submission", "queued"): 1,
        },
        "transitions": {("pending",): 2, ("approved",): 1, ("rejected",): 1, ("queued",): 2, ("screened",): 1},
        "queue": {("lesson",): 1, ("use_case",): 1},
        "queue_age_seconds": {(): 60.0},
        "outbox": {(): 1},
        "outbox_age_seconds": {(): 60.0},
        "job_failures": {},
        "worker_up": {(): False},
    }
    clock.now -= timedelta(days=1)
    assert store.outbox_waits() == (1, 0.0), "a clock that was set back makes nothing younger than nothing"
