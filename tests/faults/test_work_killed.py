"""Two workers over one queue, the one that works killed again and again: nothing is lost, done twice, or stuck.

By default a few times; with `PLAYBOOKS_LONG` forty.
"""

from __future__ import annotations

import random
import time
from collections.abc import Callable, Iterator
from datetime import UTC, datetime
from pathlib import Path

import pytest

from library.records.vocabulary import SubmissionState
from tests.builders import BOOK, write_content
from tests.forks import CLI, Forked
from tests.lengths import many
from tests.postgres import PostgresServer, needs_postgres, shared_server
from tests.waiting import PATIENCE
from tests.writeapi.review.desk import sent
from tests.writeapi.review.outgoing import GIT_ENVIRONMENT, a_lesson_text, a_repository, accepted, approved, git
from tests.writeapi.store.builders import rows, sqlite_url
from writeapi.store import Store
from writeapi.store.queue import WORKER

pytestmark = pytest.mark.slow
ENGINES = ["sqlite", pytest.param("postgresql", marks=[pytest.mark.system, needs_postgres])]


@pytest.fixture(params=ENGINES)
def url(request: pytest.FixtureRequest, tmp_path: Path) -> str:
    """The address of an empty database."""
    return sqlite_url(tmp_path / "var/queue.db") if request.param == "sqlite" else shared_server().fresh()


@pytest.fixture
def store(url: str, tmp_path: Path) -> Iterator[Store]:
    (tmp_path / "var").mkdir()
    made = Store(url, clock=lambda: datetime.now(UTC), wait=30)
    made.migrate()
    yield made
    made.close()


def until(happened: Callable[[], object], what: str, seconds: float = 180) -> None:
    """Wait until something is so."""
    end = time.monotonic() + seconds
    while not happened():
        assert time.monotonic() < end, what
        time.sleep(0.1)


def worker(folder: Path, content: Path, url: str, *more: str) -> Forked:
    """A worker as the unit starts it."""
    words = ["work", "--content", content, "--out", folder / "site", "--var", folder / "var", *more]
    environment = {**GIT_ENVIRONMENT, "PLAYBOOKS_DATABASE_URL": url}
    return Forked(CLI, words, environment, folder / "log")


def test_killed_workers_lose_and_double_nothing(store: Store, url: str, tmp_path: Path) -> None:
    chance = random.Random(7)
    content = write_content(tmp_path)
    workers = [worker(tmp_path, content, url) for _ in range(2)]
    lessons, runs, waiting = [], [], []
    try:
        for number in range(many(4, 40)):
            until(lambda: store.leased(WORKER), "nobody works")
            title = f"Lesson number {number}"
            file = f"lessons/lesson-number-{number}.yaml"
            lessons.append(accepted(store, f"l{number}", {file: a_lesson_text(title)}))
            runs.append(approved(store, f"r{number}"))
            waiting.append(sent(store, f"w{number}", kind="lesson", screened=False).id)
            time.sleep(chance.uniform(0, 1.2))
            holder = (store.leased(WORKER) or ":0").rpartition(":")[2]
            for victim in [found for found in workers if str(found.pid) == holder]:
                victim.kill()
                victim.wait(PATIENCE)
                workers.remove(victim)
                workers.append(worker(tmp_path, content, url))
        until(lambda: all(_is(store, name, SubmissionState.PUBLISHED) for name in lessons), "lessons are not published")
        until(lambda: all(_is(store, name, SubmissionState.SCREENED) for name in waiting), "something is not screened")
        until(lambda: all((content / f"runs/{BOOK}/{name}.yaml").exists() for name in runs), "a report is lost")
    finally:
        for process in workers:
            process.terminate()
        for process in workers:
            process.wait(60)
    assert len(list(content.glob("runs/*/*.yaml"))) == len(runs)
    assert len(list(content.glob("lessons/*.yaml"))) == len(lessons)
    steps = rows(url, "SELECT subject, became FROM audit WHERE version IS NOT NULL")
    assert len(steps) == len(set(map(tuple, steps))), "a step was done twice"
    assert {job.failures for job in store.jobs().values()} == {0}
    assert "Traceback" not in (tmp_path / "log").read_text()


def test_killed_workers_push_each_branch_once(store: Store, url: str, tmp_path: Path) -> None:
    chance = random.Random(8)
    content = a_repository(write_content(tmp_path)) / "content"
    lessons = []
    process = worker(tmp_path, content, url, "--branch", "--push", "origin", "--fetch-every", "1")
    try:
        for number in range(many(3, 30)):
            file = f"lessons/lesson-number-{number}.yaml"
            lessons.append(accepted(store, f"l{number}", {file: a_lesson_text(f"Lesson number {number}")}))
            until(lambda: store.leased(WORKER), "nobody works")
            time.sleep(chance.uniform(0, 1.2))
            process.kill()
            process.wait(PATIENCE)
            process = worker(tmp_path, content, url, "--branch", "--push", "origin", "--fetch-every", "1")
        bare = tmp_path / "origin.git"
        until(
            lambda: git(bare, "branch", "--list", "accepted/*").count("accepted/") == len(lessons), "a branch is lost"
        )
        clone = tmp_path / "clone"
        git(tmp_path, "clone", "--quiet", str(bare), str(clone))
        for name in lessons:
            git(clone, "merge", "--quiet", "--no-edit", f"origin/accepted/{name}")
        git(clone, "push", "--quiet", "origin", "main")
        until(lambda: all(_is(store, name, SubmissionState.PUBLISHED) for name in lessons), "lessons are not published")
    finally:
        process.terminate()
        process.wait(60)
    assert len(list(content.glob("lessons/*.yaml"))) == len(lessons)


def _is(store: Store, name: str, state: SubmissionState) -> bool:
    found = store.submission(name)
    return found is not None and found.state is state


@pytest.mark.system
@needs_postgres
def test_a_worker_whose_database_goes_away_says_so_once_and_goes_on_when_it_is_back(
    tmp_path: Path, postgres: PostgresServer
) -> None:
    url = postgres.fresh()
    (tmp_path / "var").mkdir()
    store = Store(url, clock=lambda: datetime.now(UTC), wait=5)
    store.migrate()
    process = worker(tmp_path, write_content(tmp_path), url)
    log = tmp_path / "log"
    try:
        until(lambda: store.leased(WORKER), "nobody works")
        postgres.kill()
        until(lambda: "nothing is done until the queue answers" in log.read_text(), "nothing is said")
        postgres.start()
        until(lambda: "the queue answers again" in log.read_text(), "it does not come back")
        name = sent(store, "after", kind="lesson", screened=False).id
        until(lambda: _is(store, name, SubmissionState.SCREENED), "it works no more")
        assert log.read_text().count("nothing is done until") == 1
    finally:
        process.terminate()
        process.wait(60)
        store.close()
