"""How long a build takes beside `cp -r` of its own output: cold, without a change, after one edit.

`python -m benchmarks.build [--short] [--count N]`
"""

from __future__ import annotations

import argparse
import shutil
import statistics
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable
from pathlib import Path

from benchmarks.corpus import write_corpus

TODAY = "2026-11-20"


def main() -> None:
    """Measure, interleaved, and print a table."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--short", action="store_true", help="200 playbooks, three rounds: whether it still works.")
    parser.add_argument("--count", type=int, default=1000)
    parser.add_argument("--rounds", type=int, default=5)
    options = parser.parse_args()
    count, rounds = (200, 3) if options.short else (options.count, options.rounds)
    with tempfile.TemporaryDirectory() as name:
        measure(Path(name), count, rounds)


def measure(folder: Path, count: int, rounds: int) -> None:
    """Build a corpus again and again; medians of the rounds."""
    content = write_corpus(folder / "content", count, runs=count // 2)
    size = sum(path.stat().st_size for path in (content / "playbooks").iterdir()) / count / 1024
    edited = sorted((content / "playbooks").iterdir())[count // 2]
    text = edited.read_text(encoding="utf-8")
    seconds: dict[str, list[float]] = {"cp -r": [], "cold": [], "no change": [], "one edit": []}
    for number in range(rounds):
        shutil.rmtree(folder / ".site", ignore_errors=True)
        (folder / "site").unlink(missing_ok=True)
        seconds["cold"].append(timed(lambda: build(content, folder / "site")))
        time.sleep(2.1)  # a file that was just written is read again, to be sure; a real edit comes later
        build(content, folder / "site")
        seconds["no change"].append(timed(lambda: build(content, folder / "site")))
        edited.write_text(text.replace("cost: Tokens", f"cost: {number} tokens"), encoding="utf-8")
        seconds["one edit"].append(timed(lambda: build(content, folder / "site")))
        seconds["cp -r"].append(timed(lambda: copy(folder / "site", folder / "copy")))
    floor = statistics.median(seconds["cp -r"])
    print(f"{count:,} playbooks of {size:.1f} KiB, {count // 2:,} run reports, medians of {rounds}")
    for what, values in seconds.items():
        middle = statistics.median(values)
        print(f"  {what:<10} {middle:8.2f} s   {middle / floor:8.2f} x cp -r")


def timed(work: Callable[[], None]) -> float:
    """Seconds of the wall clock."""
    began = time.perf_counter()
    work()
    return time.perf_counter() - began


def build(content: Path, out: Path) -> None:
    """One build in a process of its own, as people run it."""
    command = [
        sys.executable,
        "-W",
        "ignore",
        "-m",
        "cli",
        "build",
        "--content",
        str(content),
        "--out",
        str(out),
        "--today",
        TODAY,
    ]
    subprocess.run(command, check=True, stdout=subprocess.DEVNULL)


def copy(site: Path, target: Path) -> None:
    """The floor: the same files written by cp."""
    shutil.rmtree(target, ignore_errors=True)
    subprocess.run(["cp", "-r", f"{site}/.", str(target)], check=True)


if __name__ == "__main__":
    main()
