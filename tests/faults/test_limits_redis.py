"""Redis killed or hung under four workers: an answer within a second by the policy chosen, and never unlimited."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator
from pathlib import Path

import httpx
import pytest

from tests.faults.limits_server import Redis, flood, serving, timed
from tests.waiting import AT_ONCE

pytestmark = [pytest.mark.slow, pytest.mark.system]
LIMIT = "100 per hour"
HURT = pytest.mark.parametrize("hurt", [Redis.kill, Redis.hang], ids=["killed", "hung"])


@pytest.fixture
def redis(tmp_path: Path) -> Iterator[Redis]:
    started = Redis(tmp_path)
    yield started
    started.kill()


def recovered(address: str) -> httpx.Response:
    deadline = time.monotonic() + 60
    while (answer := httpx.post(address)).status_code == 503 and time.monotonic() < deadline:
        time.sleep(0.2)
    return answer


def test_redis_counts_exactly_over_four_workers(tmp_path: Path, redis: Redis) -> None:
    with serving(tmp_path / "limits.db", LIMIT, url=redis.url) as address:
        assert flood(address, 400)[0] == {200: 100, 429: 300}
    assert not (tmp_path / "limits.db").exists()


@HURT
def test_refuse_answers_503_within_a_second_and_recovers(
    tmp_path: Path, redis: Redis, hurt: Callable[[Redis], None]
) -> None:
    with serving(tmp_path / "limits.db", LIMIT, url=redis.url, policy="refuse") as address:
        assert flood(address, 10)[0] == {200: 10}
        hurt(redis)
        for _ in range(12):
            answer, seconds = timed(address)
            assert answer.status_code == 503
            assert answer.headers["Retry-After"].isdigit()
            assert answer.json()["type"].endswith("#unavailable")
            assert seconds < AT_ONCE
        assert flood(address, 64)[0] == {503: 64}
        assert httpx.get(address).status_code == 200
        redis.go_on() if hurt is Redis.hang else redis.start()
        assert recovered(address).status_code == 200


@HURT
def test_fall_back_counts_in_the_database_within_a_second(
    tmp_path: Path, redis: Redis, hurt: Callable[[Redis], None]
) -> None:
    with serving(tmp_path / "limits.db", LIMIT, url=redis.url, policy="fall-back") as address:
        assert flood(address, 60)[0] == {200: 60}
        hurt(redis)
        for _ in range(12):
            answer, seconds = timed(address)
            assert answer.status_code == 200
            assert seconds < AT_ONCE
        assert flood(address, 388)[0] == {200: 88, 429: 300}


def test_a_redis_that_is_not_there_at_the_start_is_met_by_the_policy(tmp_path: Path, redis: Redis) -> None:
    redis.kill()
    with serving(tmp_path / "limits.db", LIMIT, url=redis.url, policy="refuse") as address:
        answer, seconds = timed(address)
    assert answer.status_code == 503
    assert seconds < AT_ONCE
