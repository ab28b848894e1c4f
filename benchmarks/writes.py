"""Durable writes a second and how long one takes, beside isso and Datasette in the same run, round by round.

`python -m benchmarks.writes [--short] [--rounds N] [--seconds S]`; it ends with 1 when one of our writes failed, or
was acknowledged and not stored.
"""

from __future__ import annotations

import json
import os
import shutil
import sqlite3
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Iterator
from contextlib import ExitStack, closing
from dataclasses import dataclass
from functools import partial
from pathlib import Path

from sqlalchemy import create_engine, text

from benchmarks import harness
from benchmarks.harness import Load, NotMeasured, Peer, verdict
from tests.builders import BOOK
from tests.postgres import PostgresServer
from tests.rich import write_rich_content
from tests.trees import built

CONNECTIONS = 16
TIMES_ISSO, P99_SECONDS = 3.0, 0.050
SQLITE, POSTGRES = "ours, SQLite", "ours, PostgreSQL"
GUNICORN = ("--workers=2", "--threads=4", "--no-control-socket", "--bind=127.0.0.1:{port}")
SECRET = "of this one run"  # noqa: S105 - it signs the token of a server that lives for a minute on loopback
ISSO = Peer("isso {version}", "isso==0.14.0", ("{home}/bin/gunicorn", *GUNICORN, "--preload", "isso.run"), "a comment")
DATASETTE = Peer(
    "Datasette {version}",
    "datasette==1.0a41",
    ("{home}/bin/datasette", "serve", "data.db", "--port={port}", f"--secret={SECRET}", "--config=datasette.json"),
    "a row by its JSON write API, with a token",
)
LESSON = (
    "Two of the three red runs had the same cause: a fixture kept its connection open, and the next test got it back"
    " with a transaction on it. Ask for the logs first; the agent guessed at time zones until it had read them."
)
REPORT: dict[str, object] = {
    "playbook": BOOK,
    "agent": "claude-code",
    "outcome": "worked_with_changes",
    "model": "a model",
}
REPORT |= {"what_changed": "Step 2 was done twice, because the first change hid the cause.", "lesson": LESSON}
REPORT |= {"duration_minutes": 95, "reporter": "reporter"}


@dataclass(frozen=True)
class System:
    """Something that takes writes: what to send it, and where its rows are."""

    port: int
    path: str
    body: object
    database: str
    rows: str = "runs"
    key: str = ""

    def load(self, seconds: float) -> Load:
        """Writes for so many seconds."""
        headers = {"Content_Type": "application/json"} | ({"Authorization": self.key} if self.key else {})
        sent = harness.request("POST", self.port, self.path, json.dumps(self.body).encode(), **headers)
        return harness.load(self.port, [sent], seconds, CONNECTIONS)

    def stored(self) -> int:
        """How many rows it holds."""
        engine = create_engine(self.database)
        with engine.connect() as connection:
            query = text(f"SELECT count(*) FROM {self.rows}")  # noqa: S608 - our own name
            count: int = connection.execute(query).scalar_one()
        engine.dispose()
        return count


def main() -> None:
    """Measure and print."""
    asked = harness.options(__doc__, short={"rounds": 2, "seconds": 1.0}, rounds=5, seconds=5.0)
    with tempfile.TemporaryDirectory() as name, ExitStack() as servers:
        systems = dict(started(Path(name), servers))
        loads = {name: system.load for name, system in systems.items()}
        found = harness.under_load(f"{CONNECTIONS} connections, writes", loads, asked.rounds, asked.seconds)
        lost = [name for name, system in systems.items() if system.stored() < found[name].good]
        print(f"\n{synced_appends(Path(name) / 'appended'):,.0f} synced appends a second on this disk")
    sound = verdict(f"each acknowledged write is stored{': not by ' if lost else ''}{', '.join(lost)}", met=not lost)
    for name in found.keys() & {SQLITE, POSTGRES}:
        sound &= verdict(f"{name}: no write failed", met=not found[name].failed)
        verdict(f"{name}: p99 at most {P99_SECONDS * 1000:.0f} ms", met=found[name].p99 <= P99_SECONDS)
        for peer in found.keys() - {SQLITE, POSTGRES}:
            times = found[name].rate / found[peer].rate
            least = TIMES_ISSO if peer == ISSO.title else 0
            verdict(f"{name}: {times:.1f} x {peer}, at least {least:g}", met=times >= least)
    sys.exit(not sound)


def started(folder: Path, servers: ExitStack) -> Iterator[tuple[str, System]]:
    """All systems, running; of those that cannot be had, the reason in a line."""
    built(write_rich_content(folder), folder / "site", site_url="http://127.0.0.1")
    kinds: dict[str, Callable[[Path, int, ExitStack], System]] = {
        SQLITE: _on_sqlite,
        POSTGRES: _on_postgres,
        ISSO.title: _isso,
        f"{ISSO.title}, WAL": partial(_isso, wal=True),
        DATASETTE.title: _datasette,
    }
    for name, start in kinds.items():
        place = folder / name.replace(" ", "-")
        place.mkdir()
        try:
            yield name, start(place, harness.free_port(), servers)
        except NotMeasured as reason:
            print(f"{name} was not measured: {reason}")


def _on_sqlite(folder: Path, port: int, servers: ExitStack) -> System:
    """WAL, synchronous FULL."""
    return _ours(f"sqlite:///{folder / 'queue.db'}", folder, port, servers)


def _on_postgres(folder: Path, port: int, servers: ExitStack) -> System:
    """A server of its own: fsync and synchronous_commit on, all else as it is shipped."""
    if not all(shutil.which(program) for program in ("initdb", "postgres", "setpriv")):
        raise NotMeasured("PostgreSQL is not installed")
    server = PostgresServer("fsync=on", "synchronous_commit=on")
    servers.callback(server.remove)
    server.start()
    return _ours(server.fresh(), folder, port, servers)


def _ours(database: str, folder: Path, port: int, servers: ExitStack) -> System:
    """The write API behind gunicorn; its limits count, as in production, and refuse nobody here."""
    env = {"PLAYBOOKS_SITE": str(folder.parent / "site"), "PLAYBOOKS_VAR": str(folder)}
    env |= {
        "PLAYBOOKS_DATABASE_URL": database,
        "PLAYBOOKS_WRITE_LIMITS": "1000000 per minute; 10000000 per day",
        "PLAYBOOKS_BUDGETS": "0",
    }
    words = [word.format(port=port) for word in GUNICORN]
    command = [*harness.PYTHON, "gunicorn", *words, "playbook_library:application()"]
    servers.enter_context(harness.running(command, port, folder, env))
    return System(port, "/api/v1/runs", REPORT, database)


def _isso(folder: Path, port: int, servers: ExitStack, *, wal: bool = False) -> System:
    """Moderated comments, its guard off; SQLite as isso opens it, or put into the mode with a log, which it leaves."""
    database = folder / "comments.db"
    if wal:
        _create(database)
    settings = f"[general]\ndbpath = {database}\nhost = http://127.0.0.1:{port}/\n"
    (folder / "isso.cfg").write_text(f"{settings}[moderation]\nenabled = true\n[guard]\nenabled = false\n")
    env = {"ISSO_SETTINGS": str(folder / "isso.cfg")}
    servers.enter_context(harness.running(ISSO.ready(folder, port=port), port, folder, env))
    comment = {"author": "reporter", "email": "reporter@example.org", "title": "Fix flaky tests", "text": LESSON}
    return System(port, "/new?uri=%2Ffix-flaky-tests%2F", comment, f"sqlite:///{database}", "comments")


def _datasette(folder: Path, port: int, servers: ExitStack) -> System:
    """Served as Datasette serves itself; WAL and synchronous FULL."""
    database = folder / "data.db"
    _create(database, f"CREATE TABLE runs (id INTEGER PRIMARY KEY, {', '.join(REPORT)})")
    allowed = {"databases": {"data": {"tables": {"runs": {"permissions": {"insert-row": {"id": "reporter"}}}}}}}
    (folder / "datasette.json").write_text(json.dumps(allowed))
    command = DATASETTE.ready(folder, port=port)
    token = [command[0], "create-token", "reporter", "--secret", SECRET]
    key = subprocess.run(token, check=True, capture_output=True, text=True).stdout.strip()
    servers.enter_context(harness.running(command, port, folder))
    return System(port, "/data/runs/-/insert", {"rows": [REPORT]}, f"sqlite:///{database}", key=f"Bearer {key}")


def _create(database: Path, *statements: str) -> None:
    with closing(sqlite3.connect(database)) as connection:
        for statement in ("PRAGMA journal_mode = WAL", *statements):
            connection.execute(statement)


def synced_appends(path: Path) -> float:
    """How often in a second this disk takes 4 KiB for certain: what no durable write that stands alone can pass."""
    with path.open("wb", buffering=0) as file:
        until, count = time.perf_counter() + 1, 0
        while time.perf_counter() < until:
            file.write(b"x" * 4096)
            os.fsync(file.fileno())
            count += 1
        return count


if __name__ == "__main__":
    main()
