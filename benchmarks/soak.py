"""A mixed load for long: reads, searches and writes through nginx, with slow clients hanging on; is memory flat?

`python -m benchmarks.soak [--minutes M] [--slow N]`: gunicorn with two workers, PostgreSQL and Redis behind nginx, all
on this machine. It ends with 1 when anything was answered wrongly, or when memory grew. Needs the system parts.
"""

from __future__ import annotations

import argparse
import os
import statistics
import sys
import tempfile
import threading
import time
from collections import Counter
from collections.abc import Callable
from contextlib import ExitStack
from dataclasses import dataclass, field
from pathlib import Path

from benchmarks.usage import family, memory
from build.views.routes import API
from tests.builders import BOOK
from tests.deploy.test_slow import slow_clients
from tests.faults.http_client import RUN, Address, Client
from tests.faults.http_server import rows
from tests.front import deployed
from tests.rich import write_rich_content

READS = (f"{API}/playbooks/{BOOK}", f"{API}/search?q=flaky", "/", f"/playbooks/{BOOK}/", f"{API}/runs")
READERS, WRITERS = 4, 2
PAUSE = 0.02
"""Seconds between two requests of one client: a load, not a flood, so that it can go on beside other work."""

GROWTH = 1.05
MIB = 1024
SLACK = 8.0
"""Memory may be a twentieth and 8 MiB more in the last quarter than in the second."""


@dataclass
class Told:
    """What came back: statuses by kind, seconds of good answers, and what went wrong."""

    counts: Counter[str] = field(default_factory=Counter)
    seconds: dict[str, list[float]] = field(default_factory=lambda: {"read": [], "write": []})
    wrong: Counter[str] = field(default_factory=Counter)


def ask(address: Address, number: int, over: threading.Event, told: Told) -> None:
    """Read or write, one request after the other, until it is over."""
    client, sent = Client(address), 0
    kind, good = ("write", 201) if number < WRITERS else ("read", 200)
    while not over.wait(PAUSE):
        sent += 1
        try:
            if kind == "write":
                answer = client.post("/runs", RUN, once=f"{number}-{sent}")
            else:
                answer = client("GET", READS[sent % len(READS)])
        except OSError as error:
            told.wrong[f"{kind}: {type(error).__name__}"] += 1
            continue
        if answer.status == good:
            told.counts[kind] += 1
            told.seconds[kind].append(answer.seconds)
        else:
            told.wrong[f"{kind}: {answer.status}"] += 1
    client.close()


def hang_on(address: Address, many: int, over: threading.Event) -> None:
    """So many slow clients, new ones when the old ones were let go."""
    while not over.is_set():
        try:
            with slow_clients(address, many):
                over.wait(12)
        except OSError:
            over.wait(1)


def grew(samples: list[float]) -> tuple[float, float]:
    """The median MiB of the second and of the last quarter."""
    quarter = max(1, len(samples) // 4)
    return statistics.median(samples[quarter : 2 * quarter] or samples), statistics.median(samples[-quarter:])


def watch(processes: dict[str, int], seconds: float) -> dict[str, list[float]]:
    """The memory of each process with all below it, in MiB, every second or so."""
    samples: dict[str, list[float]] = {name: [] for name in processes}
    until = time.monotonic() + seconds
    while time.monotonic() < until:
        time.sleep(max(1.0, seconds / 500))
        for name, pid in processes.items():
            samples[name].append(sum(map(memory, family(pid))) / MIB)
    return samples


def soak(folder: Path, minutes: float, slow: int) -> bool:
    """Run it and print what came of it; whether all was well."""
    told, over = Told(), threading.Event()
    with ExitStack() as keep:
        stack = keep.enter_context(deployed(write_rich_content(folder), folder, write_limits="1000000000 per hour"))
        works: list[Callable[[], None]] = [
            lambda number=number: ask(stack.nginx.address, number, over, told)  # type: ignore[misc]  # a default binds it
            for number in range(READERS + WRITERS)
        ]
        works.append(lambda: hang_on(stack.nginx.address, slow, over))
        crew = [threading.Thread(target=work) for work in works]
        for thread in crew:
            keep.callback(thread.join)
        keep.callback(over.set)
        for thread in crew:
            thread.start()
        processes = {"gunicorn": stack.api.process.pid, "mcp": stack.mcp.process.pid, "nginx": stack.nginx.process.pid}
        samples = watch(processes, minutes * 60)
        over.set()
        for thread in crew:
            thread.join()
        stored = int(rows(stack.database_url, "SELECT count(*) FROM runs")[0][0])
    return report(told, samples, stored, minutes, slow)


def report(told: Told, samples: dict[str, list[float]], stored: int, minutes: float, slow: int) -> bool:
    """Print the figures; whether nothing was wrong, everything acknowledged is stored, and memory is flat."""
    well = not told.wrong and stored == told.counts["write"] > 0 and told.counts["read"] > 0
    print(f"{minutes:g} minutes, {slow} slow clients, load {os.getloadavg()[0]:.0f}")
    for kind, seconds in told.seconds.items():
        if len(seconds) > 1:
            cuts = statistics.quantiles(seconds, n=100)
            took = f"p50 {cuts[49] * 1000:.1f} ms  p99 {cuts[98] * 1000:.1f} ms"
            print(f"  {kind:6} {len(seconds):8} ({len(seconds) / minutes / 60:.0f}/s)  {took}")
    print(f"  stored {stored:8} of {told.counts['write']} acknowledged; wrong: {dict(told.wrong) or 'nothing'}")
    for name, each in samples.items():
        before, after = grew(each)
        flat = after <= before * GROWTH + SLACK
        well = well and flat
        end = "" if flat else ": GROWS"
        print(f"  {name:8} {before:6.1f} MiB in the second quarter, {after:6.1f} in the last{end}")
    return well


def main() -> None:
    """Measure and print; end with 1 when something was wrong."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--minutes", type=float, default=60)
    parser.add_argument("--slow", type=int, default=600, help="So many clients that send nothing more.")
    options = parser.parse_args()
    with tempfile.TemporaryDirectory() as name:
        Path(name).chmod(0o755)  # nginx's workers read the site in it
        well = soak(Path(name), options.minutes, options.slow)
    sys.exit(0 if well else 1)


if __name__ == "__main__":
    main()
