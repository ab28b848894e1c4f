"""The command `backup` while a crowd writes: what comes back holds all that was acknowledged before, and no half."""

from __future__ import annotations

import os
import subprocess
import sys
import threading
from collections.abc import Mapping
from pathlib import Path

import pytest

from tests.faults.http_client import RUN, Client
from tests.faults.http_server import gunicorn, rows
from tests.forks import PROJECT
from tests.postgres import shared_server

WRITERS = 4


def playbooks(*words: object, settings: Mapping[str, str]) -> str:
    """What a command says, run in a process of its own."""
    told = {name: value for name, value in os.environ.items() if not name.startswith("PLAYBOOKS_")}
    command = [sys.executable, "-W", "ignore", "-m", "cli", *map(str, words)]
    done = subprocess.run(
        command, cwd=PROJECT, env={**told, **settings}, capture_output=True, text=True, timeout=120, check=False
    )
    assert done.returncode == 0, done.stderr
    return done.stdout


@pytest.mark.slow
def test_a_backup_under_load_restores_to_one_moment(site: Path, tmp_path: Path, database_url: str) -> None:
    acknowledged: list[str] = []
    over = threading.Event()

    def write(number: int) -> None:
        client, sent = Client(served.address), 0
        while not over.is_set():
            sent += 1
            answer = client.post("/runs", RUN, once=f"{number}-{sent}")
            assert answer.status == 201
            acknowledged.append(answer.json["id"])
        client.close()

    file = tmp_path / "one.backup"
    with gunicorn(site, tmp_path / "api", database_url=database_url) as served:
        crew = [threading.Thread(target=write, args=(number,)) for number in range(WRITERS)]
        for thread in crew:
            thread.start()
        try:
            while len(acknowledged) < 50:
                over.wait(0.02)
            before = set(acknowledged)
            said = playbooks("backup", file, settings={"PLAYBOOKS_DATABASE_URL": database_url})
            during = len(acknowledged) - len(before)
        finally:
            over.set()
            for thread in crew:
                thread.join()
    assert "(checked, " in said
    assert during > 0, "they wrote meanwhile"
    other = shared_server().fresh() if "postgres" in database_url else f"sqlite:///{tmp_path / 'other.db'}"
    playbooks("restore", file, settings={"PLAYBOOKS_DATABASE_URL": other})
    runs = {run for (run,) in rows(other, "SELECT id FROM runs")}
    assert before <= runs
    assert len(runs) <= len(set(acknowledged))
    for table in ("audit", "answers"):
        assert sorted(run for (run,) in rows(other, f"SELECT subject FROM {table}")) == sorted(runs), table
