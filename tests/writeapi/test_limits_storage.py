"""The counters in SQLite: exact, kept, swept, and a clear error when they cannot be kept."""

from __future__ import annotations

import multiprocessing
import os
import sqlite3
import stat
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest
from limits import RateLimitItemPerMinute
from limits.storage import MemoryStorage, storage_from_string
from limits.strategies import SlidingWindowCounterRateLimiter

from writeapi.limits_guard import RememberingFixedWindow
from writeapi.limits_storage import LimitsUnavailable, SqliteStorage, sqlite_url

MINUTE = RateLimitItemPerMinute(60)


class Clock:
    """A clock that stands still until it is told to go on."""

    def __init__(self) -> None:
        self.now = 1_800_000_000.0

    def __call__(self) -> float:
        return self.now


@pytest.fixture
def clock() -> Clock:
    return Clock()


@pytest.fixture
def storage(tmp_path: Path, clock: Clock) -> Iterator[SqliteStorage]:
    opened = SqliteStorage(sqlite_url(tmp_path / "var" / "limits.db"), clock=clock, wait=0.2)
    yield opened
    opened.close()


def rows(storage: SqliteStorage) -> int:
    connection = sqlite3.connect(storage.path)
    count: int = connection.execute("SELECT count(*) FROM windows").fetchone()[0]
    connection.close()
    return count


def test_the_library_finds_it_by_its_scheme(tmp_path: Path) -> None:
    path = tmp_path / "a folder" / "100% limits?.db"
    storage = storage_from_string(sqlite_url(path))
    assert isinstance(storage, SqliteStorage)
    assert storage.check()
    assert path.exists()
    storage.close()


def test_a_fixed_window_counts_ends_and_opens_again(storage: SqliteStorage, clock: Clock) -> None:
    assert [storage.incr("k", 60) for _ in range(3)] == [1, 2, 3]
    assert storage.get_expiry("k") == clock.now + 60
    clock.now += 59.9
    assert storage.incr("k", 60, amount=2) == 5
    clock.now += 0.1
    assert storage.get("k") == 0
    assert storage.incr("k", 60) == 1
    assert storage.get_expiry("k") == clock.now + 60


def test_a_clock_set_back_does_not_make_a_window_longer(storage: SqliteStorage, clock: Clock) -> None:
    storage.incr("k", 60)
    clock.now -= 3600
    assert storage.incr("k", 60) == 2
    assert storage.get_expiry("k") == clock.now + 60


def test_the_sliding_window_lets_through_what_the_library_s_own_does(
    storage: SqliteStorage, clock: Clock, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("time.time", clock)
    theirs = MemoryStorage()
    limiters = [SlidingWindowCounterRateLimiter(each) for each in (storage, theirs)]
    for step in range(400):
        clock.now += (step * 7 % 11) / 10
        ours, reference = (limiter.hit(MINUTE, "caller") for limiter in limiters)
        assert ours == reference, step
    assert rows(storage) <= 4
    theirs.timer.cancel()


def test_counters_are_kept_over_a_restart(storage: SqliteStorage, clock: Clock) -> None:
    storage.incr("k", 60, amount=7)
    storage.close()
    again = SqliteStorage(sqlite_url(storage.path), clock=clock)
    assert again.incr("k", 60) == 8
    again.close()


def test_expired_rows_are_removed(storage: SqliteStorage, clock: Clock) -> None:
    for number in range(300):
        storage.incr(f"k{number}", 60)
    assert rows(storage) == 300
    clock.now += 61
    storage.incr("new", 60)
    assert rows(storage) == 101
    storage.incr("new", 60)
    assert rows(storage) == 1


def test_clear_and_reset_forget(storage: SqliteStorage) -> None:
    storage.incr("a", 60)
    storage.incr("b", 60)
    storage.clear("a")
    assert (storage.get("a"), storage.get("b")) == (0, 1)
    assert storage.reset() == 1
    assert storage.get("b") == 0


def test_who_was_refused_is_refused_from_memory_until_the_window_ends(storage: SqliteStorage, clock: Clock) -> None:
    limiter = RememberingFixedWindow(storage, clock=clock, monotonic=clock)
    assert [limiter.hit(MINUTE, "caller") for _ in range(61)] == [True] * 60 + [False]
    clock.now += 20
    before = sqlite_changes(storage)
    assert not any(limiter.hit(MINUTE, "caller") for _ in range(1_000))
    assert sqlite_changes(storage) == before
    assert limiter.get_window_stats(MINUTE, "caller") == pytest.approx((clock.now + 40, 0))
    assert limiter.hit(MINUTE, "another")
    clock.now += 40
    assert limiter.hit(MINUTE, "caller")


def sqlite_changes(storage: SqliteStorage) -> tuple[int, bytes]:
    log = storage.path.with_name(storage.path.name + "-wal")
    return log.stat().st_size, log.read_bytes()


def locked(path: Path) -> Callable[[], None]:
    connection = sqlite3.connect(path, isolation_level=None, check_same_thread=False)
    connection.execute("BEGIN EXCLUSIVE")
    return connection.close


def test_a_locked_database_is_a_clear_error_and_then_works_again(storage: SqliteStorage) -> None:
    storage.incr("k", 60)
    unlock = locked(storage.path)
    with pytest.raises(LimitsUnavailable, match="locked"):
        storage.incr("k", 60)
    assert not storage.check()
    unlock()
    assert storage.incr("k", 60) == 2


def fill(storage: SqliteStorage) -> None:
    for number in range(10_000):
        storage.incr(f"key-{number:060d}", 60)


def test_a_full_database_is_a_clear_error_and_what_expired_makes_room(tmp_path: Path, clock: Clock) -> None:
    storage = SqliteStorage(sqlite_url(tmp_path / "limits.db"), clock=clock, max_pages=8)
    with pytest.raises(LimitsUnavailable, match="full"):
        fill(storage)
    clock.now += 61
    assert storage.incr("k", 60) == 1
    storage.close()


@pytest.mark.parametrize("rubbish", [b"not a database" * 1_000, b""])
def test_a_damaged_file_is_a_clear_error_and_an_empty_one_is_made_whole(tmp_path: Path, rubbish: bytes) -> None:
    path = tmp_path / "limits.db"
    path.write_bytes(rubbish)
    storage = SqliteStorage(sqlite_url(path))
    if rubbish:
        with pytest.raises(LimitsUnavailable, match="not a database"):
            storage.incr("k", 60)
    else:
        assert storage.incr("k", 60) == 1
    storage.close()


def test_threads_count_exactly(storage: SqliteStorage) -> None:
    storage.wait = 10.0
    with ThreadPoolExecutor(16) as pool:
        assert sorted(pool.map(lambda _: storage.incr("k", 60), range(400))) == list(range(1, 401))


def count_many(address: str, times: int) -> list[int]:
    storage = SqliteStorage(address, wait=10.0)
    hits = [storage.incr("k", 600) for _ in range(times)]
    storage.close()
    return hits


@pytest.mark.slow
def test_processes_that_start_at_once_count_exactly(tmp_path: Path) -> None:
    address = sqlite_url(tmp_path / "limits.db")
    with multiprocessing.get_context("spawn").Pool(4) as pool:
        answers = pool.starmap(count_many, [(address, 250)] * 4, chunksize=1)
    assert sorted(hit for hits in answers for hit in hits) == list(range(1, 1_001))


def test_a_forked_child_opens_the_database_for_itself(storage: SqliteStorage) -> None:
    storage.incr("k", 60)
    child = os.fork()
    if not child:
        code = 1
        try:
            code = 0 if storage.incr("k", 60) == 2 else 1
        finally:
            os._exit(code)
    assert os.waitstatus_to_exitcode(os.waitpid(child, 0)[1]) == 0
    assert storage.incr("k", 60) == 3


def test_only_its_owner_reads_it(tmp_path: Path) -> None:
    made = SqliteStorage(sqlite_url(tmp_path / "limits.db"))
    made.incr("caller", 60)
    found = {path.name: stat.S_IMODE(path.stat().st_mode) for path in tmp_path.iterdir()}
    made.close()
    assert "limits.db-wal" in found
    assert set(found.values()) == {0o600}, found
