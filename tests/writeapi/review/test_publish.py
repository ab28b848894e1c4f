"""From the outbox to the content folder: once, whole, checked again, and never anywhere else."""

from __future__ import annotations

import os
import stat
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from threading import Event, Thread

import pytest
from sqlalchemy import create_engine, text

from library.content.loading import check
from library.problems import ContentError, UsageError
from library.rules.judgment import Trial
from server.queue import ContentShelf
from tests.builders import BOOK, PLAYBOOK, TODAY, complete
from tests.cuts import watched
from tests.trees import tree
from tests.waiting import PATIENCE
from tests.writeapi.review.conftest import on_both
from tests.writeapi.review.desk import BOOK_FILE, a_desk, content_of
from tests.writeapi.review.outgoing import (
    LESSON,
    a_lesson_text,
    accept,
    accepted,
    approved,
    audit,
    go,
    results,
    sha,
    the_editor,
)
from tests.writeapi.store.builders import an_id
from writeapi.review.publishing.targets import CannotWrite, ContentTarget, Parcel, alone, is_place, run_file
from writeapi.review.services import ReviewServices, editor_name
from writeapi.store import Store
from writeapi.store.records import DraftFile


class Killed(BaseException):
    """The publisher is cut off."""


@dataclass(frozen=True)
class Watched(ContentTarget):
    """Calls somebody when the files are there."""

    placed: Callable[[], None]

    def put(self, parcel: Parcel, tried: Trial) -> str:
        went = super().put(parcel, tried)
        self.placed()
        return went


def kill(desk: ReviewServices) -> None:
    """Publish, and be cut off when the file is there and not noted yet."""

    def die() -> None:
        raise Killed

    with pytest.raises(Killed):
        go(desk, Watched(content_of(desk), desk.shelf, die))


def target(folder: Path) -> ContentTarget:
    return ContentTarget(folder, ContentShelf(folder, lambda: TODAY))


def _sql(url: str, statement: str) -> None:
    engine = create_engine(url)
    with engine.begin() as connection:
        connection.execute(text(statement))
    engine.dispose()


def _clean(content: Path) -> bool:
    return [problem for problem in check(content, TODAY)[1] if problem.severity == "error"] == []


@on_both
def test_a_lesson_and_a_report_become_files_and_a_second_time_nothing(store: Store, url: str, tmp_path: Path) -> None:
    desk = a_desk(store, tmp_path)
    content = content_of(desk)
    lesson, run = accepted(store), approved(store, lesson="Look first.")
    assert results(go(desk)) == [(lesson, "written"), (run, "written")]
    record = store.run(run)
    assert record is not None
    file, body = run_file(record, BOOK)
    assert (content / LESSON).read_text() == a_lesson_text()
    assert (content / file).read_bytes() == body
    assert _clean(content)
    before = tree(content)
    assert go(desk) == []
    assert tree(content) == before
    assert [entry.state for entry in store.outbox()] == ["written", "written"]
    assert audit(url, lesson) == ["queued", "screened", "accepted"]
    assert audit(url, run) == ["pending", "approved"]


def test_what_comes_earlier_counts_for_what_comes_later(store: Store, tmp_path: Path) -> None:
    desk = a_desk(store, tmp_path)
    book = complete(PLAYBOOK).replace("title: Fix flaky tests", "title: Mend slow builds").replace("flaky", "slow")
    book = book.replace("task: fix-slow-tests", f"task: {BOOK}")
    first = accepted(store, 1, {"playbooks/mend-slow-builds.yaml": book})
    second = accepted(store, 2, {LESSON: a_lesson_text(playbooks=["mend-slow-builds"])})
    assert results(go(desk)) == [(first, "written"), (second, "written")]
    assert _clean(content_of(desk))


def test_a_file_that_was_changed_since_is_not_overwritten(store: Store, url: str, tmp_path: Path) -> None:
    desk = a_desk(store, tmp_path)
    content = content_of(desk)
    mine = PLAYBOOK.replace("Mostly tokens", "Some tokens")
    name = accepted(store, 1, {BOOK_FILE: (mine, PLAYBOOK)})
    theirs = PLAYBOOK.replace("1-4 hours", "1-5 hours")
    (content / BOOK_FILE).write_text(theirs)
    assert results(go(desk)) == [(name, "sent back")]
    assert (content / BOOK_FILE).read_text() == theirs
    assert audit(url, name)[-1] == "screened"
    steps = store.steps(name)
    assert (steps[-1].by, steps[-1].reasons) == ("publisher", ("base-changed",))
    assert go(desk) == []
    accept(store, name, 4, {BOOK_FILE: (mine, theirs)})
    assert results(go(desk)) == [(name, "written")]
    assert (content / BOOK_FILE).read_text() == mine


@pytest.mark.slow
def test_a_name_that_was_taken_since_is_not_overwritten(store: Store, tmp_path: Path) -> None:
    desk = a_desk(store, tmp_path)
    name = accepted(store)
    (content_of(desk) / "lessons").mkdir()
    (content_of(desk) / LESSON).write_text(a_lesson_text("Another lesson"))
    assert results(go(desk)) == [(name, "sent back")]
    assert store.steps(name)[-1].reasons == ("place-taken",)
    assert (content_of(desk) / LESSON).read_text() == a_lesson_text("Another lesson")


@on_both
def test_what_passes_the_checks_no_more_is_sent_back_with_the_problems(store: Store, tmp_path: Path) -> None:
    desk = a_desk(store, tmp_path)
    name = accepted(store, 1, {LESSON: a_lesson_text(playbooks=["not-there"])})
    assert results(go(desk)) == [(name, "sent back")]
    step = store.steps(name)[-1]
    assert step.reasons == ("check-failed",)
    assert "not-there" in str(step.note)
    assert not (content_of(desk) / LESSON).exists()


def test_of_many_problems_five_are_noted(store: Store, tmp_path: Path) -> None:
    desk = a_desk(store, tmp_path)
    names = [f"not-{number}" for number in range(7)]
    subject = accepted(store, 1, {LESSON: a_lesson_text(playbooks=names)})
    assert results(go(desk)) == [(subject, "sent back")]
    note = str(store.steps(subject)[-1].note)
    assert [name in note for name in names] == [True] * 5 + [False] * 2
    assert note.count("; lessons/") == 4


def test_a_report_of_an_unknown_playbook_waits_and_says_so(store: Store, tmp_path: Path) -> None:
    desk = a_desk(store, tmp_path)
    run, other = approved(store, 1, playbook="never-was"), approved(store, 2)
    outcomes = go(desk)
    assert results(outcomes) == [(run, "waiting"), (other, "written")]
    assert outcomes[0].failed
    assert "never-was" in outcomes[0].said
    assert [entry.subject for entry in store.outbox("waiting")] == [run]


def test_a_report_goes_to_the_present_name_of_its_playbook(store: Store, tmp_path: Path) -> None:
    desk = a_desk(
        store, tmp_path, {BOOK_FILE: None, "playbooks/mend-flaky-tests.yaml": f"{PLAYBOOK}aliases: [{BOOK}]\n"}
    )
    run = approved(store)
    assert results(go(desk)) == [(run, "written")]
    assert (content_of(desk) / f"runs/mend-flaky-tests/{run}.yaml").is_file()
    assert _clean(content_of(desk))


def test_a_report_of_a_withdrawn_playbook_is_still_written(store: Store, tmp_path: Path) -> None:
    desk = a_desk(store, tmp_path, {BOOK_FILE: f"{PLAYBOOK}status: withdrawn\nstatus_reason: It was unsafe.\n"})
    assert results(go(desk)) == []
    run = approved(store)
    assert results(go(desk)) == [(run, "written")]


@pytest.mark.slow
@on_both
def test_a_withdrawn_report_leaves_a_tombstone_without_its_text(store: Store, tmp_path: Path) -> None:
    desk = a_desk(store, tmp_path)
    run = approved(store, lesson="Call me.", what_changed="My house burnt.")
    go(desk)
    path = content_of(desk) / f"runs/{BOOK}/{run}.yaml"
    path.write_text(path.read_text().replace("Call me.", "Call them."))
    store.move(run, "withdrawn", by=editor_name(the_editor(store)), reasons=["takedown"])
    assert results(go(desk)) == [(run, "written")]
    assert "status: withdrawn" in path.read_text()
    assert not {"Call", "burnt"} & set(path.read_text().replace(".", " ").split())
    assert _clean(content_of(desk))
    assert go(desk) == []


def test_a_report_withdrawn_before_it_was_written_leaves_nothing(store: Store, tmp_path: Path) -> None:
    desk = a_desk(store, tmp_path)
    run = approved(store)
    store.move(run, "withdrawn", by=editor_name(the_editor(store)), reasons=["takedown"])
    assert go(desk) == []
    assert not (content_of(desk) / "runs").exists()


@pytest.mark.slow
@pytest.mark.parametrize("at", ["mkdir", "fsync", "replace", "placed"])
def test_what_is_taken_back_while_it_is_written_does_not_stay(store: Store, tmp_path: Path, at: str) -> None:
    desk = a_desk(store, tmp_path)
    run, name = approved(store, lesson="Call me."), accepted(store)
    done: set[str] = set()

    def withdraw(call: str) -> None:
        if call == at and not done:
            done.add(at)
            store.move(run, "withdrawn", by=editor_name(the_editor(store)), reasons=["takedown"])
            store.move(name, "withdrawn", by="sender")

    place = Watched(content_of(desk), desk.shelf, lambda: withdraw("placed"))
    with watched(lambda call, _place: withdraw(call)):
        assert results(go(desk, place)) == [(run, "taken back"), (name, "skipped")]
    assert not (content_of(desk) / f"runs/{BOOK}/{run}.yaml").exists()
    assert not (content_of(desk) / LESSON).exists()
    assert go(desk) == []


@pytest.mark.slow
@on_both
def test_a_submission_that_its_sender_takes_back_is_taken_out_again(store: Store, tmp_path: Path) -> None:
    desk = a_desk(store, tmp_path)
    name = accepted(store)
    go(desk)
    store.move(name, "withdrawn", by="sender")
    assert results(go(desk)) == [(name, "taken back")]
    assert not (content_of(desk) / LESSON).exists()
    assert [entry.state for entry in store.outbox()] == ["cancelled"]
    assert go(desk) == []


def test_what_was_changed_since_is_left_to_a_person(store: Store, tmp_path: Path) -> None:
    desk = a_desk(store, tmp_path)
    name = accepted(store)
    go(desk)
    path = content_of(desk) / LESSON
    path.write_text(path.read_text().replace("Look twice", "Look three times"))
    store.move(name, "withdrawn", by="sender")
    outcomes = go(desk)
    assert results(outcomes) == [(name, "by hand")]
    assert outcomes[0].failed
    assert "by hand" in outcomes[0].said
    assert path.is_file()
    assert go(desk) == []


@pytest.mark.slow
def test_a_correction_is_never_taken_back_by_removing_the_record(store: Store, tmp_path: Path) -> None:
    desk = a_desk(store, tmp_path)
    mine = PLAYBOOK.replace("Mostly tokens", "Some tokens")
    name = accepted(store, 1, {BOOK_FILE: (mine, PLAYBOOK)})
    go(desk)
    store.move(name, "withdrawn", by="sender")
    assert results(go(desk)) == [(name, "by hand")]
    assert (content_of(desk) / BOOK_FILE).read_text() == mine


@pytest.mark.slow
def test_what_others_rest_on_is_left_to_a_person(store: Store, tmp_path: Path) -> None:
    desk = a_desk(store, tmp_path)
    first = accepted(store, 1)
    failure = "failures:\n  - problem: It flakes.\n    fix: Look twice.\n    lesson: clean-runs-lie\nupdated:"
    second = accepted(store, 2, {BOOK_FILE: (PLAYBOOK.replace("updated:", failure), PLAYBOOK)})
    assert results(go(desk)) == [(first, "written"), (second, "written")]
    store.move(first, "withdrawn", by="sender")
    outcomes = go(desk)
    assert results(outcomes) == [(first, "by hand")]
    assert BOOK_FILE in outcomes[0].said
    assert _clean(content_of(desk))


@pytest.mark.slow
def test_a_later_version_takes_the_place_of_an_earlier_one(store: Store, tmp_path: Path) -> None:
    desk = a_desk(store, tmp_path)
    name = accepted(store)
    go(desk)
    store.move(name, "screened", version=3, reasons=["other"], by="editor:c:1")
    accept(store, name, 4, {LESSON: a_lesson_text(fix="Look three times.")})
    assert results(go(desk)) == [(name, "written")]
    assert "three times" in (content_of(desk) / LESSON).read_text()


def _withdrawn(store: Store) -> str:
    """The playbook's withdrawal, as it was decided on the file of the beginning; says its subject."""
    gone = f"{PLAYBOOK}status: withdrawn\nstatus_reason: It was unsafe.\n"
    by, subject = editor_name(the_editor(store)), f"playbook:{BOOK}"
    new = [DraftFile(BOOK_FILE, gone, sha(PLAYBOOK), PLAYBOOK)]
    store.withdraw_playbook(subject, new, by=by, reasons=["unsafe"], note="It was unsafe.")
    return subject


@on_both
def test_a_withdrawn_playbook_is_withdrawn_as_its_file_is_by_then(store: Store, tmp_path: Path) -> None:
    desk = a_desk(store, tmp_path)
    subject = _withdrawn(store)
    (content_of(desk) / BOOK_FILE).write_text(PLAYBOOK.replace("1-4 hours", "1-5 hours"))
    assert results(go(desk)) == [(subject, "written")]
    text = (content_of(desk) / BOOK_FILE).read_text()
    assert all(word in text for word in ("time: 1-5 hours", "status: withdrawn", "status_reason: It was unsafe."))
    assert _clean(content_of(desk))
    assert go(desk) == []


def test_a_withdrawal_without_its_file_waits_and_each_run_says_so(store: Store, tmp_path: Path) -> None:
    desk = a_desk(store, tmp_path)
    subject = _withdrawn(store)
    (content_of(desk) / BOOK_FILE).rename(tmp_path / "aside.yaml")
    for _ in range(2):
        outcomes = go(desk)
        assert results(outcomes) == [(subject, "waiting")]
        assert outcomes[0].failed
    (tmp_path / "aside.yaml").rename(content_of(desk) / BOOK_FILE)
    assert results(go(desk)) == [(subject, "written")]


HOSTILE_NAMES = [
    "../escaped.yaml", "lessons/../../escaped.yaml", "/tmp/escaped.yaml", "lessons/x.yaml\n", "lessons/a\n.yaml",
    "lessons/.hidden.yaml", "lessons//x.yaml", "lessons/x.yml", "site.yaml", "categories.yaml", "runs/x.yaml",
    "runs/a/b/c.yaml", "runs/../x.yaml", "lessons/full.yaml", "lessons/CON.YAML", "lessons/ü.yaml", "", ".", "lessons/",
    "lessons/" + "x" * 65 + ".yaml", "templates/x.yaml", "-x/y.yaml", "lessons/-x.yaml", "LESSONS/x.yaml",
    "lessons/con.yaml", "tasks/com1.yaml", f"runs/nul/{an_id('run', 1)}.yaml",
]  # fmt: skip


@pytest.mark.parametrize("name", HOSTILE_NAMES)
def test_no_other_name_is_a_place(name: str, tmp_path: Path) -> None:
    assert not is_place(name)
    (tmp_path / "content").mkdir()
    with pytest.raises(CannotWrite):
        target(tmp_path / "content").write(name, b"x")
    assert tree(tmp_path) == {}


@pytest.mark.slow
def test_hostile_names_in_the_outbox_are_refused(store: Store, url: str, tmp_path: Path) -> None:
    desk = a_desk(store, tmp_path)
    before = tree(tmp_path)
    names = {accepted(store, name, {name: a_lesson_text()}) for name in HOSTILE_NAMES}
    outcomes = go(desk)
    assert {subject for subject, result in results(outcomes) if result == "sent back"} == names
    after = tree(tmp_path)
    assert {name: body for name, body in after.items() if not name.startswith("queue.db")} == {
        name: body for name, body in before.items() if not name.startswith("queue.db")
    }
    run = approved(store)
    _sql(url, f"UPDATE outbox SET file = '../../{run}.yaml' WHERE subject = '{run}'")
    _sql(url, f"UPDATE outbox SET subject = '--upload-pack=x', file = '{LESSON}' WHERE id = 1")
    _sql(url, "UPDATE outbox SET state = 'waiting', went = NULL WHERE id = 1")
    assert {result for _, result in results(go(desk))} == {"waiting"}


@pytest.mark.slow
@pytest.mark.parametrize("place", ["content/lessons", f"content/{LESSON}"])
def test_a_symbolic_link_in_the_content_stops_everything(store: Store, tmp_path: Path, place: str) -> None:
    desk = a_desk(store, tmp_path)
    accepted(store)
    (tmp_path / "elsewhere").mkdir()
    (tmp_path / place).parent.mkdir(exist_ok=True)
    (tmp_path / place).symlink_to(tmp_path / "elsewhere")
    with pytest.raises(ContentError, match="symbolic link"):
        go(desk)
    assert tree(tmp_path / "elsewhere") == {}
    assert [entry.state for entry in store.outbox()] == ["waiting"]


def test_a_content_folder_that_is_a_link_or_missing_is_refused(store: Store, tmp_path: Path) -> None:
    desk = a_desk(store, tmp_path)
    accepted(store)
    (tmp_path / "content").rename(tmp_path / "elsewhere")
    with pytest.raises(UsageError, match="No such file"):
        go(desk)
    (tmp_path / "content").symlink_to(tmp_path / "elsewhere")
    before = tree(tmp_path / "elsewhere")
    with pytest.raises(UsageError, match="symbolic link"):
        go(desk)
    assert tree(tmp_path / "elsewhere") == before


def test_links_are_refused_by_the_folder_itself(tmp_path: Path) -> None:
    (tmp_path / "content").mkdir()
    folder = target(tmp_path / "content")
    (tmp_path / "elsewhere").mkdir()
    (tmp_path / "content/lessons").symlink_to(tmp_path / "elsewhere")
    with pytest.raises(CannotWrite, match="symbolic link"):
        folder.write(LESSON, b"x")
    with pytest.raises(CannotWrite, match="symbolic link"):
        folder.present(LESSON)
    assert tree(tmp_path / "elsewhere") == {}
    (tmp_path / "content/lessons").unlink()
    (tmp_path / "content/lessons").mkdir()
    (tmp_path / "secret").write_text("secret")
    (tmp_path / "content" / LESSON).symlink_to(tmp_path / "secret")
    (tmp_path / f"content/lessons/.clean-runs-lie.yaml.{os.getpid()}.new").symlink_to(tmp_path / "secret")
    with pytest.raises(CannotWrite, match="symbolic link"):
        folder.present(LESSON)
    folder.write(LESSON, b"x")
    assert (tmp_path / "secret").read_text() == "secret"
    assert not (tmp_path / "content" / LESSON).is_symlink()
    os.mkfifo(tmp_path / "content/lessons/pipe.yaml")
    with pytest.raises(CannotWrite, match="no ordinary file"):
        folder.present("lessons/pipe.yaml")


def test_a_file_where_a_folder_belongs_is_said(tmp_path: Path) -> None:
    folder = target(tmp_path)
    (tmp_path / "lessons").write_text("x")
    with pytest.raises(CannotWrite, match="a file where a folder should be"):
        folder.write(LESSON, b"x")


def test_a_full_disk_is_said_and_nothing_is_lost(store: Store, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    desk = a_desk(store, tmp_path)
    name = accepted(store)
    sync = os.fsync

    def full(file: int) -> None:
        """Some of a file was written, and then there was no space."""
        if not stat.S_ISREG(os.fstat(file).st_mode):
            return sync(file)
        os.ftruncate(file, 10)
        raise OSError(28, "No space left on device")

    with monkeypatch.context() as patch:
        patch.setattr("writeapi.review.publishing.targets.os.fsync", full)
        outcomes = go(desk)
    assert results(outcomes) == [(name, "waiting")]
    assert "No space left" in outcomes[0].said
    assert list((content_of(desk) / "lessons").iterdir()) == []
    assert results(go(desk)) == [(name, "written")]


def test_a_folder_that_cannot_be_written_is_said(store: Store, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    desk = a_desk(store, tmp_path)
    name = accepted(store)

    def locked(*_arguments: object, **_options: object) -> None:
        raise OSError(30, "Read-only file system")

    with monkeypatch.context() as patch:
        patch.setattr("writeapi.review.publishing.targets.os.mkdir", locked)
        outcomes = go(desk)
    assert results(outcomes) == [(name, "waiting")]
    assert "Read-only" in outcomes[0].said
    assert results(go(desk)) == [(name, "written")]


@pytest.mark.slow
def test_a_dry_run_says_all_and_does_nothing(store: Store, tmp_path: Path) -> None:
    desk = a_desk(store, tmp_path)
    fine, stale = accepted(store, 1), accepted(store, 2, {BOOK_FILE: (PLAYBOOK + "tags: []\n", "other")})
    before = tree(content_of(desk))
    assert results(go(desk, dry=True)) == [(fine, "written"), (stale, "sent back")]
    assert tree(content_of(desk)) == before
    assert {entry.state for entry in store.outbox()} == {"waiting"}


@pytest.mark.slow
@on_both
def test_two_publishers_at_once_write_everything_once(store: Store, url: str, tmp_path: Path) -> None:
    desk = a_desk(store, tmp_path)
    runs = [approved(store, number) for number in range(12)]
    seen: list[tuple[str, str]] = []
    threads = [Thread(target=lambda: seen.extend(results(go(desk)))) for _ in range(2)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert sorted(seen) == sorted((run, "written") for run in runs)
    assert {path.stem for path in (content_of(desk) / "runs" / BOOK).iterdir()} == set(runs)
    assert all(audit(url, run) == ["pending", "approved"] for run in runs)


def test_a_database_from_a_crash_between_file_and_note_is_finished(tmp_path: Path, store: Store) -> None:
    desk = a_desk(store, tmp_path)
    name = accepted(store)

    kill(desk)
    inode = (content_of(desk) / LESSON).stat().st_ino
    assert results(go(desk)) == [(name, "written")]
    assert (content_of(desk) / LESSON).stat().st_ino == inode


@pytest.mark.slow
@on_both
def test_what_was_cut_off_and_then_taken_back_is_found_and_removed(tmp_path: Path, store: Store) -> None:
    desk = a_desk(store, tmp_path)
    run = approved(store, lesson="Call me.")

    kill(desk)
    store.move(run, "withdrawn", by=editor_name(the_editor(store)), reasons=["private-data"])
    assert (content_of(desk) / f"runs/{BOOK}/{run}.yaml").is_file()
    assert results(go(desk)) == [(run, "taken back")]
    assert not (content_of(desk) / f"runs/{BOOK}/{run}.yaml").exists()
    assert go(desk) == []


def test_a_second_publisher_says_that_it_waits(store: Store, tmp_path: Path) -> None:
    desk = a_desk(store, tmp_path)
    name = accepted(store)
    waited = Event()
    seen: list[tuple[str, str]] = []
    with alone(content_of(desk), lambda: None):
        other = Thread(target=lambda: seen.extend(results(go(desk, waiting=waited.set))))
        other.start()
        assert waited.wait(PATIENCE)
        assert seen == []
        assert not (content_of(desk) / LESSON).exists()
    other.join(PATIENCE)
    assert seen == [(name, "written")]


@pytest.mark.slow
def test_a_correction_that_was_cut_off_and_then_taken_back_is_told_once(tmp_path: Path, store: Store) -> None:
    desk = a_desk(store, tmp_path)
    mine = PLAYBOOK.replace("Mostly tokens", "Some tokens")
    name = accepted(store, 1, {BOOK_FILE: (mine, PLAYBOOK)})

    kill(desk)
    store.move(name, "withdrawn", by="sender")
    assert results(go(desk)) == [(name, "by hand")]
    assert (content_of(desk) / BOOK_FILE).read_text() == mine
    assert go(desk) == []
