"""The whole service as real processes that tests may hurt: gunicorn with its workers, or `playbooks serve`."""

from __future__ import annotations

import os
import re
import socket
import subprocess
import sys
import time
from collections.abc import Iterator, Mapping
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from pathlib import Path

import psycopg

from build.views.routes import API
from tests.faults.http_client import Address, request
from tests.forks import PROJECT, Forked

START_SECONDS = 60
UNLIMITED = {"PLAYBOOKS_WRITE_LIMITS": "1000000 per hour", "PLAYBOOKS_CONTRIBUTOR_LIMITS": "1000000 per hour"}
UNLIMITED |= {"PLAYBOOKS_BUDGETS": "0"}


@dataclass
class Served:
    """A running service: where it answers, its first process, and what it wrote to its standard error."""

    address: Address
    process: Forked | subprocess.Popen[bytes]
    log: Path

    def workers(self) -> list[int]:
        """The process ids of gunicorn's workers, as they are now."""
        number = self.process.pid
        return [int(child) for child in Path(f"/proc/{number}/task/{number}/children").read_text().split()]


@contextmanager
def gunicorn(
    site: Path,
    folder: Path,
    *,
    database_url: str = "",
    workers: int = 2,
    threads: int = 4,
    ready: int = 200,
    graceful: int = 2,
    **settings: str,
) -> Iterator[Served]:
    """The write API as in production, once it is `ready`; `settings` are `PLAYBOOKS_*` without their first word."""
    folder.mkdir(exist_ok=True)
    (folder / "log").unlink(missing_ok=True)
    told = {f"PLAYBOOKS_{name.upper()}": value for name, value in settings.items()}
    told |= {"PLAYBOOKS_SITE": str(site), "PLAYBOOKS_VAR": str(folder), "PLAYBOOKS_DATABASE_URL": database_url}
    arguments = ["--config", str(PROJECT / "deploy/gunicorn.conf.py"), "--bind", "fd://{listener}"]
    arguments += ["--workers", str(workers), "--threads", str(threads), "--log-level", "warning"]
    arguments += ["--graceful-timeout", str(graceful), "playbook_library:application()"]
    with socket.socket() as listener:
        listener.bind(("127.0.0.1", 0))
        listener.listen(512)
        address = Address("127.0.0.1", listener.getsockname()[1])
        told["WEB_CONCURRENCY"] = str(workers)
        # What counts over processes is chosen when it is loaded: then nothing may be loaded yet.
        begin = _whole if "metrics" in settings else Forked
        process = begin("gunicorn.app.wsgiapp:run", arguments, _environment(told), folder / "log", listener)
    with _until_it_ends(process, folder / "log"):
        _wait_until_ready(served := Served(address, process, folder / "log"), workers, ready)
        yield served


@contextmanager
def playbooks_serve(content: Path, folder: Path, **settings: str) -> Iterator[Served]:
    """The command that everybody starts with."""
    folder.mkdir(exist_ok=True)
    told = {f"PLAYBOOKS_{name.upper()}": value for name, value in settings.items()}
    arguments = ["serve", "--port", "0", "--content", str(content), "--jobs", "1"]
    arguments += ["--out", str(folder / "out"), "--var", str(folder / "var"), "--today", "2026-11-20"]
    with started(arguments, told, folder / "log") as served:
        _wait_until_ready(served, 0)
        yield served


@contextmanager
def started(arguments: list[str], settings: Mapping[str, str], log: Path) -> Iterator[Served]:
    """A command of ours that serves, once it has said where."""
    process = Forked("cli:main", arguments, _environment(settings), log)
    with _until_it_ends(process, log):
        yield Served(Address("127.0.0.1", _port(log, process)), process, log)


def rows(url: str, statement: str) -> list[tuple[str, ...]]:
    """What a query gives, asked past the service."""
    if url.startswith("sqlite"):
        import sqlite3

        connection = sqlite3.connect(url.removeprefix("sqlite:///"), timeout=60)
        try:
            return connection.execute(statement).fetchall()
        finally:
            connection.close()
    with psycopg.connect(url.replace("+psycopg", ""), connect_timeout=5) as asked:
        return asked.execute(statement.encode()).fetchall()


def _whole(
    main: str, arguments: list[str], environment: dict[str, str], log: Path, listener: socket.socket
) -> subprocess.Popen[bytes]:
    """The same as `Forked`, from the start of the interpreter on."""
    command = [sys.executable, "-m", main.partition(":")[0]]
    command += [argument.replace("{listener}", str(listener.fileno())) for argument in arguments]
    with log.open("ab") as out:
        return subprocess.Popen(
            command, cwd=PROJECT, env=environment, pass_fds=[listener.fileno()], stdout=out, stderr=out
        )


def _environment(settings: Mapping[str, str]) -> dict[str, str]:
    """That of these tests, with no settings of ours but these."""
    kept = {name: value for name, value in os.environ.items() if not name.startswith(("PLAYBOOKS_", "WEB_"))}
    return {**kept, **UNLIMITED, **{name: value for name, value in settings.items() if value}, "PYTHONUNBUFFERED": "1"}


@contextmanager
def _until_it_ends(process: Forked | subprocess.Popen[bytes], log: Path) -> Iterator[None]:
    try:
        yield
    except BaseException:
        print(log.read_text(errors="replace")[-4_000:])  # noqa: T201 - pytest shows it with the failure
        raise
    finally:
        process.terminate()
        try:
            process.wait(60)
        except subprocess.TimeoutExpired:
            process.kill()
            process.wait(60)


def _port(log: Path, process: Forked) -> int:
    end = time.monotonic() + START_SECONDS
    while time.monotonic() < end and process.poll() is None:
        if found := re.search(r"serving http://127\.0\.0\.1:(\d+)/", log.read_text()):
            return int(found[1])
        time.sleep(0.05)
    raise AssertionError("it did not start")


def _wait_until_ready(served: Served, workers: int, ready: int = 200) -> None:
    """Wait until every worker has said what it uses, and the service whether it can work."""
    end = time.monotonic() + START_SECONDS
    while time.monotonic() < end and served.process.poll() is None:
        with suppress(OSError):
            answer = request(served.address, "GET", f"{API}/readyz", timeout=START_SECONDS)
            if answer.status == ready and served.log.read_text().count("the write API of") >= workers:
                return
        time.sleep(0.05)
    raise AssertionError("it did not get ready")
