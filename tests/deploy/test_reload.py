"""Reloads under load: of nginx's configuration and of the application, and not one request fails."""

from __future__ import annotations

import signal
import threading
import time
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from functools import partial
from pathlib import Path

import pytest

from build.views.routes import API
from tests.builders import BOOK
from tests.faults.http_client import RUN, post, request
from tests.faults.http_server import rows
from tests.front import deployed
from tests.nginx import needs_nginx
from tests.postgres import needs_postgres

pytestmark = [pytest.mark.slow, pytest.mark.system, needs_nginx, needs_postgres]
READS = (f"{API}/playbooks/{BOOK}", f"{API}/search?q=flaky", "/search/?q=flaky")


def test_no_request_fails_while_both_are_loaded_anew(content: Path, tmp_path: Path) -> None:
    with deployed(content, tmp_path, write_limits="1000000 per hour") as stack:
        over = threading.Event()

        def ask(number: int) -> list[str]:
            """What went wrong; a connection for each request."""
            wrong, sent = [], 0
            while not over.is_set():
                try:
                    if number % 2:
                        sent += 1
                        answer = post(stack.nginx.address, "/runs", RUN, once=f"{number}-{sent}")
                        wrong += [f"POST: {answer.status}"] if answer.status != 201 else []
                    else:
                        path = READS[sent % len(READS)]
                        sent += 1
                        answer = request(stack.nginx.address, "GET", path)
                        wrong += [f"{path}: {answer.status}"] if answer.status != 200 else []
                except OSError as error:
                    wrong.append(f"{type(error).__name__}: {error}")
            counts[number] = sent
            return wrong

        counts: dict[int, int] = {}
        with ThreadPoolExecutor(4) as pool:
            asked = [pool.submit(ask, number) for number in range(4)]
            try:
                for _ in range(2):
                    time.sleep(1)
                    _replaced(stack.nginx.workers, stack.nginx.reload)
                    _replaced(stack.api.workers, partial(stack.api.process.send_signal, signal.SIGHUP))
                time.sleep(1)
            finally:
                over.set()
        wrong = [line for found in asked for line in found.result()]
        assert wrong == []
        assert sum(counts.values()) > 50, counts
        kept = int(rows(stack.database_url, "SELECT count(*) FROM runs")[0][0])
        assert kept == counts[1] + counts[3]


def _replaced(workers: Callable[[], list[int]], reload: Callable[[], None]) -> None:
    """Wait until there are workers, and none of those that there were."""
    before = set(workers())
    reload()
    end = time.monotonic() + 60
    while not (now := set(workers())) or now & before:
        assert time.monotonic() < end
        time.sleep(0.05)
