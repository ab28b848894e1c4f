"""Limits on writes as a caller meets them: what is counted, what every answer tells, and what a refusal looks like."""

from __future__ import annotations

import re
import sqlite3
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from flask import Flask, request
from werkzeug.exceptions import RequestEntityTooLarge, UnsupportedMediaType
from werkzeug.test import TestResponse

from writeapi.api.wire import PROBLEM_JSON, register_errors
from writeapi.limits import SqliteCounters, describe_limits, limit_problems, limit_writes
from writeapi.services import origin_of
from writeapi.settings import ServiceSettings

POLICY = '"minute";q=60;w=60, "day";q=1000;w=86400'


class Service:
    """A small application behind the limits: /runs, /contributors, and an owner's /submissions/1."""

    def __init__(self, settings: ServiceSettings) -> None:
        self.app = Flask("limited")
        register_errors(self.app, settings.site_url)
        self.counters = limit_writes(self.app, settings, lambda: owner() or origin_of(request.environ, settings))
        self.app.add_url_rule("/runs", view_func=runs, methods=["GET", "POST"])
        self.app.add_url_rule("/contributors", "contributors.create_contributor", contributors, methods=["POST"])
        self.app.add_url_rule("/submissions/1", view_func=submission, methods=["PUT", "DELETE"])

    def send(self, path: str = "/runs", method: str = "POST", address: str = "192.0.2.1", **more: Any) -> TestResponse:
        return self.app.test_client().open(path, method=method, environ_base={"REMOTE_ADDR": address}, **more)


def owner() -> str | None:
    return f"c:{key}" if (key := request.headers.get("X-Owner", "")).isdigit() else None


def runs() -> str:
    if request.content_length and request.content_length > 100:
        raise RequestEntityTooLarge
    if request.content_type == "text/plain":
        raise UnsupportedMediaType
    return "reported"


def contributors() -> str:
    return "made"


def submission() -> str:
    return "changed"


@pytest.fixture
def settings(tmp_path: Path) -> ServiceSettings:
    return ServiceSettings("https://playbooks.example", "sqlite:////unused", tmp_path / "limits.db")


@pytest.fixture
def service(settings: ServiceSettings) -> Iterator[Service]:
    made = Service(settings)
    yield made
    closed(made)


def closed(service: Service) -> None:
    assert isinstance(service.counters, SqliteCounters)
    service.counters.close()


def left(answer: TestResponse) -> tuple[str, int, int]:
    match = re.fullmatch(r'"([a-z0-9-]+)";r=(\d+);t=(\d+)', answer.headers["RateLimit"])
    assert match, answer.headers
    return match[1], int(match[2]), int(match[3])


def test_every_write_tells_the_policy_and_what_is_left(service: Service) -> None:
    for number, (path, method) in enumerate(
        [("/runs", "POST"), ("/submissions/1", "PUT"), ("/submissions/1", "DELETE")]
    ):
        answer = service.send(path, method)
        assert answer.status_code == 200
        assert answer.headers["RateLimit-Policy"] == POLICY
        assert left(answer)[:2] == ("minute", 59 - number)
        assert 55 <= left(answer)[2] <= 60
        assert "Retry-After" not in answer.headers


@pytest.mark.slow
def test_reads_and_unknown_addresses_are_neither_limited_nor_told(service: Service) -> None:
    for path, method in [
        ("/runs", "GET"),
        ("/runs", "HEAD"),
        ("/runs", "OPTIONS"),
        ("/none", "POST"),
        ("/runs", "PUT"),
    ]:
        for _ in range(70):
            answer = service.send(path, method)
            assert answer.status_code in (200, 404, 405)
            assert "RateLimit" not in answer.headers
    assert left(service.send())[1] == 59


def test_the_sixty_first_write_of_a_minute_is_429_in_the_one_shape(service: Service) -> None:
    assert [service.send().status_code for _ in range(60)] == [200] * 60
    answer = service.send()
    assert answer.status_code == 429
    assert answer.content_type == PROBLEM_JSON
    seconds = answer.headers["Retry-After"]
    assert seconds.isdigit()
    assert 1 <= int(seconds) <= 60
    assert left(answer) == ("minute", 0, int(seconds))
    assert answer.headers["RateLimit-Policy"] == POLICY
    assert answer.json == {
        "type": "https://playbooks.example/docs/errors/#rate-limited",
        "title": "Too many requests",
        "status": 429,
        "detail": f"At most 60 writes are taken per minute for one caller; try again in {seconds} seconds.",
    }
    assert service.send(address="192.0.2.2").status_code == 200


def test_the_day_is_told_when_it_is_tighter_and_refuses_when_it_is_over(settings: ServiceSettings) -> None:
    service = Service(replace(settings, write_limits="60 per minute; 3 per day"))
    assert [left(service.send())[:2] for _ in range(3)] == [("day", 2), ("day", 1), ("day", 0)]
    answer = service.send()
    assert answer.status_code == 429
    assert int(answer.headers["Retry-After"]) > 86_000
    closed(service)


def test_five_contributors_an_hour_and_they_count_as_writes_too(service: Service) -> None:
    first = service.send("/contributors")
    assert first.headers["RateLimit-Policy"] == f'{POLICY}, "create-hour";q=5;w=3600'
    assert left(first)[:2] == ("create-hour", 4)
    assert [service.send("/contributors").status_code for _ in range(5)] == [200] * 4 + [429]
    refused = service.send("/contributors")
    assert int(refused.headers["Retry-After"]) > 3_500
    assert "At most 5 contributors are created per hour" in refused.get_data(as_text=True)
    assert left(service.send())[:2] == ("minute", 60 - 8)


@pytest.mark.slow
def test_what_is_refused_for_its_form_counts_too(service: Service) -> None:
    large = [service.send(data="x" * 200).status_code for _ in range(30)]
    wrong = [service.send(content_type="text/plain").status_code for _ in range(30)]
    assert set(large + wrong) == {413, 415}
    assert service.send().status_code == 429


@pytest.mark.slow
def test_a_contributor_has_one_quota_from_everywhere_and_an_address_its_own(service: Service) -> None:
    for last in range(60):
        assert service.send(address=f"192.0.2.{last}", headers={"X-Owner": "7"}).status_code == 200
    assert service.send(address="203.0.113.1", headers={"X-Owner": "7"}).status_code == 429
    assert service.send(address="203.0.113.1", headers={"X-Owner": "8"}).status_code == 200
    assert service.send(address="203.0.113.1", headers={"X-Owner": "not valid"}).status_code == 200


@pytest.mark.slow
def test_a_spoofed_header_and_the_rest_of_an_ipv6_network_gain_nothing(service: Service) -> None:
    for number in range(60):
        headers = {"X-Forwarded-For": f"203.0.113.{number}", "Forwarded": f"for=203.0.113.{number}"}
        assert service.send(address=f"2001:db8::{number:x}", headers=headers).status_code == 200
    assert service.send(address="2001:db8::ffff:1", headers={"X-Real-IP": "203.0.113.99"}).status_code == 429


def test_the_database_holds_nothing_that_a_caller_wrote(service: Service, settings: ServiceSettings) -> None:
    service.send("/runs?secret-query", headers={"X-Forwarded-For": "secret-header", "User-Agent": "secret-agent"})
    connection = sqlite3.connect(settings.limits_path)
    keys = {key for (key,) in connection.execute("SELECT key FROM counters")}
    connection.close()
    assert len(keys) == 2
    for key in keys:
        assert re.fullmatch(r"LIMITER/a:[0-9a-f]{32}/write/(60/1/minute|1000/1/day)", key)


@pytest.mark.slow
def test_a_locked_database_is_503_with_retry_after(service: Service, settings: ServiceSettings) -> None:
    service.send()
    connection = sqlite3.connect(settings.limits_path, isolation_level=None)
    connection.execute("BEGIN EXCLUSIVE")
    answer = service.send()
    connection.close()
    assert answer.status_code == 503
    assert answer.content_type == PROBLEM_JSON
    assert answer.headers["Retry-After"].isdigit()
    assert answer.headers["RateLimit-Policy"] == POLICY
    assert answer.json
    assert answer.json["type"].endswith("#unavailable")
    assert service.send().status_code == 200


@pytest.mark.parametrize(
    ("changes", "told"),
    [
        ({"write_limits": "a few"}, "PLAYBOOKS_WRITE_LIMITS is 'a few'"),
        ({"write_limits": "60 per minute; 30 per minute"}, "must be limits like"),
        ({"write_limits": ""}, "PLAYBOOKS_WRITE_LIMITS is ''"),
        ({"contributor_limits": "0 per hour"}, "PLAYBOOKS_CONTRIBUTOR_LIMITS is '0 per hour'"),
        ({"limits_url": "memcached://127.0.0.1:1"}, "begins with 'memcached'"),
        ({"limits_url": "memory://"}, "begins with 'memory'"),
    ],
)
def test_unsafe_settings_are_told_in_a_sentence(settings: ServiceSettings, changes: dict[str, str], told: str) -> None:
    [problem] = limit_problems(replace(settings, **changes))  # type: ignore[arg-type]  # of any field
    assert told in problem
    assert problem.endswith(".")


def test_the_start_up_report_says_what_counts_and_no_password(settings: ServiceSettings) -> None:
    assert describe_limits(settings) == f"SQLite at {settings.limits_path}"
    redis = replace(settings, limits_url="redis://user:secret@cache.example:6379/2", redis_gone="fall-back")
    assert describe_limits(redis) == "Redis at cache.example:6379; when it is gone, SQLite takes over"
    assert describe_limits(replace(redis, redis_gone="refuse")).endswith("writes are refused")
