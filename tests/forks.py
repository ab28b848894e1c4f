"""Processes of ours that start at once: each is forked from one that has loaded what they need, and did nothing else.

They are processes like those that a shell starts, with their own environment, input, output and signals; what is saved
is the second of imports, for each of gunicorn's workers too. How a start really goes is tried where that is tested.
"""

from __future__ import annotations

import multiprocessing
import os
import signal
import subprocess
import sys
from collections.abc import Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from importlib import import_module
from io import TextIOWrapper
from multiprocessing import reduction
from pathlib import Path
from socket import socket
from typing import Any

PROJECT = Path(__file__).resolve().parents[1]
CLI = "cli:main"
LOADED = (
    "cli",
    "server.commands",
    "server.wsgi",
    "server.operating",
    "gunicorn.app.wsgiapp",
    "gunicorn.workers.gthread",
    "tests.writeapi.store.worker",
    "tests.faults.publish_worker",
    "tests.faults.work_worker",
    "tests.circle.server",
)

_CONTEXT = multiprocessing.get_context("forkserver")
_CONTEXT.set_forkserver_preload(list(LOADED))


class Forked:
    """A running process, with what the tests use of `subprocess.Popen`.

    It calls `main`, `module:function` without arguments, with these on its command line; `{listener}` among them is the
    number of its open socket. What it says goes to the end of `log`; without one, it is read from `stdout` and
    `stderr`, and `stdin` is what it reads.
    """

    def __init__(
        self,
        main: str,
        arguments: Sequence[object],
        environment: Mapping[str, str] | None = None,
        log: Path | None = None,
        listener: socket | None = None,
    ) -> None:
        told = dict(os.environ if environment is None else environment)
        if log:
            log.touch()
            theirs: list[int] = [
                os.open(os.devnull, os.O_RDONLY),
                *(os.open(log, os.O_WRONLY | os.O_APPEND) for _ in "12"),
            ]
        else:
            (reads, writes), (from_out, out), (from_error, error) = os.pipe(), os.pipe(), os.pipe()
            theirs = [reads, out, error]
            self.stdin: TextIOWrapper = os.fdopen(writes, "w")
            self.stdout: TextIOWrapper = os.fdopen(from_out)
            self.stderr: TextIOWrapper = os.fdopen(from_error)
        words = [str(argument) for argument in arguments]
        handed = [_Handed(number) for number in theirs]
        self._process = _CONTEXT.Process(target=_run, args=(main, words, told, handed, listener))
        self._process.start()
        for number in theirs:
            os.close(number)
        assert self._process.pid is not None
        self.pid: int = self._process.pid

    @property
    def returncode(self) -> int | None:
        """How it ended, if it has."""
        return self._process.exitcode

    def poll(self) -> int | None:
        """How it ended, if it has."""
        return self._process.exitcode

    def wait(self, timeout: float | None = None) -> int:
        """How it ended, waited for. Raises `subprocess.TimeoutExpired`."""
        self._process.join(timeout)
        if self._process.exitcode is None:
            raise subprocess.TimeoutExpired(str(self.pid), timeout or 0)
        return self._process.exitcode

    def communicate(self, timeout: float | None = None) -> tuple[str, str]:
        """All that it says yet, when it has ended; it reads no more. Raises `subprocess.TimeoutExpired`."""
        self.stdin.close()
        with ThreadPoolExecutor(2) as pool:
            said = [pool.submit(pipe.read) for pipe in (self.stdout, self.stderr)]
            try:
                self.wait(timeout)
            except subprocess.TimeoutExpired:
                self.kill()
                raise
        self.stdout.close()
        self.stderr.close()
        return said[0].result(), said[1].result()

    def send_signal(self, number: int) -> None:
        """Send it a signal, if it runs."""
        if self.poll() is None:
            os.kill(self.pid, number)

    def terminate(self) -> None:
        """Ask it to end."""
        self.send_signal(signal.SIGTERM)

    def kill(self) -> None:
        """End it."""
        self.send_signal(signal.SIGKILL)


def run(
    main: str, arguments: Sequence[object], environment: Mapping[str, str] | None = None, timeout: float = 120
) -> subprocess.CompletedProcess[str]:
    """Such a process from its beginning to its end, as `subprocess.run` gives it."""
    process = Forked(main, arguments, environment)
    out, error = process.communicate(timeout)
    return subprocess.CompletedProcess([str(item) for item in arguments], process.wait(), out, error)


class _Handed:
    """An open file of this process on its way to the next."""

    def __init__(self, number: int) -> None:
        self.number = number

    def __reduce__(self) -> Any:
        return _received, (reduction.DupFd(self.number),)


def _received(handed: Any) -> int:
    number: int = handed.detach()
    return number


def _run(
    main: str, arguments: list[str], environment: dict[str, str], handed: list[int], listener: socket | None
) -> None:
    """What the process is: its environment, files and command line, then the program."""
    os.environ.clear()
    os.environ.update(environment)
    os.chdir(PROJECT)
    for number, mine in enumerate(handed):
        os.dup2(mine, number)
        os.close(mine)
    sys.stdin = os.fdopen(0, closefd=False)  # multiprocessing closed the one that there was
    place = "" if listener is None else str(listener.detach())
    module, _, name = main.partition(":")
    sys.argv = [module, *(argument.replace("{listener}", place) for argument in arguments)]
    getattr(import_module(module), name)()
