"""The peers that writes are measured beside: isso and Datasette, each installed into an environment of its own."""

from __future__ import annotations

import json
import sqlite3
import subprocess
import sys
import time
from collections.abc import Iterator
from contextlib import closing, contextmanager
from importlib.metadata import version
from itertools import repeat
from pathlib import Path

from benchmarks.load import post_request
from benchmarks.servers import GUNICORN, free_port, running
from benchmarks.systems import LESSON, REPORT, System

ISSO = ("isso", "0.14.0")
DATASETTE = ("datasette", "1.0a41")
_SECRET = "of this one run"  # noqa: S105 - it signs the token of a server that lives for a minute on loopback


class NotInstalled(Exception):
    """A peer cannot be had here, for a reason in one line."""


def installed(package: tuple[str, str], seconds: float) -> Path:
    """The commands of a peer at exactly this version, kept from run to run in `.cache`. Raises `NotInstalled`.

    Our version of gunicorn comes with it.
    """
    name, number = package
    home = Path(f".cache/benchmarks/{name}-{number}").absolute()
    done = home / "done"
    if not done.exists():
        until = time.monotonic() + seconds
        _run(until, sys.executable, "-m", "venv", "--clear", str(home))
        pip = [str(home / "bin/python"), "-m", "pip", "install", "--quiet", "--disable-pip-version-check"]
        _run(until, *pip, f"{name}=={number}", f"gunicorn=={version('gunicorn')}")
        done.touch()
    return home / "bin"


def _run(until: float, *command: str) -> None:
    try:
        subprocess.run(command, check=True, capture_output=True, timeout=max(1.0, until - time.monotonic()))
    except subprocess.TimeoutExpired:
        raise NotInstalled("its packages were not installed in time") from None
    except subprocess.CalledProcessError as error:
        last = error.stderr.decode(errors="replace").strip().splitlines()[-1:]
        raise NotInstalled(f"its packages cannot be installed: {' '.join(last)[:120]}") from None


@contextmanager
def isso(folder: Path, commands: Path, *, wal: bool = False) -> Iterator[System]:
    """Comments of isso behind the same gunicorn, moderated, its guard off; SQLite as isso opens it: synchronous FULL.

    It keeps a rollback journal. With `wal` its database was put into the mode with a log, which isso leaves as it is.
    """
    folder.mkdir()
    database, settings, port = folder / "comments.db", folder / "isso.cfg", free_port()
    settings.write_text(
        f"[general]\ndbpath = {database}\nhost = http://127.0.0.1:{port}/\n"
        "[moderation]\nenabled = true\n[guard]\nenabled = false\n",
        encoding="utf-8",
    )
    if wal:
        with closing(sqlite3.connect(database)) as connection:
            connection.execute("PRAGMA journal_mode = WAL")
    command = [str(commands / "gunicorn"), *GUNICORN, "--preload", "--bind", f"127.0.0.1:{port}", "isso.run"]
    comment = {"author": "reporter", "email": "reporter@example.org", "title": "Fix flaky tests", "text": LESSON}
    request = post_request(port, "/new?uri=%2Ffix-flaky-tests%2F", json.dumps(comment).encode(), {})
    with running(command, port, folder / "log", {"ISSO_SETTINGS": str(settings)}, folder):
        name = f"isso {ISSO[1]}"
        yield System(f"{name}, WAL" if wal else name, port, repeat(request), 202, lambda: _count(database, "comments"))


@contextmanager
def datasette(folder: Path, commands: Path) -> Iterator[System]:
    """Rows into Datasette's write API with a token, served as Datasette serves itself; WAL and synchronous FULL."""
    folder.mkdir()
    database, port = folder / "data.db", free_port()
    with closing(sqlite3.connect(database)) as connection:
        connection.execute("PRAGMA journal_mode = WAL")
        connection.execute(f"CREATE TABLE runs (id INTEGER PRIMARY KEY, {', '.join(REPORT)})")
    allowed = {"databases": {"data": {"tables": {"runs": {"permissions": {"insert-row": {"id": "reporter"}}}}}}}
    config = folder / "datasette.json"
    config.write_text(json.dumps(allowed), encoding="utf-8")
    program = str(commands / "datasette")
    token = [program, "create-token", "reporter", "--secret", _SECRET]
    key = subprocess.run(token, check=True, capture_output=True, text=True).stdout.strip()
    command = [program, "serve", str(database), "--port", str(port), "--secret", _SECRET, "--config", str(config)]
    body = json.dumps({"rows": [REPORT]}).encode()
    request = post_request(port, "/data/runs/-/insert", body, {"Authorization": f"Bearer {key}"})
    with running(command, port, folder / "log", {}, folder):
        yield System(f"Datasette {DATASETTE[1]}", port, repeat(request), 201, lambda: _count(database, "runs"))


def _count(database: Path, table: str) -> int:
    with closing(sqlite3.connect(database)) as connection:
        count: int = connection.execute(f"SELECT count(*) FROM {table}").fetchone()[0]  # noqa: S608 - our own name
        return count
