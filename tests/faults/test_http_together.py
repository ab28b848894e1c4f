"""Many at once: one id for one idempotency key, one owner of a handle, and every answer its own row."""

from __future__ import annotations

from collections import Counter
from functools import partial
from pathlib import Path

import pytest

from tests.faults.http_client import RUN, flood, post, together
from tests.faults.http_server import gunicorn, rows
from tests.lengths import many

pytestmark = pytest.mark.slow
WRITES = many(1_000, 10_000)
SUBMISSION = {"title": "Tune a piano", "body": "Somebody asked for this job."}


def test_twenty_four_at_once_with_one_idempotency_key_get_one_answer(
    site: Path, tmp_path: Path, database_url: str
) -> None:
    with gunicorn(site, tmp_path, database_url=database_url) as served:
        for path, body, table in (("/runs", RUN, "runs"), ("/submissions", SUBMISSION, "submissions")):
            for attempt in range(3):
                send = partial(post, served.address, path, body, once=f"{table}-{attempt}")
                answers = together(24, lambda _: send())  # noqa: B023 - within this turn
                assert {(answer.status, answer.body) for answer in answers} == {(201, answers[0].body)}
            assert len(rows(database_url, f"SELECT id FROM {table}")) == 3


def test_twenty_four_other_bodies_at_once_with_one_idempotency_key(
    site: Path, tmp_path: Path, database_url: str
) -> None:
    with gunicorn(site, tmp_path, database_url=database_url) as served:
        answers = together(24, lambda number: post(served.address, "/runs", {**RUN, "model": f"m{number}"}, once="k"))
    assert Counter(answer.status for answer in answers) == {201: 1, 422: 23}
    assert len(rows(database_url, "SELECT id FROM runs")) == 1


def test_twenty_four_at_once_for_one_handle_in_mixed_case(site: Path, tmp_path: Path, database_url: str) -> None:
    spellings = ["grace-h", "Grace-H", "GRACE-H", "gRACE-h", "grace-H", "GrAcE-h"] * 4
    with gunicorn(site, tmp_path, database_url=database_url) as served:
        answers = together(24, lambda number: post(served.address, "/contributors", {"handle": spellings[number]}))
        assert Counter(answer.status for answer in answers) == {201: 1, 409: 23}
        won = next(answer.json for answer in answers if answer.status == 201)
        assert post(served.address, "/runs", RUN, key=won["api_key"]).status == 201
    assert rows(database_url, "SELECT handle FROM contributors") == [("grace-h",)]
    assert len(rows(database_url, "SELECT id FROM keys")) == 1


def test_every_answer_of_a_crowd_is_of_its_own_row(site: Path, tmp_path: Path, database_url: str) -> None:
    texts = [f"Report {number}." for number in range(WRITES)]
    with gunicorn(site, tmp_path, database_url=database_url) as served:
        answers = flood(served.address, [("/runs", {**RUN, "lesson": text}) for text in texts])
    assert Counter(answer.status for answer in answers) == {201: WRITES}
    slowest = sorted(answer.seconds for answer in answers)[int(WRITES * 0.99)]
    print(f"{WRITES} writes, 99 % of them within {slowest * 1000:.0f} ms")  # noqa: T201 - figures for people
    told = [(answer.json["id"], text) for answer, text in zip(answers, texts, strict=True)]
    assert sorted(told) == sorted(rows(database_url, "SELECT id, lesson FROM runs"))
