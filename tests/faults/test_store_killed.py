"""Writers are killed under load: nothing that was acknowledged is lost, and nothing is stored twice.

There are 3 kills, and 50 in the long form.
"""

from __future__ import annotations

import random
import sys
import threading
from collections.abc import Iterator
from contextlib import suppress
from pathlib import Path

import pytest

from tests.forks import Forked
from tests.lengths import many
from tests.postgres import needs_postgres, shared_server
from tests.waiting import until
from tests.writeapi.store.builders import a_store, rows, sqlite_url
from tests.writeapi.store.worker import said, start

KILLS = many(3, 50)
WORKERS = 3
THREADS = 2
ENDLESS = 10**9


class Writer:
    """A worker that is started again whenever it was killed, and goes on after what it had acknowledged."""

    def __init__(self, url: str, name: str) -> None:
        self.acknowledged: dict[str, str] = {}
        self._url = url
        self._name = name
        self._next = [0] * THREADS
        self.begin()

    def begin(self) -> None:
        self.process = start("write", self._url, self._name, THREADS, ENDLESS, *self._next)
        assert said(self.process) == "ready"
        assert self.process.stdin is not None
        self.process.stdin.write("go\n")
        self.process.stdin.flush()
        self._listener = threading.Thread(target=self._listen, args=(self.process,))
        self._listener.start()

    def kill(self) -> None:
        assert self.process.poll() is None, self.process.communicate()[1]
        self.process.kill()
        self._listener.join()
        self.process.wait()
        for pipe in (self.process.stdin, self.process.stdout, self.process.stderr):
            assert pipe is not None
            with suppress(BrokenPipeError):
                pipe.close()

    def _listen(self, process: Forked) -> None:
        assert process.stdout is not None
        for line in process.stdout:
            _stored, label, run = line.split()
            assert self.acknowledged.setdefault(label, run) == run
            _name, thread, number = label.split(".")
            self._next[int(thread)] = int(number) + 1


@pytest.fixture(params=["sqlite", pytest.param("postgresql", marks=[pytest.mark.system, needs_postgres])])
def url(request: pytest.FixtureRequest, tmp_path: Path) -> Iterator[str]:
    address = sqlite_url(tmp_path / "queue.db") if request.param == "sqlite" else shared_server().fresh()
    store = a_store(address)
    store.migrate()
    yield address
    store.ready()
    store.close()


@pytest.mark.slow
def test_killed_writers_lose_and_double_nothing(url: str) -> None:
    chance = random.Random(4)
    writers = [Writer(url, f"w{number}") for number in range(WORKERS)]
    pause = threading.Event()
    for kill in range(KILLS):
        enough = 25 * (kill + 1)
        until(lambda: sum(len(writer.acknowledged) for writer in writers) > enough, f"{enough} writes")  # noqa: B023 - now
        pause.wait(chance.uniform(0, 0.1))
        victim = chance.choice(writers)
        victim.kill()
        victim.begin()
    for writer in writers:
        writer.kill()
    acknowledged = {label: run for writer in writers for label, run in writer.acknowledged.items()}
    stored = rows(url, "SELECT reporter, id FROM runs")
    lost = set(acknowledged.items()) - set(stored)
    doubled = len(stored) - len({label for label, _ in stored})
    figures = f"{len(acknowledged)} acknowledged, {len(stored)} stored, {len(lost)} lost, {doubled} doubled"
    sys.stdout.write(f"\n{KILLS} kills: {figures}\n")
    assert len(acknowledged) > 20 * KILLS
    assert not lost
    assert doubled == 0
    assert len(stored) - len(acknowledged) <= THREADS * (WORKERS + KILLS)
    assert sorted(rows(url, "SELECT subject FROM answers")) == sorted((run,) for _, run in stored)
    assert sorted(rows(url, "SELECT subject FROM audit")) == sorted((run,) for _, run in stored)
    if url.startswith("sqlite"):
        assert rows(url, "PRAGMA integrity_check") == [("ok",)]
