"""Limits over four real worker processes: exact, kept over a restart, and never unlimited."""

from __future__ import annotations

import sqlite3
import time
from pathlib import Path

import httpx
import pytest

from tests.faults.limits_server import flood, serving, timed
from tests.waiting import AT_ONCE

pytestmark = pytest.mark.slow
LIMIT = "100 per hour"


def test_four_hundred_at_once_on_a_limit_of_a_hundred_let_exactly_a_hundred_through(tmp_path: Path) -> None:
    with serving(tmp_path / "limits.db", LIMIT) as address:
        statuses, workers = flood(address, 400)
    assert statuses == {200: 100, 429: 300}
    assert len(workers) > 1


def test_a_restart_forgets_neither_the_count_nor_the_refusal(tmp_path: Path) -> None:
    path = tmp_path / "limits.db"
    with serving(path, LIMIT) as address:
        assert flood(address, 70)[0] == {200: 70}
    with serving(path, LIMIT) as address:
        assert flood(address, 60)[0] == {200: 30, 429: 30}
    with serving(path, LIMIT) as address:
        assert flood(address, 20)[0] == {429: 20}


def test_a_flood_of_refused_writes_leaves_the_database_alone(tmp_path: Path) -> None:
    path = tmp_path / "limits.db"
    log = path.with_name("limits.db-wal")
    with serving(path, "20 per hour") as address:
        flood(address, 600)  # every worker refuses once, and remembers
        before = log.read_bytes()
        assert flood(address, 400)[0] == {429: 400}
        assert log.read_bytes() == before


@pytest.mark.parametrize(("proxies", "statuses"), [(0, {200: 20, 429: 80}), (1, {200: 100})])
def test_forwarded_addresses_count_only_with_a_trusted_proxy(
    tmp_path: Path, proxies: int, statuses: dict[int, int]
) -> None:
    with serving(tmp_path / "limits.db", "20 per hour", proxies=proxies) as address:
        assert flood(address, 100, forwarded=True)[0] == statuses


def test_a_database_that_stays_locked_is_503_and_recovers(tmp_path: Path) -> None:
    path = tmp_path / "limits.db"
    with serving(path, LIMIT) as address:
        assert httpx.post(address).status_code == 200
        connection = sqlite3.connect(path, isolation_level=None)
        connection.execute("BEGIN EXCLUSIVE")
        answer, seconds = timed(address)
        statuses, _ = flood(address, 32)
        connection.close()
        assert (answer.status_code, answer.headers["Retry-After"].isdigit()) == (503, True)
        assert seconds < AT_ONCE
        assert statuses == {503: 32}
        time.sleep(0.1)
        assert flood(address, 150)[0] == {200: 99, 429: 51}
