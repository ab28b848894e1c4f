"""Work in several processes: everything is done once, and whatever goes wrong is said."""

from __future__ import annotations

import os
import signal
import time
from collections.abc import Sequence
from pathlib import Path

import pytest

from build.parallel import FEW, MOST, WorkerLost, in_processes

HERE = os.getpid()


def squares(items: Sequence[int]) -> list[tuple[int, int]]:
    """Each number's square, with the process that found it; this takes its time."""
    time.sleep(0.01 * len(items))
    return [(item * item, os.getpid()) for item in items]


@pytest.mark.slow
@pytest.mark.parametrize("count", [0, 1, FEW - 1, FEW, 100])
@pytest.mark.parametrize("jobs", [1, 2, 5])
def test_every_item_is_done_once(count: int, jobs: int) -> None:
    found = [pair for part in in_processes(squares, range(count), jobs) for pair in part]
    assert sorted(square for square, _ in found) == [item * item for item in range(count)]
    pids = {pid for _, pid in found}
    assert pids <= {HERE} if jobs == 1 or count < FEW else HERE not in pids


def test_a_process_is_given_not_too_many_and_ends_with_its_round() -> None:
    def work(items: Sequence[int]) -> tuple[int, int]:
        return os.getpid(), len(items)

    found = list(in_processes(work, range(10 * MOST), 2))
    assert [size for _, size in found] == [MOST] * 10
    pids = [{pid for pid, _ in found[at : at + 2]} for at in range(0, 10, 2)]
    assert sum(map(len, pids)) == len(set().union(*pids)), "no process has portions of two rounds"
    assert not [pid for some in pids for pid in some if Path(f"/proc/{pid}").exists()]


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
