"""A private PostgreSQL for tests: in a folder of its own, on a socket in it, ended by its own process id."""

from __future__ import annotations

import atexit
import functools
import os
import pwd
import shutil
import signal
import subprocess
import tempfile
import time
from contextlib import suppress
from pathlib import Path

import psycopg
import pytest

_PLACES = sorted(Path("/usr/lib/postgresql").glob("*/bin"), reverse=True)  # Debian keeps servers off the path
_PATH = os.pathsep.join([os.environ.get("PATH", os.defpath), *map(str, _PLACES)])
_NOT_ROOT = "nobody"  # PostgreSQL refuses to run as root

needs_postgres = pytest.mark.skipif(
    not all(shutil.which(program, path=_PATH) for program in ("initdb", "postgres", "setpriv")),
    reason="PostgreSQL is not installed: the store was not tried on it",
)


class PostgresServer:
    """One server. It can be started again after it was stopped or killed."""

    def __init__(self, *settings: str) -> None:
        self.folder = Path(tempfile.mkdtemp(prefix="pg-", dir="/tmp"))
        self._settings = settings
        self._process: subprocess.Popen[bytes] | None = None
        self._databases = 0
        self._become = ["setpriv", "--pdeathsig=INT"]  # it ends with the tests, even when these are killed
        if os.geteuid() == 0:
            user = pwd.getpwnam(_NOT_ROOT)
            os.chown(self.folder, user.pw_uid, user.pw_gid)
            self._become += [f"--reuid={user.pw_uid}", f"--regid={user.pw_gid}", "--clear-groups"]
        self._run("initdb", "-D", str(self.data), "-U", "postgres", "-A", "trust", "-E", "UTF8", "--no-sync")

    @property
    def data(self) -> Path:
        """Where the server keeps everything."""
        return self.folder / "data"

    def start(self) -> None:
        """Start, and return when it answers. What a killed server left may keep the next one out for a moment."""
        command = [
            *self._become,
            _program("postgres"),
            "-D",
            str(self.data),
            "-k",
            str(self.folder),
            "-c",
            "listen_addresses=",
        ]
        for setting in self._settings:
            command += ["-c", setting]
        end = time.monotonic() + 60
        with (self.folder / "log").open("ab") as log:
            while time.monotonic() < end:
                if self._process is None or self._process.poll() is not None:
                    self._process = subprocess.Popen(command, cwd="/", stdout=log, stderr=log)
                with suppress(psycopg.OperationalError), psycopg.connect(self.dsn("postgres")):
                    return
                time.sleep(0.05)
        raise AssertionError((self.folder / "log").read_text(errors="replace")[-2000:])

    def stop(self) -> None:
        """Stop without waiting for clients."""
        if self._process is not None:
            self._process.send_signal(signal.SIGINT)
            self._process.wait(60)
            self._process = None

    def kill(self) -> None:
        """Kill the server and all processes that it started, as a machine that falls over does."""
        assert self._process is not None
        number = self._process.pid
        children = Path(f"/proc/{number}/task/{number}/children").read_text().split()
        self._process.kill()
        self._process.wait(60)
        for child in children:
            with suppress(ProcessLookupError):
                os.kill(int(child), signal.SIGKILL)
        self._process = None

    def fresh(self) -> str:
        """The address of a new, empty database."""
        self._databases += 1
        name = f"store{self._databases}"
        with psycopg.connect(self.dsn("postgres"), autocommit=True) as connection:
            connection.execute(f'CREATE DATABASE "{name}"'.encode())
        return f"postgresql+psycopg://postgres@/{name}?host={self.folder}"

    def dsn(self, name: str) -> str:
        """What psycopg connects by."""
        return f"host={self.folder} user=postgres dbname={name} connect_timeout=5"

    def remove(self) -> None:
        """Stop at once, and leave nothing."""
        if self._process is not None:
            self._process.send_signal(signal.SIGQUIT)
            self._process.wait(60)
        shutil.rmtree(self.folder)

    def _run(self, name: str, *arguments: str) -> None:
        subprocess.run([*self._become, _program(name), *arguments], check=True, cwd="/", capture_output=True)


def _program(name: str) -> str:
    """Where a program of PostgreSQL is: Debian keeps them out of the way."""
    found = shutil.which(name, path=_PATH)
    assert found, f"{name} is not installed"
    return found


@functools.cache
def shared_server() -> PostgresServer:
    """The one server of this test session, started when it is first asked for; each test takes a `fresh` database."""
    server = PostgresServer()
    atexit.register(server.remove)
    server.start()
    return server
