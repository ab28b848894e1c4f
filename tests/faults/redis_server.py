"""A Redis of its own, as a real process that tests may hurt."""

from __future__ import annotations

import shutil
import signal
import socket
import subprocess
import time
from contextlib import suppress
from pathlib import Path

import pytest


class Redis:
    """A redis-server on a free port of this machine."""

    def __init__(self, folder: Path) -> None:
        with socket.socket() as probe:
            probe.bind(("127.0.0.1", 0))
            self.port: int = probe.getsockname()[1]
        self.folder = folder
        self.url = f"redis://127.0.0.1:{self.port}/0"
        self.start()

    def start(self) -> None:
        options = ["--port", str(self.port), "--bind", "127.0.0.1", "--save", "", "--dir", str(self.folder)]
        program = shutil.which("redis-server") or pytest.skip(
            "not run: limits with a real Redis; redis-server is missing"
        )
        self.process = subprocess.Popen([program, *options], stdout=subprocess.DEVNULL)
        deadline = time.monotonic() + 60
        while time.monotonic() < deadline:
            with suppress(OSError), socket.create_connection(("127.0.0.1", self.port), timeout=1):
                return
            time.sleep(0.02)
        raise AssertionError("redis-server did not start")

    def kill(self) -> None:
        self.process.kill()
        self.process.wait(60)

    def hang(self) -> None:
        self.process.send_signal(signal.SIGSTOP)

    def go_on(self) -> None:
        self.process.send_signal(signal.SIGCONT)
