"""Workers killed under load: what was acknowledged is there, and nothing is there twice."""

from __future__ import annotations

import itertools
import os
import random
import signal
import threading
import time
import uuid
from collections import Counter
from contextlib import suppress
from pathlib import Path

import pytest

from tests.faults.http_client import RUN, Address, Client
from tests.faults.http_server import Served, gunicorn, rows
from tests.lengths import many

pytestmark = pytest.mark.slow
KILLS = many(3, 50)
SENDERS = 12


class Load:
    """Senders that write without a pause: every second report is sent again with its key until it is taken."""

    def __init__(self, address: Address) -> None:
        self.acknowledged: list[tuple[str, str]] = []
        """Id and text of each report that was answered with 201."""
        self.retried = 0
        self.others: Counter[int] = Counter()
        self._address = address
        self._numbers = itertools.count()
        self._stop = threading.Event()
        self._threads = [threading.Thread(target=self._send) for _ in range(SENDERS)]
        for thread in self._threads:
            thread.start()

    def stop(self) -> None:
        """Finish what is being sent, then no more."""
        self._stop.set()
        for thread in self._threads:
            thread.join(60)
            assert not thread.is_alive()

    def _send(self) -> None:
        client = Client(self._address)
        while not self._stop.is_set():
            number = next(self._numbers)
            once = uuid.uuid4().hex if number % 2 else ""
            while not self._sent(client, f"Report {number}.", once) and once:
                self.retried += 1
                time.sleep(0.01)
        client.close()

    def _sent(self, client: Client, text: str, once: str) -> bool:
        try:
            answer = client.post("/runs", {**RUN, "lesson": text}, once=once)
        except ConnectionError:
            return False
        if answer.status == 201:
            self.acknowledged.append((answer.json["id"], text))
        else:
            self.others[answer.status] += 1
        return answer.status == 201


def killed(served: Served, load: Load, chance: random.Random) -> None:
    """Kill one worker in the middle of its work, and wait until there are two again that get on."""
    before = len(load.acknowledged)
    wait_until(lambda: len(load.acknowledged) >= before + 20)
    time.sleep(chance.uniform(0, 0.05))
    victim = chance.choice(served.workers())
    with suppress(ProcessLookupError):
        os.kill(victim, signal.SIGKILL)
    wait_until(lambda: victim not in served.workers() and len(served.workers()) == 2)


def wait_until(condition: object, seconds: float = 30) -> None:
    end = time.monotonic() + seconds
    assert callable(condition)
    while not condition():
        assert time.monotonic() < end
        time.sleep(0.005)


def test_killed_workers_lose_nothing_and_double_nothing(site: Path, tmp_path: Path, database_url: str) -> None:
    chance = random.Random(4)
    with gunicorn(site, tmp_path, database_url=database_url) as served:
        load = Load(served.address)
        try:
            for _ in range(KILLS):
                killed(served, load, chance)
        finally:
            load.stop()
        assert load.others == Counter()
    stored = rows(database_url, "SELECT id, lesson FROM runs")
    there = set(stored)
    print(f"{KILLS} kills, {len(load.acknowledged)} acknowledged, {load.retried} retries, {len(stored)} rows")  # noqa: T201 - figures for people
    assert [report for report in load.acknowledged if report not in there] == []
    assert [text for text, times in Counter(text for _, text in stored).items() if times > 1] == []
    assert [text for text, times in Counter(text for _, text in load.acknowledged).items() if times > 1] == []
    audited = rows(database_url, "SELECT subject, became FROM audit WHERE subject LIKE 'run%'")
    assert sorted(audited) == sorted((name, "pending") for name, _ in stored)
    if database_url.startswith("sqlite"):
        assert rows(database_url, "PRAGMA integrity_check") == [("ok",)]
