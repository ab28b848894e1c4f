"""Our own write API as the writes are measured on it: behind gunicorn, on SQLite and on a private PostgreSQL."""

from __future__ import annotations

import json
import shutil
import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from itertools import repeat
from pathlib import Path

from sqlalchemy import create_engine, text

from benchmarks.load import post_request
from benchmarks.servers import GUNICORN, free_port, running
from tests.builders import BOOK
from tests.postgres import PostgresServer
from tests.rich import write_rich_content
from tests.trees import built

LESSON = (
    "Two of the three red runs had the same cause: a fixture kept its connection open, and the next test got it back"
    " with a transaction on it. Ask for the logs first; the agent guessed at time zones until it had read them."
)
REPORT = {
    "playbook": BOOK,
    "agent": "claude-code",
    "outcome": "worked_with_changes",
    "model": "a model",
    "what_changed": "Step 2 was done twice, because the first change hid the cause.",
    "lesson": LESSON,
    "duration_minutes": 95,
    "reporter": "reporter",
}
LIMITS = "1000000 per minute; 10000000 per day"
"""They count, as in production, and refuse nobody here."""


@dataclass(frozen=True, slots=True)
class System:
    """Something that takes writes: what to send it, the status of a success, and how many rows it holds."""

    name: str
    port: int
    requests: Iterator[bytes]
    good: int
    stored: Callable[[], int]
    ours: bool = False


def rich_site(folder: Path) -> Path:
    """The rich test content, built."""
    site = folder / "site"
    built(write_rich_content(folder), site, site_url="http://127.0.0.1")
    return site


@contextmanager
def on_sqlite(folder: Path, site: Path) -> Iterator[System]:
    """The write API on SQLite: WAL, synchronous FULL."""
    with _ours("ours, SQLite", folder, site, f"sqlite:///{folder / 'queue.db'}") as system:
        yield system


@contextmanager
def on_postgres(folder: Path, site: Path) -> Iterator[System]:
    """The write API on a PostgreSQL of its own: fsync and synchronous_commit on, all else as it is shipped."""
    server = PostgresServer("fsync=on", "synchronous_commit=on")
    try:
        server.start()
        with _ours("ours, PostgreSQL", folder, site, server.fresh()) as system:
            yield system
    finally:
        server.remove()


def has_postgres() -> bool:
    """Whether PostgreSQL's programs are here."""
    return all(shutil.which(program) for program in ("initdb", "postgres", "setpriv"))


@contextmanager
def _ours(name: str, folder: Path, site: Path, url: str) -> Iterator[System]:
    folder.mkdir()
    port = free_port()
    command = [
        sys.executable,
        "-m",
        "gunicorn",
        *GUNICORN,
        "--bind",
        f"127.0.0.1:{port}",
        "playbook_library:application()",
    ]
    told = {
        "PLAYBOOKS_SITE": str(site),
        "PLAYBOOKS_VAR": str(folder),
        "PLAYBOOKS_DATABASE_URL": url,
        "PLAYBOOKS_WRITE_LIMITS": LIMITS,
    }
    request = post_request(port, "/api/v1/runs", json.dumps(REPORT).encode(), {})
    with running(command, port, folder / "log", told, Path.cwd()):
        yield System(name, port, repeat(request), 201, lambda: _runs(url), ours=True)


def _runs(url: str) -> int:
    engine = create_engine(url)
    with engine.connect() as connection:
        count: int = connection.execute(text("SELECT count(*) FROM runs")).scalar_one()
    engine.dispose()
    return count
