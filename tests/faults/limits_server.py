"""A small limited application behind gunicorn, and a Redis of its own, both as real processes that tests may hurt."""

from __future__ import annotations

import os
import shutil
import signal
import socket
import ssl
import subprocess
import time
from collections import Counter
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager, suppress
from http.client import HTTPConnection
from pathlib import Path
from typing import Literal
from urllib.parse import urlsplit

import httpx
import pytest
from flask import Flask

from tests.forks import Forked
from writeapi.errors import register_errors
from writeapi.limits import limit_writes
from writeapi.settings import Settings

WORKERS = 4
TLS = ssl.create_default_context()
"""Not used on these plain connections, but httpx would make one for each request, and that takes longer than it."""

Policy = Literal["refuse", "fall-back"]


def application(limits_path: str, limits_url: str, policy: Policy, limits: str, proxies: int) -> Flask:
    """What gunicorn serves: the worker's process id."""
    app = Flask("limited")
    site = "https://playbooks.example"
    register_errors(app, site)
    limit_writes(
        app,
        Settings(site, "", Path(limits_path), limits_url, policy, proxies, WORKERS, write_limits=limits),
        lambda: None,
    )

    @app.get("/")
    def slow() -> str:  # long enough that the next request goes to another worker
        time.sleep(0.02)
        return str(os.getpid())

    @app.post("/")
    def write() -> str:
        return str(os.getpid())

    return app


@contextmanager
def serving(
    limits_path: Path, limits: str, *, url: str = "", policy: Policy = "refuse", proxies: int = 0
) -> Iterator[str]:
    """The address of that application, served by four workers of four threads."""
    with socket.socket() as listener:
        listener.bind(("127.0.0.1", 0))
        listener.listen(512)
        settings = f"{str(limits_path)!r},{url!r},{policy!r},{limits!r},{proxies}"
        arguments = [
            "--bind",
            "fd://{listener}",
            "--workers",
            str(WORKERS),
            "--threads",
            "4",
            "--graceful-timeout",
            "2",
        ]
        arguments += ["--log-level", "warning", "--no-control-socket"]
        arguments.append(f"tests.faults.limits_server:application({settings})")
        log = limits_path.with_name("limits-log")
        process = Forked("gunicorn.app.wsgiapp:run", arguments, os.environ, log, listener)
        address = f"http://127.0.0.1:{listener.getsockname()[1]}"
    try:
        wait_for_all(address)
        yield address
    finally:
        process.terminate()
        process.wait(60)


def wait_for_all(address: str) -> None:
    """Wait until each of the four workers has answered: only then do they share the work."""
    seen: set[str] = set()
    deadline = time.monotonic() + 60
    with ThreadPoolExecutor(16) as pool:
        while len(seen) < WORKERS:
            assert time.monotonic() < deadline, f"{len(seen)} workers answer"
            seen |= set(pool.map(lambda _: httpx.get(address, timeout=60, verify=TLS).text, range(16)))


def flood(address: str, times: int, forwarded: bool = False) -> tuple[Counter[int], set[str]]:
    """How often each status was answered to so many writes at once, and the processes that let one through."""

    place = urlsplit(address)

    def send(number: int) -> tuple[int, str]:
        headers = {"X-Forwarded-For": f"198.51.100.{number % 250}"} if forwarded else {}
        connection = HTTPConnection(place.hostname or "", place.port, timeout=60)
        connection.request("POST", "/", headers=headers)
        answer = connection.getresponse()
        told = answer.read().decode()
        connection.close()
        return answer.status, told

    with ThreadPoolExecutor(64) as pool:
        answers = list(pool.map(send, range(times)))
    return Counter(status for status, _ in answers), {told for status, told in answers if status == 200}


def timed(address: str) -> tuple[httpx.Response, float]:
    """One write, and how long its answer took, in seconds."""
    start = time.monotonic()
    return httpx.post(address, timeout=60, verify=TLS), time.monotonic() - start


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
