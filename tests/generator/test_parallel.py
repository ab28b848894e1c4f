"""Work in several processes: everything is done once, in order, and whatever goes wrong is said."""

from __future__ import annotations

import os
import signal
import time
from collections.abc import Sequence
from pathlib import Path

import pytest

from build.parallel import FEW, WorkerLost, in_processes

HERE = os.getpid()


def squares(items: Sequence[int]) -> list[tuple[int, int]]:
    """Each number's square, with the process that found it; this takes its time."""
    time.sleep(0.01 * len(items))
    return [(item * item, os.getpid()) for item in items]


@pytest.mark.slow
@pytest.mark.parametrize("count", [0, 1, FEW - 1, FEW, 100])
@pytest.mark.parametrize("jobs", [1, 2, 5])
def test_every_item_is_done_once_and_in_order(count: int, jobs: int) -> None:
    found = [pair for part in in_processes(squares, range(count), jobs) for pair in part]
    assert [square for square, _ in found] == [item * item for item in range(count)]
    pids = {pid for _, pid in found}
    assert len(pids) <= jobs
    assert pids <= {HERE} if jobs == 1 or count < FEW else HERE not in pids


def test_what_one_raises_is_raised_here_and_nobody_goes_on(tmp_path: Path) -> None:
    pids = tmp_path / "pids"

    def work(items: Sequence[int]) -> None:
        with pids.open("a") as file:
            file.write(f"{os.getpid()}\n")
        raise OSError(28, "No space left on device", str(items[0]))

    with pytest.raises(OSError, match="No space"):
        list(in_processes(work, range(FEW), 3))
    assert not [pid for pid in pids.read_text().split() if Path(f"/proc/{pid}").exists()], "they are ended"


def test_a_killed_one_is_named() -> None:
    def work(_items: Sequence[int]) -> None:
        os.kill(os.getpid(), signal.SIGKILL)

    with pytest.raises(WorkerLost, match="was killed"):
        list(in_processes(work, range(FEW), 2))
