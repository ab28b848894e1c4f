"""Processes of ours that start at once: each is forked from one that has loaded what they need, and did nothing else.

They are processes like those that a shell starts, with their own environment, output and signals; what is saved is the
second of imports, for each of gunicorn's workers too. How a start really goes is tried where the start is tested.
"""

from __future__ import annotations

import multiprocessing
import os
import signal
import subprocess
import sys
from collections.abc import Mapping, Sequence
from importlib import import_module
from pathlib import Path
from socket import socket

PROJECT = Path(__file__).resolve().parents[1]
LOADED = ("cli", "server.commands", "server.wsgi", "gunicorn.app.wsgiapp", "gunicorn.workers.gthread")

_CONTEXT = multiprocessing.get_context("forkserver")
_CONTEXT.set_forkserver_preload(list(LOADED))


class Forked:
    """A running process, with what the tests use of `subprocess.Popen`."""

    def __init__(
        self,
        main: str,
        arguments: Sequence[str],
        environment: Mapping[str, str],
        log: Path,
        listener: socket | None = None,
    ) -> None:
        """Call `main`, `module:function` without arguments, with these on its command line.

        What it says goes to the end of `log`; `{listener}` among the arguments is the number of its open socket.
        """
        log.touch()
        self._process = _CONTEXT.Process(target=_run, args=(main, list(arguments), dict(environment), log, listener))
        self._process.start()
        pid = self._process.pid
        assert pid is not None
        self.pid: int = pid

    def poll(self) -> int | None:
        """How it ended, if it has."""
        return self._process.exitcode

    def wait(self, timeout: float) -> int:
        """How it ended, waited for. Raises `subprocess.TimeoutExpired`."""
        self._process.join(timeout)
        if self._process.exitcode is None:
            raise subprocess.TimeoutExpired(str(self.pid), timeout)
        return self._process.exitcode

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


def _run(main: str, arguments: list[str], environment: dict[str, str], log: Path, listener: socket | None) -> None:
    """What the process is: its environment, output and command line, then the program."""
    os.environ.clear()
    os.environ.update(environment)
    os.chdir(PROJECT)
    out = os.open(log, os.O_WRONLY | os.O_APPEND | os.O_CREAT, 0o600)
    for descriptor in (1, 2):
        os.dup2(out, descriptor)
    os.close(out)
    number = "" if listener is None else str(listener.detach())
    module, _, name = main.partition(":")
    sys.argv = [module, *(argument.replace("{listener}", number) for argument in arguments)]
    getattr(import_module(module), name)()
