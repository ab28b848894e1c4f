"""Work in several processes: everything is done once, and whatever goes wrong is said."""

from __future__ import annotations

import gc
import os
import signal
import time
from collections.abc import Callable, Sequence
from pathlib import Path

import pytest

from build.parallel import WorkerLost, in_processes


def squares(items: Sequence[int], hand: Callable[[tuple[int, int]], None]) -> None:
    """Each number's square, with the process that found it."""
    for item in items:
        hand((item * item, os.getpid()))


@pytest.mark.parametrize("count", [0, 1, 2, 7])
@pytest.mark.parametrize("jobs", [1, 2, 5])
def test_every_item_is_done_once_by_so_many_processes(count: int, jobs: int, tmp_path: Path) -> None:
    found = list(in_processes(squares, range(count), jobs, tmp_path))
    assert sorted(square for square, _ in found) == [item * item for item in range(count)]
    workers = list(dict.fromkeys(pid for _, pid in found))
    assert len(workers) == min(jobs, count)
    assert workers[:1] == [os.getpid()] * bool(count), "this process has a part too, and it comes first"
    assert not list(tmp_path.iterdir()), "what waits has no name"


def test_what_is_asked_for_first_changes_nothing() -> None:
    running = in_processes(squares, range(4), 2)
    time.sleep(0.05)
    assert [square for square, _ in running] == [0, 4, 1, 9]


@pytest.mark.parametrize("broken", [0, 1])
def test_what_one_raises_is_raised_here_and_nobody_goes_on(broken: int, tmp_path: Path) -> None:
    pids = tmp_path / "pids"

    def work(items: Sequence[int], hand: Callable[[int], None]) -> None:
        with pids.open("a") as file:
            file.write(f"{os.getpid()}\n")
        if items[0] == broken:
            raise OSError(28, "No space left on device")
        if os.getpid() != here:
            time.sleep(0.1 if items[0] < broken else 60)
        hand(items[0])

    here = os.getpid()
    with pytest.raises(OSError, match="No space"):
        list(in_processes(work, range(3), 3, tmp_path))
    others = {int(pid) for pid in pids.read_text().split()} - {here}
    assert not [pid for pid in others if Path(f"/proc/{pid}").exists()], "they are ended, and waited for"


def test_a_killed_one_is_named() -> None:
    here = os.getpid()

    def work(items: Sequence[int], hand: Callable[[int], None]) -> None:
        hand(len(items))
        if os.getpid() != here:
            os.kill(os.getpid(), signal.SIGKILL)

    with pytest.raises(WorkerLost, match="run the build again"):
        list(in_processes(work, range(4), 2))


@pytest.mark.parametrize("enabled", [True, False])
@pytest.mark.parametrize("jobs", [1, 2])
def test_circles_are_collected_meanwhile_and_the_collector_is_left_as_it_was(enabled: bool, jobs: int) -> None:
    seen: list[bool] = []

    def work(items: Sequence[int], hand: Callable[[int], None]) -> None:
        seen.append(gc.isenabled())
        hand(len(items))

    was, threshold = gc.isenabled(), gc.get_threshold()
    (gc.enable if enabled else gc.disable)()
    try:
        assert sum(in_processes(work, range(4), jobs)) == 4
        assert (gc.isenabled(), gc.get_threshold(), gc.get_freeze_count()) == (enabled, threshold, 0)
    finally:
        (gc.enable if was else gc.disable)()
    assert seen == [True]
