"""What counts requests when Redis is away: a spare storage or nobody, and Redis is asked again now and then."""

from __future__ import annotations

import socket
from collections.abc import Iterator

import pytest
from limits import parse
from limits.storage import MemoryStorage

from writeapi.limits_guard import REST_SECONDS, Breaker, GuardedStorage, RememberingFixedWindow
from writeapi.limits_storage import LimitsUnavailable


class Clock:
    """A clock that stands until it is told to go."""

    def __init__(self) -> None:
        self.now = 1000.0

    def __call__(self) -> float:
        return self.now


@pytest.fixture
def nowhere() -> Iterator[str]:
    """The address of a Redis that is not there: the port is taken, and nobody listens."""
    with socket.socket() as taken:
        taken.bind(("127.0.0.1", 0))
        yield f"redis://127.0.0.1:{taken.getsockname()[1]}/0"


def guarded(primary: str, spare: str) -> Iterator[GuardedStorage]:
    storage = GuardedStorage(primary=primary, spare=spare)
    yield storage
    storage.close()


@pytest.fixture
def spared(nowhere: str) -> Iterator[GuardedStorage]:
    yield from guarded(nowhere, "memory://")


@pytest.fixture
def alone(nowhere: str) -> Iterator[GuardedStorage]:
    yield from guarded(nowhere, "")


def test_after_a_failure_one_request_tries_again_when_the_rest_is_over() -> None:
    clock = Clock()
    breaker = Breaker(2.0, clock)
    assert breaker.may_try()
    breaker.tell(worked=False)
    clock.now += 1.9
    assert not breaker.may_try()
    clock.now += 0.1
    assert [breaker.may_try(), breaker.may_try()] == [True, False]
    clock.now += 2
    assert breaker.may_try()
    breaker.tell(worked=True)
    assert [breaker.may_try(), breaker.may_try()] == [True, True]


def test_the_spare_counts_while_redis_is_away(spared: GuardedStorage) -> None:
    assert [spared.incr("a", 60), spared.incr("a", 60, 3), spared.get("a"), spared.get("b")] == [1, 4, 4, 0]
    assert spared.get_expiry("a") > spared.get_expiry("b")
    assert spared.check()
    spared.incr("b", 60)
    spared.clear("a")
    assert [spared.get("a"), spared.get("b")] == [0, 1]
    spared.reset()
    assert spared.get("b") == 0


def test_without_a_spare_everything_is_refused_and_says_when_to_come_again(alone: GuardedStorage) -> None:
    for ask in (lambda: alone.incr("a", 60), lambda: alone.get("a"), lambda: alone.clear("a"), alone.reset):
        with pytest.raises(LimitsUnavailable) as refused:
            ask()
        assert refused.value.retry_after == round(REST_SECONDS) + 1
    assert not alone.check()
    assert alone.base_exceptions is LimitsUnavailable


def test_a_storage_that_is_asynchronous_is_no_spare(nowhere: str) -> None:
    with pytest.raises(TypeError, match="must not be an asynchronous one"):
        GuardedStorage(primary=nowhere, spare="async+memory://")


def test_who_was_refused_stays_so_until_the_window_ends_and_others_do_not() -> None:
    clock, limit, storage = Clock(), parse("2/minute"), MemoryStorage()
    windows = RememberingFixedWindow(storage, monotonic=clock)
    assert [windows.hit(limit, "ada") for _ in range(3)] == [True, True, False]
    counted = storage.get(limit.key_for("ada"))
    assert not windows.hit(limit, "ada")
    assert not windows.test(limit, "ada")
    assert storage.get(limit.key_for("ada")) == counted
    assert windows.get_window_stats(limit, "ada").remaining == 0
    assert windows.test(limit, "bo")
    assert windows.get_window_stats(limit, "bo").remaining == 2
    clock.now += 61
    storage.reset()
    assert windows.hit(limit, "ada")


def test_who_is_forgotten_may_send_again() -> None:
    windows, limit = RememberingFixedWindow(MemoryStorage()), parse("1/minute")
    assert [windows.hit(limit, "ada"), windows.hit(limit, "ada")] == [True, False]
    windows.clear(limit, "ada")
    assert windows.hit(limit, "ada")
