"""What every benchmark here shares: systems measured in turns, their costs and servers, and tables in markdown.

hyperfine and pyperf measure one command after the other, and not what its children take; here systems take turns, so
that what else the machine does falls on all of them alike.
"""

from __future__ import annotations

import argparse
import json
import os
import shutil
import signal
import socket
import statistics
import subprocess
import sys
import tempfile
import threading
import time
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from functools import partial
from importlib.metadata import version
from pathlib import Path
from typing import TypeVar

ROOT = Path(__file__).resolve().parent.parent
PEERS = Path(__file__).parent / "peers"
CACHE = ROOT / ".cache/benchmarks"
PYTHON = (sys.executable, "-W", "ignore", "-m")
START_SECONDS = 180.0
INSTALL_SECONDS = 300
EVERY = 0.1
"""Seconds between two looks at the memory."""
T = TypeVar("T")


class NotMeasured(Exception):
    """A system cannot be had here, for a reason in one line."""


def options(about: str | None, short: Mapping[str, object], **settings: object) -> argparse.Namespace:
    """What was asked for: each setting by its name, its kind that of its default; `--short` puts others in place."""
    parser = argparse.ArgumentParser(description=about, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--short", action="store_true", help=f"{dict(short)}: whether it still works")
    for name, default in settings.items():
        parser.add_argument(f"--{name}", type=type(default), default=default, help=f"[{default}]")
    found = parser.parse_args()
    if found.short:
        vars(found).update(short)
    print(f"{os.cpu_count()} processors, load {os.getloadavg()[0]:.1f} before")
    return found


def in_turns(works: Mapping[str, Callable[[], T]], rounds: int) -> dict[str, list[T]]:
    """What each work gives, round by round: one after the other, again and again."""
    found: dict[str, list[T]] = {name: [] for name in works}
    for _ in range(rounds):
        for name, work in works.items():
            found[name].append(work())
    return found


def table(head: Sequence[str], rows: Iterable[Sequence[object]]) -> None:
    """A table in markdown; the first column is a name, all others are figures."""
    print(f"\n| {' | '.join(head)} |\n| --- |{' ---: |' * (len(head) - 1)}")
    for row in rows:
        print(f"| {' | '.join(cell if isinstance(cell, str) else figure(cell) for cell in row)} |", flush=True)


def figure(value: object) -> str:
    """A number with as many digits as say something; a dash where there is none."""
    if not isinstance(value, int | float):
        return "-"
    return f"{value:,.0f}" if abs(value) >= 100 else f"{value:.3g}"


def spread(values: Sequence[float]) -> str:
    """The least and the median of some rounds."""
    return f"{figure(min(values))} / {figure(statistics.median(values))}"


def quantile(values: Iterable[float], share: float) -> float:
    """The value within which this share of all lies."""
    ordered = sorted(values)
    return ordered[min(len(ordered) - 1, int(len(ordered) * share))]


def verdict(what: str, *, met: bool) -> bool:
    """Print whether a target is met, and give it back."""
    print(f"  {what}: {'met' if met else '**missed**'}")
    return met


def timed(work: Callable[..., object], *given: object) -> float:
    """Seconds of the wall clock."""
    began = time.perf_counter()
    work(*given)
    return time.perf_counter() - began


@dataclass(frozen=True)
class Cost:
    """Seconds of the wall clock and of processors, children and all; MiB, where somebody looked."""

    wall: float
    cpu: float
    peak: float = 0.0


def cost(command: Sequence[str], folder: Path, *, look: bool = False) -> Cost:
    """Run a command to its end. Raises `NotMeasured` with what it said.

    To `look` at its memory takes a tenth of a processor and more, so times are of runs where nobody does.
    """
    began = time.perf_counter()
    with (folder / "said").open("w+b") as said:
        env = _environment(command)
        process = subprocess.Popen(command, cwd=folder, stdout=said, stderr=subprocess.STDOUT, env=env)
        peak, over = [0.0], threading.Event()
        watcher = threading.Thread(target=_watch, args=(process.pid, peak, over))
        if look:
            watcher.start()
        _, status, spent = os.wait4(process.pid, 0)
        wall = time.perf_counter() - began
        over.set()
        if look:
            watcher.join()
        process.returncode = os.waitstatus_to_exitcode(status)
        if process.returncode:
            said.seek(0)
            raise NotMeasured(f"{command[0]} failed: {said.read()[-2000:].decode(errors='replace')}")
    return Cost(wall, spent.ru_utime + spent.ru_stime, peak[0])


def _environment(command: Sequence[str]) -> dict[str, str]:
    """Our own programs find our modules; all are compiled once, as every Python program is that was run before."""
    found = {name: value for name, value in os.environ.items() if name != "PYTHONDONTWRITEBYTECODE"}
    return found | ({"PYTHONPATH": str(ROOT)} if command[0] == sys.executable else {})


def _watch(pid: int, peak: list[float], over: threading.Event) -> None:
    while not over.wait(EVERY):
        peak[0] = max(peak[0], memory(pid))


def memory(pid: int) -> float:
    """The MiB of a process and all below it now, pages that several share counted in parts (PSS)."""
    family, total = [pid], 0
    for parent in family:
        with suppress(OSError):  # it is gone
            rollup = Path(f"/proc/{parent}/smaps_rollup").read_text(encoding="ascii")
            total += int(rollup.partition("Pss:")[2].split()[0])
            family += map(int, Path(f"/proc/{parent}/task/{parent}/children").read_text(encoding="ascii").split())
    return total / 1024


@dataclass(frozen=True)
class Peer:
    """Somebody else's program as data: its name (with `{version}`), package, command, and what it makes.

    In a command `{content}`, `{folder}` and `{port}` stand for what is measured, `{home}` for its own environment; a
    word with a `*` is the one path that fits. Its set-up is the folder of its slug in `peers/`, where there is one.
    """

    name: str
    package: str
    command: tuple[str, ...] = ()
    makes: str = ""

    @property
    def slug(self) -> str:
        """The name of its package without the version."""
        return self.package.partition("==")[0].partition("[")[0]

    @property
    def title(self) -> str:
        """Its name with its version."""
        return self.name.format(version=self.package.partition("==")[2])

    def ready(self, folder: Path, **given: object) -> list[str]:
        """Its command, its set-up copied to `folder`. Raises `NotMeasured` where it cannot be installed."""
        home = installed(self.package)
        if (PEERS / self.slug).is_dir():
            shutil.copytree(PEERS / self.slug, folder, dirs_exist_ok=True)
        words = [word.format(home=home, folder=folder, **given) for word in self.command]
        return [str(next(Path("/").glob(word[1:]))) if "*" in word else word for word in words]


def installed(package: str) -> Path:
    """The environment of a package at exactly this version, with our gunicorn, kept from run to run in `.cache`."""
    home = CACHE / package
    if not (home / "done").exists():
        pip = [str(home / "bin/python"), "-m", "pip", "install", "--quiet", "--disable-pip-version-check"]
        gunicorn = f"gunicorn=={version('gunicorn')}"
        for command in ([sys.executable, "-m", "venv", "--clear", str(home)], [*pip, package, gunicorn]):
            try:
                subprocess.run(command, check=True, capture_output=True, timeout=INSTALL_SECONDS)
            except (OSError, subprocess.SubprocessError) as error:
                raise NotMeasured(f"{package} cannot be installed: {str(error)[-120:]}") from error
        (home / "done").touch()
    return home


def free_port() -> int:
    """A port of this machine that nobody listens on."""
    with socket.socket() as held:
        held.bind(("127.0.0.1", 0))
        port: int = held.getsockname()[1]
        return port


@contextmanager
def running(command: Sequence[str], port: int, folder: Path, env: Mapping[str, str] | None = None) -> Iterator[None]:
    """A server in a process of its own until the block ends; ended by its id. Raises `NotMeasured`."""
    with (folder / "log").open("wb") as log:
        told = _environment(command) | dict(env or {})
        process = subprocess.Popen(command, cwd=folder, env=told, stdout=log, stderr=log, start_new_session=True)
    try:
        end = time.monotonic() + START_SECONDS
        while not _answers(port):
            if process.poll() is not None or time.monotonic() > end:
                raise NotMeasured(f"it did not start: {(folder / 'log').read_text(errors='replace')[-2000:]}")
            time.sleep(0.05)
        yield
    finally:
        process.terminate()
        with suppress(subprocess.TimeoutExpired):
            process.wait(10)
        with suppress(ProcessLookupError):  # whatever is left of its own session, such as a worker that hangs
            os.killpg(process.pid, signal.SIGKILL)
        process.wait()


def _answers(port: int) -> bool:
    with suppress(OSError), socket.create_connection(("127.0.0.1", port), timeout=1):
        return True
    return False


@dataclass(frozen=True)
class Load:
    """What a round of requests brought: good answers, in how many seconds, failures; seconds of the answers."""

    good: int
    seconds: float
    failed: int
    p50: float
    p99: float

    @property
    def rate(self) -> float:
        """Good answers a second."""
        return self.good / self.seconds


def load(
    port: int, requests: Sequence[bytes], seconds: float, connections: int, *, pause: float = 0, threads: int = 1
) -> Load:
    """wrk sends `requests` in turn on its connections, each of which waits `pause` seconds before it asks.

    Raises `NotMeasured`.
    """
    if not shutil.which("wrk"):
        raise NotMeasured("wrk is not installed (make system)")
    with tempfile.NamedTemporaryFile() as file:
        file.write(b"\0".join(requests))
        file.flush()
        command = ["wrk", f"-t{threads}", f"-c{connections}", f"-d{max(1, round(seconds))}s", "--timeout", "10s", "-s"]
        command += [str(PEERS / "requests.lua"), f"http://127.0.0.1:{port}", "--", file.name, str(round(pause * 1000))]
        said = subprocess.run(command, check=True, capture_output=True, text=True).stdout
    return Load(**json.loads(said.splitlines()[-1]))


def under_load(
    name: str, systems: Mapping[str, Callable[[float], Load]], rounds: int, seconds: float
) -> dict[str, Load]:
    """Load each system in turn after a second that is not counted but as good answers; a table, and the medians."""
    warm = in_turns({system: partial(ask, 1) for system, ask in systems.items()}, 1)
    found = {}
    for system, turns in in_turns({system: partial(ask, seconds) for system, ask in systems.items()}, rounds).items():
        rate, p50, p99 = (statistics.median(getattr(turn, what) for turn in turns) for what in ("rate", "p50", "p99"))
        good, failed = (sum(getattr(turn, what) for turn in warm[system] + turns) for what in ("good", "failed"))
        found[system] = Load(good, good / max(rate, 0.001), failed, p50, p99)
    rows = ([system, one.rate, one.p50 * 1000, one.p99 * 1000, one.failed] for system, one in found.items())
    table([name, "a second", "p50 ms", "p99 ms", "failed"], rows)
    return found


def request(method: str, port: int, path: str, body: bytes = b"", **headers: str) -> bytes:
    """The bytes of one request; headers are named with `_` for `-`."""
    told = {"Host": f"127.0.0.1:{port}", "Content-Length": str(len(body))} if body else {"Host": f"127.0.0.1:{port}"}
    lines = [f"{method} {path} HTTP/1.1", *(f"{k.replace('_', '-')}: {v}" for k, v in {**told, **headers}.items())]
    return "\r\n".join([*lines, "", ""]).encode() + body
