"""Settings as variables give them: each read within its bounds, all that is wrong told at once, no secret shown."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from library.problems import UsageError
from server.queue import open_queue
from writeapi.settings import read_settings, trusted_proxies, unsafe_problems

SITE_URL = "https://playbooks.example/"


def read(tmp_path: Path, **variables: str) -> Any:
    settings, problems = read_settings(variables, site_url=SITE_URL, var=tmp_path)
    assert problems == []
    return settings


def wrong(tmp_path: Path, **variables: str) -> list[str]:
    return read_settings(variables, site_url=SITE_URL, var=tmp_path)[1]


def test_what_is_not_said_is_a_safe_default_in_the_folder_of_variable_data(tmp_path: Path) -> None:
    settings = read(tmp_path)
    assert settings.database_url == f"sqlite:///{tmp_path / 'queue.db'}"
    assert settings.limits_path == tmp_path / "limits.db"
    assert (settings.limits_url, settings.redis_gone, settings.trusted_proxies, settings.workers) == (
        "",
        "refuse",
        0,
        1,
    )
    assert (settings.least_free_mib, settings.outbox_hours) == (64, 24)
    assert settings.api_url == "https://playbooks.example/api/v1"
    assert str(settings.secret) not in repr(settings)


@pytest.mark.parametrize(
    ("name", "field", "low", "high"),
    [
        ("PLAYBOOKS_TRUSTED_PROXIES", "trusted_proxies", 0, 10),
        ("WEB_CONCURRENCY", "workers", 1, 1_000),
        ("PLAYBOOKS_LEAST_FREE_MIB", "least_free_mib", 0, 1_000_000_000),
        ("PLAYBOOKS_OUTBOX_HOURS", "outbox_hours", 1, 100_000),
    ],
)
def test_a_number_is_taken_from_its_least_to_its_most(
    tmp_path: Path, name: str, field: str, low: int, high: int
) -> None:
    for number in (low, high):
        assert getattr(read(tmp_path, **{name: str(number)}), field) == number
    for text in (str(low - 1), str(high + 1), "", "x", "1.5", "٣", " 1"):
        assert wrong(tmp_path, **{name: text}) == [
            f"{name} is {text!r}; it must be a whole number from {low} to {high}"
        ]


def test_proxies_alone_are_read_in_the_same_way() -> None:
    assert [trusted_proxies({}), trusted_proxies({"PLAYBOOKS_TRUSTED_PROXIES": "2"})] == [0, 2]
    with pytest.raises(UsageError, match="from 0 to 10"):
        trusted_proxies({"PLAYBOOKS_TRUSTED_PROXIES": "11"})


@pytest.mark.parametrize(
    ("given", "taken"),
    [
        ("postgres://a:b@h/d", "postgresql+psycopg://a:b@h/d"),
        ("postgresql://h/d", "postgresql+psycopg://h/d"),
        ("postgresql+psycopg://h/d", "postgresql+psycopg://h/d"),
        ("sqlite:////var/q.db", "sqlite:////var/q.db"),
    ],
)
def test_a_database_may_be_spelt_plainly(tmp_path: Path, given: str, taken: str) -> None:
    assert read(tmp_path, PLAYBOOKS_DATABASE_URL=given).database_url == taken


def test_all_that_is_wrong_is_told_at_once_and_no_password_is(tmp_path: Path) -> None:
    variables = {
        "PLAYBOOKS_DATABASE_URL": "mysql://ada:hidden@h/d",
        "PLAYBOOKS_LIMITS_URL": "redis://:hidden@h:99999/0",
        "PLAYBOOKS_REDIS_GONE": "perhaps",
        "WEB_CONCURRENCY": "none",
    }
    problems = wrong(tmp_path, **variables)
    assert [problem.split(" ")[0] for problem in problems] == [
        "PLAYBOOKS_REDIS_GONE",
        "PLAYBOOKS_LIMITS_URL",
        "PLAYBOOKS_DATABASE_URL",
        "WEB_CONCURRENCY",
    ]
    assert "hidden" not in "".join(problems)
    with pytest.raises(UsageError) as refused:
        open_queue(variables, SITE_URL, tmp_path)
    assert "\n".join(problems) in str(refused.value)


def test_what_cannot_be_read_is_as_if_it_were_not_set(tmp_path: Path) -> None:
    odd = {"PLAYBOOKS_DATABASE_URL": "x", "PLAYBOOKS_REDIS_GONE": "x", "WEB_CONCURRENCY": "x"}
    settings, problems = read_settings(odd, site_url=SITE_URL, var=tmp_path)
    assert len(problems) == len(odd)
    assert settings == read(tmp_path)


def test_what_happens_without_redis_is_said_in_one_of_two_words(tmp_path: Path) -> None:
    assert [read(tmp_path, PLAYBOOKS_REDIS_GONE=word).redis_gone for word in ("refuse", "fall-back")] == [
        "refuse",
        "fall-back",
    ]


@pytest.mark.parametrize(
    ("site", "variables", "told"),
    [
        ("https://playbooks.example", {}, ["A proxy is before this"]),
        ("http://localhost", {"PLAYBOOKS_BIND": "unix:/run/x"}, ["A proxy is before this"]),
        ("http://localhost", {}, []),
        ("https://playbooks.example", {"PLAYBOOKS_TRUSTED_PROXIES": "0"}, []),
        ("http://localhost", {"FLASK_DEBUG": "1"}, ["FLASK_DEBUG is set"]),
        ("http://localhost", {"PYTHONASYNCIODEBUG": "x"}, ["PYTHONASYNCIODEBUG is set"]),
        ("http://localhost", {"FLASK_DEBUG": "0", "PYTHONASYNCIODEBUG": ""}, []),
    ],
)
def test_a_server_does_not_start_with_what_is_wrong_together(
    tmp_path: Path, site: str, variables: dict[str, str], told: list[str]
) -> None:
    settings = read_settings(variables, site_url=site, var=tmp_path)[0]
    problems = list(unsafe_problems(settings, variables))
    assert len(problems) == len(told)
    assert all(problem.startswith(words) for problem, words in zip(problems, told, strict=True))
