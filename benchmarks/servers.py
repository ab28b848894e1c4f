"""Servers in processes of their own, on free ports of this machine, ended by their process ids."""

from __future__ import annotations

import os
import signal
import socket
import subprocess
import time
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager, suppress
from pathlib import Path

START_SECONDS = 30.0
GUNICORN = ("--workers", "2", "--threads", "4", "--no-control-socket")


class NotStarted(Exception):
    """A server did not start, with the end of its log."""


def free_port() -> int:
    """A port of this machine that nobody listens on."""
    with socket.socket() as held:
        held.bind(("127.0.0.1", 0))
        port: int = held.getsockname()[1]
        return port


@contextmanager
def running(command: Sequence[str], port: int, log: Path, env: Mapping[str, str], cwd: Path) -> Iterator[None]:
    """The server of `command` until the block ends. Raises `NotStarted`."""
    with log.open("wb") as out:
        told = {**os.environ, **env}
        process = subprocess.Popen(command, cwd=cwd, env=told, stdout=out, stderr=out, start_new_session=True)
    try:
        _wait_for(process, port, log)
        yield
    finally:
        _end(process)


def _end(process: subprocess.Popen[bytes]) -> None:
    """Ask it to stop; then end whatever of its own session is left, such as a worker that hangs."""
    process.terminate()
    with suppress(subprocess.TimeoutExpired):
        process.wait(10)
    with suppress(ProcessLookupError):
        os.killpg(process.pid, signal.SIGKILL)
    process.wait()


def _wait_for(process: subprocess.Popen[bytes], port: int, log: Path) -> None:
    end = time.monotonic() + START_SECONDS
    while process.poll() is None and time.monotonic() < end:
        with suppress(OSError), socket.create_connection(("127.0.0.1", port), timeout=1):
            return
        time.sleep(0.05)
    raise NotStarted(log.read_text(errors="replace")[-2000:])
