"""A database that dies, is locked or has no room: 503 in time, reads go on, nothing is damaged, and it recovers."""

from __future__ import annotations

import os
import resource
import signal
import sqlite3
import time
from pathlib import Path

import pytest

from build.views.routes import API
from tests.faults.http_client import RUN, Answer, post, request, together
from tests.faults.http_server import Served, gunicorn, playbooks_serve, rows
from tests.postgres import PostgresServer, needs_postgres
from tests.waiting import AT_ONCE
from writeapi.api.live import READY_SECONDS

pytestmark = pytest.mark.slow
READS = ("/healthz", "/search?q=flaky")
WAIT = 10
"""For so many seconds the store waits for a database that is busy."""


def refused(answer: Answer) -> None:
    assert (answer.status, answer.headers["content-type"]) == (503, "application/problem+json")
    assert answer.json["type"].endswith("#unavailable")
    assert int(answer.headers["retry-after"]) >= 1


def reads_go_on(served: Served) -> None:
    for path in READS:
        answer = request(served.address, "GET", API + path)
        assert answer.status == 200
        assert answer.seconds < AT_ONCE


def taken_again(served: Served, **options: str) -> Answer:
    end = time.monotonic() + 60
    while (answer := post(served.address, "/runs", RUN, **options)).status == 503 and time.monotonic() < end:
        time.sleep(0.2)
    assert answer.status == 201
    return answer


@pytest.mark.system
@needs_postgres
def test_postgresql_dies_and_comes_back(site: Path, tmp_path: Path, postgres: PostgresServer) -> None:
    with gunicorn(site, tmp_path, database_url=postgres.fresh()) as served:
        key = post(served.address, "/contributors", {"handle": "grace-h"}).json["api_key"]
        sent = [post(served.address, "/runs", RUN, once=str(number)) for number in range(8)]
        for hurt in (postgres.kill, postgres.stop):
            hurt()
            for answer in together(8, lambda _: post(served.address, "/runs", RUN)):
                refused(answer)
                assert answer.seconds < AT_ONCE
            refused(post(served.address, "/runs", RUN, key=key))
            time.sleep(READY_SECONDS)
            refused(request(served.address, "GET", f"{API}/readyz"))
            reads_go_on(served)
            postgres.start()
            taken_again(served, key=key)
            assert post(served.address, "/runs", RUN, once="3").body == sent[3].body
        time.sleep(READY_SECONDS)
        assert request(served.address, "GET", f"{API}/readyz").status == 200


@pytest.mark.system
@needs_postgres
def test_workers_start_without_postgresql_and_work_when_it_is_there(
    site: Path, tmp_path: Path, postgres: PostgresServer
) -> None:
    url = postgres.fresh()
    postgres.stop()
    with gunicorn(site, tmp_path, database_url=url, ready=503) as served:
        refused(post(served.address, "/runs", RUN))
        postgres.start()
        taken_again(served)
        postgres.kill()
        for worker in served.workers():
            os.kill(worker, signal.SIGKILL)
        answers = [post(served.address, "/runs", RUN) for _ in range(8)]
        for answer in answers:
            refused(answer)
        reads_go_on(served)
        postgres.start()
        taken_again(served)
        assert request(served.address, "GET", f"{API}/readyz").status == 200


def test_a_locked_database_is_503_in_time(library: tuple[Path, Path], tmp_path: Path) -> None:
    with playbooks_serve(library[0], tmp_path) as served:
        receipt = post(served.address, "/submissions", {"title": "Tune a piano", "body": "It was asked for."}).json
        locking = sqlite3.connect(tmp_path / "var/queue.db", isolation_level=None)
        locking.execute("BEGIN IMMEDIATE")

        def ask(number: int) -> Answer:
            if number < 6:
                return post(served.address, "/runs", RUN)
            time.sleep(1)  # until all the writers wait
            return request(served.address, "GET", f"{API}/submissions/{receipt['id']}")

        answers = together(8, ask)
        locking.close()
        for answer in answers[:6]:
            refused(answer)
            assert answer.seconds < AT_ONCE
        assert [(answer.status, answer.seconds < AT_ONCE) for answer in answers[6:]] == [(200, True)] * 2
        reads_go_on(served)
        taken_again(served)


def test_a_full_disk_is_503_and_damages_nothing(site: Path, tmp_path: Path) -> None:
    body = {**RUN, "lesson": "x" * 8_000}
    with gunicorn(site, tmp_path) as served:
        receipt = post(served.address, "/submissions", {"title": "Tune a piano", "body": "It was asked for."}).json
        acknowledged = [post(served.address, "/runs", body).json["id"] for _ in range(5)]
        room = (tmp_path / "queue.db-wal").stat().st_size + 200_000
        for worker in served.workers():
            resource.prlimit(worker, resource.RLIMIT_FSIZE, (room, resource.RLIM_INFINITY))
        answers = [post(served.address, "/runs", body) for _ in range(40)]
        acknowledged += [answer.json["id"] for answer in answers if answer.status == 201]
        full = [answer for answer in answers if answer.status != 201]
        assert len(full) > 5
        for answer in full:
            refused(answer)
            assert answer.seconds < AT_ONCE
        reads_go_on(served)
        status = request(served.address, "GET", f"{API}/submissions/{receipt['id']}")
        assert (status.status, status.json["status"]) == (200, "queued")
        for worker in served.workers():
            resource.prlimit(worker, resource.RLIMIT_FSIZE, (resource.RLIM_INFINITY, resource.RLIM_INFINITY))
        acknowledged.append(taken_again(served).json["id"])
    url = f"sqlite:///{tmp_path / 'queue.db'}"
    assert rows(url, "PRAGMA integrity_check") == [("ok",)]
    assert sorted(name for (name,) in rows(url, "SELECT id FROM runs")) == sorted(acknowledged)
