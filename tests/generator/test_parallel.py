"""Work in several processes: everything is done once, and whatever goes wrong is said."""

from __future__ import annotations

import gc
import os
import signal
import time
from collections.abc import Callable, Iterable
from pathlib import Path

import pytest

from build.parallel import WorkerLost, in_processes

HERE = os.getpid()


def squares(items: Iterable[int], hand: Callable[[tuple[int, int]], None]) -> None:
    """Each number's square, with the process that found it; this takes its time."""
    for item in items:
        time.sleep(0.01)
        hand((item * item, os.getpid()))


def children() -> set[str]:
    """The processes that this one has started, ended ones too."""
    return set(Path(f"/proc/{HERE}/task/{HERE}/children").read_text().split())


@pytest.mark.parametrize("count", [0, 1, 2, 7, 300])
@pytest.mark.parametrize("jobs", [1, 2, 5])
def test_every_item_is_done_once(count: int, jobs: int, tmp_path: Path) -> None:
    found = list(in_processes(squares, range(count), jobs, tmp_path))
    assert sorted(square for square, _ in found) == [item * item for item in range(count)]
    pids = list(dict.fromkeys(pid for _, pid in found))
    assert len(pids) <= jobs
    assert (len(pids) > 1) == (jobs > 1) or count < 300
    assert HERE not in pids[1:], "what this process found comes first"
    assert not list(tmp_path.iterdir()), "what waits has no name"


def test_others_work_before_anything_is_asked_for() -> None:
    running = in_processes(squares, range(4), 2)
    time.sleep(5)  # another process cannot be asked whether it is done; it needs 0.04 s
    assert {pid for _, pid in running}.isdisjoint({HERE})


@pytest.mark.parametrize("own", [True, False])
def test_what_one_raises_is_raised_here_and_nobody_goes_on(own: bool, tmp_path: Path) -> None:
    pids = tmp_path / "pids"

    def work(items: Iterable[int], hand: Callable[[int], None]) -> None:
        with pids.open("a") as file:
            file.write(f"{os.getpid()}\n")
        if (os.getpid() == HERE) == own:
            raise OSError(28, "No space left on device")
        if own:
            time.sleep(60)
        for item in items:
            hand(item)

    with pytest.raises(OSError, match="No space"):
        list(in_processes(work, range(3), 3, tmp_path))
    others = {int(pid) for pid in pids.read_text().split()} - {HERE}
    assert not [pid for pid in others if Path(f"/proc/{pid}").exists()], "they are ended, and waited for"


def test_a_killed_one_is_named() -> None:
    def work(items: Iterable[int], hand: Callable[[int], None]) -> None:
        for item in items:
            hand(item)
        if os.getpid() != HERE:
            os.kill(os.getpid(), signal.SIGKILL)

    with pytest.raises(WorkerLost, match="was killed"):
        list(in_processes(work, range(4), 2))


@pytest.mark.parametrize("enabled", [True, False])
@pytest.mark.parametrize("jobs", [1, 2])
def test_circles_are_collected_meanwhile_and_the_collector_is_left_as_it_was(enabled: bool, jobs: int) -> None:
    seen: list[bool] = []

    def work(items: Iterable[int], hand: Callable[[int], None]) -> None:
        seen.append(gc.isenabled())
        hand(len(list(items)))

    was, threshold = gc.isenabled(), gc.get_threshold()
    (gc.enable if enabled else gc.disable)()
    try:
        assert sum(in_processes(work, range(4), jobs)) == 4
        assert (gc.isenabled(), gc.get_threshold(), gc.get_freeze_count()) == (enabled, threshold, 0)
    finally:
        (gc.enable if was else gc.disable)()
    assert seen == [True]
