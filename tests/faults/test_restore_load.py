"""The command `restore` while a crowd writes, and killed: the queue is as it was, or what the file holds.

By default a few times; with `PLAYBOOKS_LONG` ten moments and twenty kills.
"""

from __future__ import annotations

import json
import os
import random
import subprocess
import sys
import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest

from tests.faults.http_client import RUN, Address, Client
from tests.faults.http_server import gunicorn, rows
from tests.forks import PROJECT
from tests.lengths import many

pytestmark = pytest.mark.slow
MOMENTS, KILLS = many(1, 10), many(3, 20)


def command(*words: object, url: str) -> subprocess.Popen[str]:
    """A command over a queue, started."""
    told = {name: value for name, value in os.environ.items() if not name.startswith("PLAYBOOKS_")}
    line = [sys.executable, "-W", "ignore", "-m", "cli", *map(str, words)]
    pipe, environment = subprocess.PIPE, {**told, "PLAYBOOKS_DATABASE_URL": url}
    return subprocess.Popen(line, cwd=PROJECT, env=environment, text=True, stdout=pipe, stderr=pipe)


def done(*words: object, url: str, code: int = 0) -> str:
    """What a command says that ends with this code."""
    process = command(*words, url=url)
    said, wrong = process.communicate(timeout=180)
    assert process.returncode == code, said + wrong
    return said + wrong


def runs(url: str) -> set[str]:
    """The reports of a queue."""
    return {name for (name,) in rows(url, "SELECT id FROM runs")}


def kept_runs(said: str) -> set[str]:
    """The reports of what a restore says it kept."""
    kept = Path(said.partition("what was there before is in ")[2].partition(";")[0])
    found = [json.loads(line) for line in kept.read_text().splitlines()[:-2]]
    return {row["id"] for table, row in found if table == "runs"}


@contextmanager
def a_crowd(address: Address, acknowledged: list[str]) -> Iterator[None]:
    """Four writers meanwhile; a write that is refused is not acknowledged."""
    over = threading.Event()

    def write() -> None:
        client = Client(address, 60)
        while not over.is_set():
            answer = client.post("/runs", RUN)
            assert answer.status in {201, 503}
            acknowledged.extend([answer.json["id"]] if answer.status == 201 else [])
        client.close()

    crew = [threading.Thread(target=write) for _ in range(4)]
    for thread in crew:
        thread.start()
    try:
        yield
    finally:
        over.set()
        for thread in crew:
            thread.join()


def wait_for(acknowledged: list[str], more: int) -> None:
    """Wait until so many more are acknowledged."""
    wanted, end = len(acknowledged) + more, time.monotonic() + 120
    while len(acknowledged) < wanted:
        assert time.monotonic() < end
        time.sleep(0.02)


def test_a_service_that_writes_is_not_replaced_unless_it_is_said(site: Path, tmp_path: Path, database_url: str) -> None:
    acknowledged: list[str] = []
    file = tmp_path / "one.backup"
    with gunicorn(site, tmp_path / "api", database_url=database_url) as served:
        with a_crowd(served.address, acknowledged):
            wait_for(acknowledged, 20)
            done("backup", file, url=database_url)
            for _ in range(MOMENTS):
                wait_for(acknowledged, 5)
                assert "--running" in done("restore", file, "--force", url=database_url, code=1)
        assert set(acknowledged) == runs(database_url), "what is refused changes nothing"
        saved: set[str] = set()
        with a_crowd(served.address, acknowledged):
            for _ in range(MOMENTS):
                wait_for(acknowledged, 5)
                saved |= kept_runs(done("restore", file, "--force", "--running", url=database_url))
    assert set(acknowledged) <= saved | runs(database_url), "each is in what is served, or in what was kept"


def test_killed_it_leaves_one_or_the_other(site: Path, tmp_path: Path, database_url: str) -> None:
    chance = random.Random(11)
    acknowledged: list[str] = []
    file = tmp_path / "one.backup"
    with gunicorn(site, tmp_path / "api", database_url=database_url) as served:
        with a_crowd(served.address, acknowledged):
            wait_for(acknowledged, 30)
        done("backup", file, url=database_url)
        old = runs(database_url)
        with a_crowd(served.address, acknowledged):
            wait_for(acknowledged, 10)
    new = runs(database_url)
    whole = time.monotonic()
    done("restore", file, "--force", url=database_url)
    whole = time.monotonic() - whole
    for _ in range(KILLS):
        before = runs(database_url)
        process = command("restore", file, "--force", url=database_url)
        time.sleep(chance.uniform(0.3, 1) * whole)
        process.kill()
        process.communicate(timeout=60)
        assert runs(database_url) in (before, old)
    done("restore", file, "--force", url=database_url)
    assert runs(database_url) == old < new
