"""What a command costs: wall clock, processor time and the most memory of all its processes together."""

from __future__ import annotations

import os
import subprocess
import threading
import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path

EVERY = 0.1
"""Seconds between two looks at the memory."""


@dataclass(frozen=True)
class Usage:
    """Seconds of the wall clock and of processors; MiB, where somebody looked."""

    wall: float
    cpu: float
    memory: float


def timed(work: Callable[..., object], *given: object) -> float:
    """Seconds of the wall clock."""
    began = time.perf_counter()
    work(*given)
    return time.perf_counter() - began


def usage(command: Sequence[str], folder: Path, *, look: bool = False) -> Usage:
    """Run a command to its end. Raises `CalledProcessError` with what it said.

    To `look` at its memory takes a tenth of a processor and more, so times are of runs where nobody does.
    """
    began = time.perf_counter()
    with (folder / "said").open("w+b") as said:
        process = subprocess.Popen(command, cwd=folder, stdout=said, stderr=subprocess.STDOUT)
        peak, over = [0.0], threading.Event()
        watcher = threading.Thread(target=_watch, args=(process.pid, peak, over))
        if look:
            watcher.start()
        _, status, spent = os.wait4(process.pid, 0)
        wall = time.perf_counter() - began
        if look:
            over.set()
            watcher.join()
        process.returncode = os.waitstatus_to_exitcode(status)
        if process.returncode:
            said.seek(0)
            raise subprocess.CalledProcessError(process.returncode, command, said.read()[-2000:])
    return Usage(wall, spent.ru_utime + spent.ru_stime, peak[0])


def _watch(pid: int, peak: list[float], over: threading.Event) -> None:
    while not over.wait(EVERY):
        peak[0] = max(peak[0], sum(map(memory, family(pid))) / 1024)


def family(pid: int) -> list[int]:
    """A process and all below it."""
    found = [pid]
    for parent in found:
        try:
            children = Path(f"/proc/{parent}/task/{parent}/children").read_text(encoding="ascii")
        except OSError:
            continue
        found += map(int, children.split())
    return found


def memory(pid: int) -> int:
    """The KiB of a process, pages that several share counted in parts (PSS); 0 when it is gone."""
    try:
        lines = Path(f"/proc/{pid}/smaps_rollup").read_text(encoding="ascii").splitlines()
    except OSError:
        return 0
    return next((int(line.split()[1]) for line in lines if line.startswith("Pss:")), 0)
