"""What follows from the queue follows: screened, published, built, settled; by one worker, again where it failed."""

from __future__ import annotations

import json
import os
import random
import signal
import socket
import time
from collections.abc import Callable, Iterator
from dataclasses import dataclass, replace
from datetime import timedelta
from pathlib import Path

import pytest
from click.testing import CliRunner

import cli
from build.settings import BuildSettings
from library.problems import UsageError
from library.records.vocabulary import RunState, SubmissionState
from server.queue import ContentShelf
from server.work import LONGEST_WAIT, PENDING_SECONDS, Publishing, Worker
from tests.builders import BOOK, TODAY, write_content
from tests.forks import CLI, Forked
from tests.writeapi.review.desk import reported, sent
from tests.writeapi.review.outgoing import (
    GIT_ENVIRONMENT,
    LESSON,
    a_lesson_text,
    a_repository,
    accept,
    accepted,
    approved,
    git,
)
from tests.writeapi.store.builders import StandingClock, migrated, sqlite_url, ticking
from writeapi.review.services import ReviewServices
from writeapi.store import Store
from writeapi.store.queue import WORKER

SITE = "https://library.example"


@dataclass
class Place:
    """A content folder with a queue and a site, and a clock that stands still."""

    folder: Path
    content: Path
    store: Store
    now: float = 1000.0

    def worker(self, publishing: Publishing | None = None, holder: str = "here") -> Worker:
        """A worker that begins."""
        chance = random.Random(1)
        out = self.folder / "site"
        shelf = ContentShelf(self.content, lambda: TODAY, SITE)
        services = ReviewServices(self.store, shelf, chance.randbytes)
        build = BuildSettings(self.content, out, TODAY, 1, SITE, durable=False)
        return Worker(
            services,
            build,
            publishing or Publishing(),
            lambda: TODAY,
            GIT_ENVIRONMENT,
            clock=lambda: self.now,
            holder=holder,
        )

    def page(self, path: str) -> dict[str, object]:
        """An answer of the built interface."""
        found: dict[str, object] = json.loads((self.folder / "site/api/v1" / f"{path}.json").read_bytes())
        return found

    def status(self, name: str) -> SubmissionState:
        """Where a submission stands."""
        found = self.store.submission(name)
        assert found is not None
        return found.state


@pytest.fixture
def place(tmp_path: Path) -> Iterator[Place]:
    url = sqlite_url(tmp_path / "queue.db")
    store = migrated(Store(url, clock=ticking(), wait=5), url)
    yield Place(tmp_path, write_content(tmp_path), store)
    store.close()


def all_done(worker: Worker) -> None:
    """Look until nothing is due any more."""
    for _ in range(12):
        if not worker.once():
            return
    raise AssertionError(f"jobs never end: {worker.review.store.jobs()}")


def test_what_is_sent_is_screened_and_shown_as_pending(place: Place) -> None:
    worker = place.worker()
    all_done(worker)
    assert place.page(f"playbooks/{BOOK}")["runs"]["pending"] == 0  # type: ignore[index]  # plain JSON
    reported(place.store)
    lesson = sent(place.store, kind="lesson", screened=False)
    all_done(worker)
    assert place.status(lesson.id) is SubmissionState.SCREENED
    assert place.page(f"playbooks/{BOOK}")["runs"]["pending"] == 1  # type: ignore[index]  # plain JSON


def test_counts_of_what_waits_are_built_at_most_every_ten_seconds(place: Place) -> None:
    worker = place.worker()
    reported(place.store)
    all_done(worker)
    reported(place.store, 2)
    all_done(worker)
    shown: Callable[[], object] = lambda: place.page("stats")["runs"]["pending"]  # type: ignore[index]  # noqa: E731  # plain JSON
    assert shown() == 1
    place.now += PENDING_SECONDS
    all_done(worker)
    assert shown() == 2


def test_a_report_that_counts_does_not_wait_as_well(place: Place) -> None:
    worker = place.worker()
    all_done(worker)
    run = reported(place.store)
    all_done(worker)
    place.store.approve_runs([(run, 1)], by="editor:c:7")
    all_done(worker)
    runs = place.page(f"playbooks/{BOOK}")["runs"]
    assert (runs["approved"], runs["pending"]) == (1, 0)  # type: ignore[index]  # plain JSON


def test_what_was_decided_is_published_built_and_settled(place: Place) -> None:
    worker = place.worker()
    all_done(worker)
    lesson, run = accepted(place.store), approved(place.store, 7)
    all_done(worker)
    assert place.status(lesson) is SubmissionState.PUBLISHED
    assert (place.content / LESSON).read_text() == a_lesson_text()
    assert (place.folder / "site/lessons/clean-runs-lie/index.html").exists()
    assert (place.content / f"runs/{BOOK}/{run}.yaml").exists()
    assert place.page(f"playbooks/{BOOK}")["runs"]["approved"] == 1  # type: ignore[index]  # plain JSON
    found = place.store.run(run)
    assert found is not None
    assert found.state is RunState.APPROVED


def test_what_failed_is_told_and_tried_again_later_and_sooner_where_something_changed(place: Place) -> None:
    worker = place.worker()
    all_done(worker)
    blocked = place.content / LESSON
    blocked.mkdir(parents=True)
    lesson = accepted(place.store)
    assert worker.once()
    job = place.store.jobs()["publish"]
    assert (job.failures, place.status(lesson)) == (1, SubmissionState.ACCEPTED)
    assert "is no folder of the content" in job.said
    all_done(worker)
    assert place.store.jobs()["publish"].failures == 1, "not before its time"
    place.now += 1
    worker.once()
    assert place.store.jobs()["publish"].failures == 2
    blocked.rmdir()
    reported(place.store, 5)  # anything that changes may have mended it
    all_done(worker)
    assert place.store.jobs()["publish"].failures == 0
    assert place.status(lesson) is SubmissionState.PUBLISHED


def test_waits_between_tries_have_an_end(place: Place) -> None:
    worker = place.worker()
    all_done(worker)
    (place.content / LESSON).mkdir(parents=True)
    accepted(place.store)
    for number in range(1, 14):
        worker.once()
        assert place.store.jobs()["publish"].failures == number
        place.now += min(2.0 ** (number - 1), LONGEST_WAIT)


def test_broken_content_keeps_the_site_and_is_told_once(place: Place) -> None:
    worker = place.worker()
    all_done(worker)
    before = (place.folder / "site").resolve()
    (place.content / f"playbooks/{BOOK}.yaml").write_text("title: [", encoding="utf-8")
    worker.saved = True
    worker.once()
    job = place.store.jobs()["build"]
    assert job.failures == 1
    assert f"playbooks/{BOOK}.yaml" in job.said
    all_done(worker)
    assert place.store.jobs()["build"].failures == 1
    assert (place.folder / "site").resolve() == before


def test_a_fault_of_one_job_stops_no_other(place: Place, monkeypatch: pytest.MonkeyPatch) -> None:
    worker = place.worker()
    all_done(worker)
    monkeypatch.setattr(worker, "publishing", None)  # a fault of the program
    lesson = accepted(place.store)
    waiting = sent(place.store, 2, kind="lesson", screened=False)
    worker.once()
    assert place.store.jobs()["publish"].said == "failed by a fault of the program: AttributeError"
    assert place.status(waiting.id) is SubmissionState.SCREENED
    monkeypatch.undo()
    place.now += 1
    all_done(worker)
    assert place.status(lesson) is SubmissionState.PUBLISHED


def test_of_two_workers_one_works_and_the_other_takes_over(place: Place) -> None:
    one, two = place.worker(holder="one"), place.worker(holder="two")
    assert one.leased()
    assert not two.leased()
    place.store.release(WORKER, "one")
    assert two.leased()
    assert not one.leased()


def test_each_site_is_built_by_a_worker_of_its_own(place: Place, tmp_path: Path) -> None:
    one, two = place.worker(holder="one"), place.worker(holder="two")
    two.build = replace(two.build, out=tmp_path / "elsewhere")
    one.once()
    waiting = sent(place.store, "w", kind="lesson", screened=False)
    two.once()
    assert (two.build.out / "index.html").exists()
    assert place.status(waiting.id) is SubmissionState.QUEUED, "the queue is the other's"
    one.once()
    assert place.status(waiting.id) is SubmissionState.SCREENED


def test_what_one_publishes_and_another_builds_is_settled(place: Place) -> None:
    queue, site = place.worker(holder="one"), place.worker(holder="two")
    assert place.store.lease(site.place(), "two", 60)
    lesson = accepted(place.store)
    all_done(queue)
    assert (place.content / LESSON).exists()
    assert place.status(lesson) is SubmissionState.ACCEPTED, "the other has not built it"
    all_done(site)
    all_done(queue)
    assert place.status(lesson) is SubmissionState.PUBLISHED


def test_a_worker_that_was_killed_on_this_machine_is_not_waited_for(place: Place) -> None:
    gone = next(number for number in range(400_000, 500_000) if not Path("/proc", str(number)).exists())
    assert place.worker(holder=f"{socket.gethostname()}:{gone}").leased()
    assert place.worker().leased()
    place.store.release(WORKER, "here")
    assert place.worker(holder=f"{socket.gethostname()}:{os.getpid()}").leased()
    assert not place.worker().leased(), "this process lives"
    place.store.release(WORKER, f"{socket.gethostname()}:{os.getpid()}")
    assert place.worker(holder=f"elsewhere:{gone}").leased()
    assert not place.worker().leased(), "of other machines nobody here knows"


@pytest.fixture
def remote(place: Place) -> Place:
    """The same with the content in a repository that has a remote."""
    place.content = a_repository(place.content) / "content"
    return place


def merged(place: Place, *branches: str) -> None:
    """What a maintainer merges at the remote."""
    clone = place.folder / f"clone{len(list(place.folder.glob('clone*')))}"
    git(place.folder, "clone", "--quiet", str(place.folder / "origin.git"), str(clone))
    for branch in branches:
        git(clone, "merge", "--quiet", "--no-edit", f"origin/{branch}")
    git(clone, "push", "--quiet", "origin", "main")


def test_what_is_merged_at_the_remote_comes_in_and_is_published(remote: Place) -> None:
    worker = remote.worker(Publishing(branch=True, remote="origin"))
    all_done(worker)
    lesson = accepted(remote.store)
    all_done(worker)
    assert remote.status(lesson) is SubmissionState.ACCEPTED
    merged(remote, f"accepted/{lesson}")
    all_done(worker)
    assert remote.status(lesson) is SubmissionState.ACCEPTED, "it is fetched every minute"
    remote.now += 60
    all_done(worker)
    assert remote.status(lesson) is SubmissionState.PUBLISHED
    assert (remote.content / LESSON).read_text() == a_lesson_text()


def test_a_remote_that_is_away_is_told_and_waited_for(remote: Place) -> None:
    worker = remote.worker(Publishing(branch=True, remote="origin"))
    all_done(worker)
    (remote.folder / "origin.git").rename(remote.folder / "away")
    lesson = accepted(remote.store)
    worker.once()
    assert "does not appear to be a git repository" in remote.store.jobs()["publish"].said
    (remote.folder / "away").rename(remote.folder / "origin.git")
    remote.now += 60
    all_done(worker)
    assert remote.store.jobs()["publish"].failures == 0
    assert f"accepted/{lesson}" in git(remote.folder / "origin.git", "branch", "--list", "accepted/*")


def test_a_checkout_that_went_another_way_is_left_alone(remote: Place) -> None:
    worker = remote.worker(Publishing(branch=True, remote="origin"))
    all_done(worker)
    lesson = accepted(remote.store)
    all_done(worker)
    git(remote.content, "commit", "--quiet", "--allow-empty", "-m", "Here alone")
    merged(remote, f"accepted/{lesson}")
    here = git(remote.content, "rev-parse", "HEAD")
    remote.now += 60
    worker.once()
    job = remote.store.jobs()["fetch"]
    assert job.failures == 1
    assert git(remote.content, "rev-parse", "HEAD") == here
    git(remote.content, "checkout", "--quiet", "-b", "mine")
    remote.now += 60
    worker.once()
    assert "the checkout is not on main" in remote.store.jobs()["fetch"].said


def test_a_file_in_the_way_of_what_was_merged_is_named_and_kept(remote: Place) -> None:
    worker = remote.worker(Publishing(branch=True, remote="origin"))
    all_done(worker)
    lesson = accepted(remote.store)
    all_done(worker)
    merged(remote, f"accepted/{lesson}")
    mine = remote.content / LESSON
    mine.parent.mkdir(exist_ok=True)
    mine.write_text("somebody's own", encoding="utf-8")
    remote.now += 60
    worker.once()
    job = remote.store.jobs()["fetch"]
    assert job.failures == 1
    assert LESSON in job.said
    assert mine.read_text(encoding="utf-8") == "somebody's own"


def test_two_decisions_about_one_file_leave_one_to_its_editor(place: Place) -> None:
    book = f"playbooks/{BOOK}.yaml"
    worker = place.worker()
    all_done(worker)
    old = (place.content / book).read_text()
    first, second = (sent(place.store, number, kind="correction", playbook=BOOK) for number in (1, 2))
    accept(place.store, first.id, 2, {book: (old.replace("Mostly tokens", "Some tokens"), old)})
    accept(place.store, second.id, 2, {book: (old.replace("Mostly tokens", "Few tokens"), old)})
    all_done(worker)
    assert {place.status(first.id), place.status(second.id)} == {SubmissionState.PUBLISHED, SubmissionState.SCREENED}


def test_once_a_day_the_queue_is_backed_up_into_a_folder_that_need_not_be_there(place: Place) -> None:
    worker = place.worker()
    worker.backups = place.folder / "far/backups"
    all_done(worker)
    (backup,) = worker.backups.iterdir()
    assert place.store.jobs()["backup"].said.startswith(backup.name)
    worker.backups = place.folder / "queue.db"  # no folder, as one that cannot be made
    place.store.job_ended("backup", "for a test", failed=True)
    worker.once()
    assert place.store.jobs()["backup"].failures == 2
    assert place.store.jobs()["prune"].failures == 0


def test_what_is_done_once_a_day_waits_for_no_day_that_a_clock_ran_ahead_to(
    place: Place, monkeypatch: pytest.MonkeyPatch
) -> None:
    clock, pruned = StandingClock(), list[dict[str, int]]()
    url = sqlite_url(place.folder / "ahead.db")
    place.store = migrated(Store(url, clock=clock), url)
    worker = place.worker()
    monkeypatch.setattr(place.store, "prune", lambda **days: pruned.append(days))
    clock.now += timedelta(days=40)
    all_done(worker)
    all_done(worker)
    assert len(pruned) == 1, "once a day is enough, also where the day is a given one before the clock's"
    clock.now -= timedelta(days=40)
    all_done(worker)
    assert len(pruned) == 2


def a_process(place: Place, **environment: str) -> Forked:
    """`playbooks work` over the same folders, today."""
    words = ["work", "--content", place.content, "--out", place.folder / "site", "--var", place.folder]
    return Forked(CLI, words, {**GIT_ENVIRONMENT, **environment}, place.folder / "log")


def until(happened: Callable[[], object], what: str) -> None:
    """Wait until something is so."""
    end = time.monotonic() + 120
    while not happened():
        assert time.monotonic() < end, what
        time.sleep(0.05)


@pytest.mark.slow
@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGTERM])
def test_it_works_until_a_signal_and_gives_its_lease_back(place: Place, number: signal.Signals) -> None:
    running = a_process(place)
    reported(place.store)
    until(lambda: not place.store.unscreened(9) and place.store.jobs().get("build"), "nothing is screened")
    running.send_signal(number)
    assert running.wait(60) == 0
    assert place.store.leased(WORKER) is None
    said = [json.loads(line) for line in (place.folder / "log").read_text().splitlines()]
    assert {"build", "screen"} <= {line["job"] for line in said}
    assert [line for line in said if line["failed"]] == []


@pytest.mark.slow
def test_broken_content_is_waited_for(place: Place) -> None:
    categories = place.content / "categories.yaml"
    good = categories.read_text()
    categories.write_text("categories: [\n")
    running = a_process(place)
    until(lambda: (job := place.store.jobs().get("build")) and "categories.yaml" in job.said, "nothing is told")
    categories.write_text(good)
    until((place.folder / "site/index.html").exists, "the content that came back is not built")
    running.terminate()
    assert running.wait(60) == 0


@pytest.mark.slow
def test_a_database_that_is_away_is_waited_for(place: Place) -> None:
    away = "postgresql://nobody@127.0.0.1:1/queue?connect_timeout=1"
    running = a_process(place, PLAYBOOKS_DATABASE_URL=away)
    said = "not now, and again in a second: The database cannot take this now."
    until(lambda: (place.folder / "log").read_text().count(said) > 1, "it does not wait")
    running.terminate()
    assert running.wait(60) != 0


def test_what_waits_and_why_is_said(place: Place) -> None:
    worker = place.worker()
    all_done(worker)
    reported(place.store)
    place.store.job_ended("publish", "the remote is away", failed=True)
    said = CliRunner().invoke(cli.main, ["status", "--var", str(place.folder)]).output
    assert "waits for review  1 run, the oldest since " in said
    assert "works             nobody: start `playbooks serve` or `playbooks work`\n" in said
    assert "failed 1 times in a row: the remote is away\n" in said
    with pytest.raises(UsageError, match="need --branch"):
        Publishing(remote="origin")
