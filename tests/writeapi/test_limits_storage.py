"""The counters: exact, sliding, kept, swept, a clear error when they cannot be kept, and what counts without Redis."""

from __future__ import annotations

import multiprocessing
import os
import socket
import sqlite3
import stat
import time
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from math import ceil
from pathlib import Path

import pytest
from limits import RateLimitItemPerDay, RateLimitItemPerHour, RateLimitItemPerMinute
from limits.storage import MemoryStorage

from tests.waiting import AT_ONCE
from writeapi.limits import RedisCounters, SqliteCounters, take_from
from writeapi.store.engine import Unavailable

MINUTE = RateLimitItemPerMinute(60)
MANY = RateLimitItemPerHour(100_000)


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
def counters(tmp_path: Path, clock: Clock) -> Iterator[SqliteCounters]:
    opened = SqliteCounters(tmp_path / "var" / "100% limits?.db", clock=clock, wait=0.2)
    yield opened
    opened.close()


def hits(counters: SqliteCounters, times: int, who: str = "caller") -> int:
    """How many of so many at once are let through."""
    return sum(counters.take([(MINUTE, who)])[0].within for _ in range(times))


def counted(counters: SqliteCounters, who: str = "k") -> int:
    """How many there are with this one."""
    return MANY.amount - counters.take([(MANY, who)])[0].left


def rows(counters: SqliteCounters) -> int:
    connection = sqlite3.connect(counters.path)
    count: int = connection.execute("SELECT count(*) FROM counters").fetchone()[0]
    connection.close()
    return count


def test_no_quota_is_had_twice_at_the_seam_of_two_windows(counters: SqliteCounters, clock: Clock) -> None:
    assert hits(counters, 1) == 1
    clock.now += 59.9
    assert hits(counters, 59) == 59
    clock.now += 0.2
    assert hits(counters, 60) <= 1, "a window that only begins anew lets all 60 through, 119 within 0.2 seconds"
    clock.now += 30
    assert 25 <= hits(counters, 60) <= 31, "half of the window before reaches into the last minute"
    clock.now += 120
    assert hits(counters, 70) == 60


def test_whoever_waits_as_long_as_a_refusal_says_is_let_through(counters: SqliteCounters, clock: Clock) -> None:
    waited = []
    for _ in range(200):
        window = counters.take([(MINUTE, "caller")])[0]
        if not window.within:
            assert window.left == 0
            waited.append(ceil(window.seconds))
            clock.now += waited[-1]
            assert counters.take([(MINUTE, "caller")])[0].within
        clock.now += 0.3
    assert len(waited) > 10
    assert 1 <= min(waited) <= max(waited) <= 60


def test_a_window_tells_what_is_left_and_when_it_ends(counters: SqliteCounters, clock: Clock) -> None:
    assert counters.take([(MINUTE, "a")]) == [(True, 59, 60.0)]
    clock.now += 20
    assert counters.take([(MINUTE, "a")]) == [(True, 58, 40.0)]
    assert counters.take([(MINUTE, "b")]) == [(True, 59, 60.0)]


def test_all_limits_of_a_write_are_counted_up_to_the_first_that_refuses(counters: SqliteCounters) -> None:
    first, last = (RateLimitItemPerMinute(2), "a"), (RateLimitItemPerDay(9), "a")
    assert [[window.within for window in counters.take([first, last])] for _ in range(3)] == [
        [True, True],
        [True, True],
        [False],
    ]
    assert counters.take([last])[0].left == 6, "what is refused is not counted"


def test_what_is_refused_writes_nothing(counters: SqliteCounters) -> None:
    log = counters.path.with_name(f"{counters.path.name}-wal")
    assert hits(counters, 61) == 60
    before = log.read_bytes()
    assert hits(counters, 100) == 0
    assert log.read_bytes() == before


def test_a_clock_set_back_does_not_make_a_window_longer(counters: SqliteCounters, clock: Clock) -> None:
    counters.take([(MINUTE, "k")])
    clock.now -= 3600
    assert counters.take([(MINUTE, "k")]) == [(True, 58, 60.0)]


def test_the_library_s_own_counters_let_through_the_same(
    counters: SqliteCounters, clock: Clock, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("time.time", clock)
    storage = MemoryStorage()
    for step in range(400):
        hit = [(MINUTE, "caller")]
        [ours], [reference] = counters.take(hit), take_from(storage, hit)
        assert ours[:2] == reference[:2], step
        assert ours.seconds == pytest.approx(reference.seconds, abs=1e-4), step
        clock.now += (step * 7 % 11) / 10 + 0.0137  # theirs begin by the clock, ours with the first hit: here the same
    storage.timer.cancel()


def test_counters_are_kept_over_a_restart(counters: SqliteCounters, clock: Clock) -> None:
    hits(counters, 59)
    counters.close()
    again = SqliteCounters(counters.path, clock=clock)
    assert hits(again, 5) == 1
    again.close()


def test_expired_rows_are_removed(counters: SqliteCounters, clock: Clock) -> None:
    for number in range(300):
        hits(counters, 1, f"k{number}")
    assert rows(counters) == 300
    clock.now += 121
    hits(counters, 1, "new")
    assert rows(counters) == 101
    hits(counters, 1, "newer")
    assert rows(counters) == 2


def locked(path: Path) -> Callable[[], None]:
    connection = sqlite3.connect(path, isolation_level=None, check_same_thread=False)
    connection.execute("BEGIN EXCLUSIVE")
    return connection.close


@pytest.mark.slow
def test_a_locked_database_is_a_clear_error_and_then_works_again(counters: SqliteCounters) -> None:
    assert counted(counters) == 1
    unlock = locked(counters.path)
    with pytest.raises(Unavailable):
        counted(counters)
    unlock()
    assert counted(counters) == 2


def fill(counters: SqliteCounters) -> None:
    for number in range(10_000):
        hits(counters, 1, f"key-{number:060d}")


def test_a_full_database_is_a_clear_error_and_what_expired_makes_room(tmp_path: Path, clock: Clock) -> None:
    counters = SqliteCounters(tmp_path / "limits.db", clock=clock, max_pages=8)
    with pytest.raises(Unavailable):
        fill(counters)
    clock.now += 121
    assert hits(counters, 1) == 1
    counters.close()


@pytest.mark.parametrize("rubbish", [b"not a database" * 1_000, b""])
def test_a_damaged_file_is_a_clear_error_and_an_empty_one_is_made_whole(tmp_path: Path, rubbish: bytes) -> None:
    path = tmp_path / "limits.db"
    path.write_bytes(rubbish)
    counters = SqliteCounters(path)
    if rubbish:
        with pytest.raises(Unavailable, match="damaged"):
            counted(counters)
    else:
        assert counted(counters) == 1
    counters.close()


def test_a_folder_that_cannot_be_made_is_a_clear_error(tmp_path: Path) -> None:
    (tmp_path / "file").touch()
    with pytest.raises(Unavailable):
        counted(SqliteCounters(tmp_path / "file" / "limits.db"))


@pytest.mark.slow
def test_threads_count_exactly(tmp_path: Path) -> None:
    counters = SqliteCounters(tmp_path / "limits.db", wait=AT_ONCE)
    with ThreadPoolExecutor(16) as pool:
        assert sorted(pool.map(lambda _: counted(counters), range(400))) == list(range(1, 401))
    counters.close()


def count_many(path: Path, times: int) -> list[int]:
    counters = SqliteCounters(path, wait=AT_ONCE)
    found = [counted(counters) for _ in range(times)]
    counters.close()
    return found


@pytest.mark.slow
def test_processes_that_start_at_once_count_exactly(tmp_path: Path) -> None:
    with multiprocessing.get_context("spawn").Pool(4) as pool:
        answers = pool.starmap(count_many, [(tmp_path / "limits.db", 100)] * 4, chunksize=1)
    assert sorted(hit for hits in answers for hit in hits) == list(range(1, 401))


def test_a_forked_child_opens_the_database_for_itself(counters: SqliteCounters) -> None:
    assert counted(counters) == 1
    child = os.fork()
    if not child:
        code = 1
        try:
            code = 0 if counted(counters) == 2 else 1
        finally:
            os._exit(code)
    assert os.waitstatus_to_exitcode(os.waitpid(child, 0)[1]) == 0
    assert counted(counters) == 3


def test_only_its_owner_reads_it(tmp_path: Path) -> None:
    made = SqliteCounters(tmp_path / "limits.db")
    counted(made)
    found = {path.name: stat.S_IMODE(path.stat().st_mode) for path in tmp_path.iterdir()}
    made.close()
    assert "limits.db-wal" in found
    assert set(found.values()) == {0o600}, found


class Nowhere:
    """A port that is taken, where callers are refused, or kept waiting once it listens."""

    def __init__(self) -> None:
        self.socket = socket.socket()
        self.socket.bind(("127.0.0.1", 0))
        self.address = f"redis://127.0.0.1:{self.socket.getsockname()[1]}/0"


@pytest.fixture
def nowhere() -> Iterator[Nowhere]:
    made = Nowhere()
    yield made
    made.socket.close()


def test_the_spare_counts_while_redis_is_away(nowhere: Nowhere, counters: SqliteCounters) -> None:
    guarded = RedisCounters(nowhere.address, counters)
    assert [guarded.take([(MINUTE, "a")])[0].left for _ in range(3)] == [59, 58, 57]
    assert counters.take([(MINUTE, "a")])[0].left == 56


def test_without_a_spare_everything_is_refused(nowhere: Nowhere) -> None:
    guarded = RedisCounters(nowhere.address, None, rest=7)
    for _ in range(2):
        with pytest.raises(Unavailable):
            guarded.take([(MINUTE, "a")])
    assert not guarded.storage.check()


@pytest.mark.slow
@pytest.mark.parametrize(("rest", "asked"), [(AT_ONCE, 1), (0, 3)])
def test_after_a_failure_redis_is_asked_again_only_when_the_rest_is_over(
    nowhere: Nowhere, counters: SqliteCounters, rest: float, asked: int
) -> None:
    nowhere.socket.listen()
    nowhere.socket.settimeout(0)
    guarded = RedisCounters(nowhere.address, counters, rest=rest)
    start = time.monotonic()
    for _ in range(3):
        assert guarded.take([(MINUTE, "a")])[0].within
    assert time.monotonic() - start < AT_ONCE
    assert connections(nowhere.socket) == asked


def connections(listener: socket.socket) -> int:
    number = 0
    while True:
        try:
            listener.accept()[0].close()
        except BlockingIOError:
            return number
        number += 1
