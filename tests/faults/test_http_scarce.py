"""A service at the limit of its memory, its file descriptors or its disk goes on, or says that it cannot."""

from __future__ import annotations

import resource
import socket
import time
from collections import Counter
from contextlib import ExitStack
from pathlib import Path

import pytest

from build.views.routes import API
from tests.faults.http_client import RUN, post, request, together
from tests.faults.http_server import Served, gunicorn, playbooks_serve, rows
from writeapi.api.live import READY_SECONDS

pytestmark = pytest.mark.slow
MIB = 1024 * 1024
DESCRIPTORS = 64


def limit(served: Served, what: int, most: int) -> None:
    """Bound every process of a service; its hard limit stays."""
    for process in served.workers() or [served.process.pid]:
        resource.prlimit(process, what, (most, resource.RLIM_INFINITY if what != resource.RLIMIT_NOFILE else 1024))


def silent(served: Served, many: int) -> ExitStack:
    """So many connections on which nothing is ever sent."""
    stack = ExitStack()
    for number in range(many):
        source = (f"127.0.1.{1 + number}", 0)
        stack.enter_context(socket.create_connection(served.address, timeout=60, source_address=source))
    return stack


def test_old_idle_connections_go_where_descriptors_are_few(library: tuple[Path, Path], tmp_path: Path) -> None:
    with playbooks_serve(library[0], tmp_path) as served:
        assert post(served.address, "/runs", RUN).status == 201
        limit(served, resource.RLIMIT_NOFILE, DESCRIPTORS)
        with silent(served, 2 * DESCRIPTORS):
            assert post(served.address, "/runs", RUN).status == 201
        assert post(served.address, "/runs", RUN).status == 201


def test_memory_at_its_limit_is_503_and_then_as_before(site: Path, tmp_path: Path) -> None:
    body = {**RUN, "lesson": "x " * 3_000}
    with gunicorn(site, tmp_path, workers=1) as served:
        acknowledged = [post(served.address, "/runs", body).json["id"]]
        workers, found = served.workers(), Counter[int]()
        for more in range(0, 4 * MIB, MIB // 2):
            size = int(Path(f"/proc/{workers[0]}/statm").read_text().split()[0]) * resource.getpagesize()
            limit(served, resource.RLIMIT_AS, size + more)
            answers = together(8, lambda _: post(served.address, "/runs", body))
            found.update(answer.status for answer in answers)
            acknowledged += [answer.json["id"] for answer in answers if answer.status == 201]
        limit(served, resource.RLIMIT_AS, resource.RLIM_INFINITY)
        acknowledged.append(post(served.address, "/runs", body).json["id"])
        assert set(found) <= {201, 503}
        assert served.workers() == workers
    url = f"sqlite:///{tmp_path / 'queue.db'}"
    assert sorted(name for (name,) in rows(url, "SELECT id FROM runs")) == sorted(acknowledged)


def test_a_quota_that_is_used_up_is_seen_by_readiness(site: Path, tmp_path: Path) -> None:
    with gunicorn(site, tmp_path, workers=1) as served:
        post(served.address, "/runs", RUN)
        limit(served, resource.RLIMIT_FSIZE, 0)
        time.sleep(READY_SECONDS)
        assert request(served.address, "GET", f"{API}/readyz").status == 503
        assert post(served.address, "/runs", RUN).status == 503
        assert request(served.address, "GET", f"{API}/search?q=flaky").status == 200
        limit(served, resource.RLIMIT_FSIZE, resource.RLIM_INFINITY)
        time.sleep(READY_SECONDS)
        assert request(served.address, "GET", f"{API}/readyz").status == 200
        assert post(served.address, "/runs", RUN).status == 201
