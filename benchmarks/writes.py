"""Durable writes per second and how long one takes, beside isso and Datasette in the same run, round by round.

`python -m benchmarks.writes [--short] [--rounds N] [--seconds S]`
"""

from __future__ import annotations

import argparse
import os
import signal
import statistics
import sys
import tempfile
import time
from collections import Counter
from collections.abc import Callable, Iterator
from contextlib import AbstractContextManager, ExitStack
from dataclasses import dataclass, field
from functools import partial
from pathlib import Path

from benchmarks.load import CONNECTIONS, Round, load
from benchmarks.peers import DATASETTE, ISSO, NotInstalled, datasette, installed, isso
from benchmarks.servers import NotStarted
from benchmarks.systems import System, has_postgres, on_postgres, on_sqlite, rich_site

TIMES_ISSO = 3.0
P99_SECONDS = 0.050
WARM_SECONDS = 0.5
PEERS: list[tuple[tuple[str, str], dict[str, Callable[[Path, Path], AbstractContextManager[System]]]]] = [
    (ISSO, {"isso": isso, "isso-wal": partial(isso, wal=True)}),
    (DATASETTE, {"datasette": datasette}),
]


@dataclass(slots=True)
class Measured:
    """A system, the rows that it held before the first round, and its rounds."""

    system: System
    held: int
    rounds: list[Round] = field(default_factory=list)

    @property
    def rate(self) -> float:
        """Good answers per second, the median of the rounds."""
        return statistics.median(turn.rate for turn in self.rounds)

    @property
    def latencies(self) -> list[float]:
        """Seconds until each good answer of all rounds, shortest first."""
        return sorted(seconds for turn in self.rounds for seconds in turn.latencies)

    @property
    def failures(self) -> list[str]:
        """What came in place of good answers."""
        return [what for turn in self.rounds for what in turn.failures]

    @property
    def missing(self) -> int:
        """How many writes were acknowledged and are not stored."""
        return max(0, len(self.latencies) - (self.system.stored() - self.held))


def main() -> None:
    """Measure and print a table; end with 1 when one of our writes failed, or was acknowledged and not stored."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--short", action="store_true", help="2 rounds of 1.5 seconds: whether it still works.")
    parser.add_argument("--rounds", type=int, default=5)
    parser.add_argument("--seconds", type=float, default=5.0, help="How long a round of one system takes.")
    options = parser.parse_args()
    rounds, seconds, patience = (2, 1.5, 60.0) if options.short else (options.rounds, options.seconds, 300.0)
    signal.signal(signal.SIGTERM, lambda *_: sys.exit("stopped"))  # the servers end with it
    busy = os.getloadavg()[0]
    with tempfile.TemporaryDirectory() as name, ExitStack() as servers:
        told = measure(list(started(Path(name), patience, servers)), rounds, seconds)
        syncs = synced_appends(Path(name) / "appended", 1.0)
        print(
            f"{CONNECTIONS} connections, {rounds} rounds of {seconds:g} s each in turns; {os.cpu_count()} processors,"
            f" load {busy:.1f} before; {syncs:,.0f} synced appends a second on this disk"
        )
        show(told)
        sound = all(not one.failures and not one.missing for one in told if one.system.ours)
    sys.exit(not sound)


def started(folder: Path, patience: float, servers: ExitStack) -> Iterator[System]:
    """All systems, running; the peers that cannot be had within `patience` seconds each are told in a line."""
    site = rich_site(folder)
    yield servers.enter_context(on_sqlite(folder / "sqlite", site))
    if has_postgres():
        yield servers.enter_context(on_postgres(folder / "postgres", site))
    else:
        print("PostgreSQL was not measured: it is not installed")
    for package, kinds in PEERS:
        name = " ".join(package)
        try:
            commands = installed(package, patience)
            for kind, make in kinds.items():
                yield servers.enter_context(make(folder / kind, commands))
        except NotInstalled as reason:
            print(f"{name} was not measured: {reason}")
        except NotStarted as log:
            print(f"{name} was not measured: it did not start\n{log}")


def measure(systems: list[System], rounds: int, seconds: float) -> list[Measured]:
    """One system after the other, again and again, after a short round that is not counted."""
    for system in systems:
        load(system.port, system.requests, system.good, WARM_SECONDS)
    told = [Measured(system, system.stored()) for system in systems]
    for _ in range(rounds):
        for one in told:
            one.rounds.append(load(one.system.port, one.system.requests, one.system.good, seconds))
    return told


def show(told: list[Measured]) -> None:
    """The table, with how many times the rate of each peer; then what went wrong, and whether the targets are met."""
    peers = {one.system.name: one.rate for one in told if not one.system.ours}
    titles = "".join(f" {'x ' + peer:>{len(peer) + 3}}" for peer in peers)
    print(f"  {'':<18} {'writes/s':>9} {'p50 ms':>8} {'p99 ms':>8} {'failed':>7}{titles}")
    for one in told:
        p50, p99 = (_quantile(one.latencies, share) * 1000 for share in (0.5, 0.99))
        times = "".join(f" {_times(one.rate, rate):>{len(peer) + 3}}" for peer, rate in peers.items())
        print(f"  {one.system.name:<18} {one.rate:9.0f} {p50:8.1f} {p99:8.1f} {len(one.failures):7}{times}")
    for one in told:
        for line in _remarks(one, peers.get(" ".join(ISSO))):
            print(f"  {one.system.name}: {line}")


def _remarks(one: Measured, isso_rate: float | None) -> Iterator[str]:
    if one.failures:
        yield f"failed with {dict(Counter(one.failures))}"
    if one.missing:
        yield f"acknowledged {one.missing} writes that it does not hold"
    if one.system.ours:
        p99 = _quantile(one.latencies, 0.99)
        yield f"p99 at most {P99_SECONDS * 1000:.0f} ms: {'met' if p99 <= P99_SECONDS else 'missed'}"
    if one.system.ours and isso_rate:
        yield f"at least {TIMES_ISSO:g} x isso: {'met' if one.rate >= TIMES_ISSO * isso_rate else 'missed'}"


def _quantile(ordered: list[float], share: float) -> float:
    return ordered[min(len(ordered) - 1, int(len(ordered) * share))] if ordered else float("nan")


def _times(rate: float, peer: float) -> str:
    return f"{rate / peer:.1f}" if peer else "-"


def synced_appends(path: Path, seconds: float) -> float:
    """How often in a second this disk takes 4 KiB for certain: what no durable write that stands alone can pass."""
    with path.open("wb", buffering=0) as file:
        began, count = time.perf_counter(), 0
        while time.perf_counter() - began < seconds:
            file.write(b"x" * 4096)
            os.fsync(file.fileno())
            count += 1
        return count / (time.perf_counter() - began)


if __name__ == "__main__":
    main()
