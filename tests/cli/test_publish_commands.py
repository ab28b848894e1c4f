"""`playbooks review publish` and `settle`: from the outbox through a real build to a published submission."""

from __future__ import annotations

import json
from collections.abc import Iterator
from datetime import UTC, datetime
from pathlib import Path

import pytest
from click.testing import CliRunner, Result

import cli
from tests.builders import BOOK, PLAYBOOK, TODAY, write_content
from tests.trees import tree
from tests.writeapi.review.desk import BOOK_FILE
from tests.writeapi.review.outgoing import LESSON, a_lesson_text, a_repository, accepted, approved, git, the_editor
from writeapi.review.services import editor_name
from writeapi.store import Store

NOTHING = "nothing to publish\n"


class Here:
    """A library with a queue, worked on by commands."""

    def __init__(self, folder: Path) -> None:
        self.folder, self.content, self.out, self.var = folder, write_content(folder), folder / "site", folder / "var"
        self.var.mkdir()
        self.store = Store(f"sqlite:///{self.var / 'queue.db'}", clock=lambda: datetime(2026, 11, 20, 12, tzinfo=UTC))
        self.store.migrate()

    def review(self, *words: str) -> Result:
        return self._run("review", *words, "--var", str(self.var))

    def build(self, *words: str) -> Result:
        return self._run("build", "--jobs", "1", *words)

    def _run(self, *words: str) -> Result:
        told = ["--content", str(self.content), "--out", str(self.out), "--today", TODAY.isoformat()]
        result = CliRunner().invoke(cli.main, [*words, *told])
        assert result.exception is None or isinstance(result.exception, SystemExit), result.exception
        return result


@pytest.fixture
def here(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Here]:
    for name in ("PLAYBOOKS_DATABASE_URL", "PLAYBOOKS_LIMITS_URL", "WEB_CONCURRENCY"):
        monkeypatch.delenv(name, raising=False)
    monkeypatch.setenv("GIT_CONFIG_GLOBAL", "/dev/null")
    made = Here(tmp_path)
    yield made
    made.store.close()


@pytest.mark.slow
def test_what_is_accepted_is_published_once_it_is_in_the_built_site(here: Here) -> None:
    new = accepted(here.store, 1)
    old = accepted(here.store, 2, {BOOK_FILE: (PLAYBOOK.replace("Mostly", "Some"), PLAYBOOK)})
    assert here.build("--site-url", "https://library.example/sub").exit_code == 0
    result = here.review("publish")
    assert result.exit_code == 0, result.output
    assert result.output == f"{new}: written: {LESSON} -> content\n{old}: written: {BOOK_FILE} -> content\n"
    assert here.review("settle").output == NOTHING
    assert here.build("--site-url", "https://library.example/sub").exit_code == 0
    pages = {new: "lessons/clean-runs-lie/", old: f"playbooks/{BOOK}/"}
    assert here.review("settle").output.splitlines() == [
        f"{name}: published: https://library.example/sub/{page}" for name, page in pages.items()
    ]
    assert here.review("settle").output == NOTHING
    for name, page in pages.items():
        record = here.store.submission(name)
        assert record is not None
        assert (record.state, record.place) == ("published", f"https://library.example/sub/{page}")
        assert (here.out / page / "index.html").is_file()


@pytest.mark.slow
def test_publishing_settles_what_is_built_by_then(here: Here) -> None:
    name = accepted(here.store)
    here.review("publish")
    here.build()
    assert here.review("publish").output == f"{name}: published: https://playbooks.example/lessons/clean-runs-lie/\n"


@pytest.mark.slow
def test_what_was_improved_on_its_way_is_published_and_what_was_changed_after_the_build_waits(here: Here) -> None:
    name = accepted(here.store, 1, {BOOK_FILE: (PLAYBOOK.replace("Mostly", "Some"), PLAYBOOK)})
    here.review("publish")
    (here.content / BOOK_FILE).write_text(PLAYBOOK.replace("Mostly", "Few"))
    here.build()
    (here.content / BOOK_FILE).write_text(PLAYBOOK.replace("Mostly", "More"))
    assert here.review("settle").output == NOTHING
    here.build()
    assert here.review("settle").output.startswith(f"{name}: published")


@pytest.mark.slow
def test_a_site_that_was_cut_short_settles_nothing(here: Here) -> None:
    accepted(here.store)
    here.review("publish")
    here.build()
    manifest = here.out.resolve().parent / "manifest.json"
    manifest.rename(manifest.with_name("kept"))
    result = here.review("settle")
    assert (result.exit_code, "no built site at" in result.output) == (2, True)
    manifest.with_name("kept").rename(manifest)
    assert "published" in here.review("settle").output


def test_problems_are_said_and_are_exit_code_1(here: Here) -> None:
    run = approved(here.store, playbook="never-was")
    result = here.review("publish")
    assert result.exit_code == 1
    assert f"{run}: waiting: there is no playbook never-was" in result.output


def test_sent_back_is_said_with_the_place_and_is_exit_code_1(here: Here) -> None:
    name = accepted(here.store, 1, {LESSON: a_lesson_text(playbooks=["not-there"])})
    result = here.review("publish")
    assert result.exit_code == 1
    assert f"{name}: sent back: {LESSON}:" in result.output
    assert "[check-failed]" in result.output


def test_without_a_queue_or_a_site_it_is_wrong_use(here: Here) -> None:
    assert here.review("publish").output == NOTHING
    result = here.review("settle")
    assert (result.exit_code, "no built site at" in result.output) == (2, True)
    here.var = here.folder / "gone"
    for command in ("publish", "settle"):
        result = here.review(command)
        assert (result.exit_code, "there is no queue at" in result.output) == (2, True)
    assert not here.var.exists()


def test_a_library_that_is_broken_elsewhere_is_told_apart(here: Here) -> None:
    accepted(here.store)
    (here.content / BOOK_FILE).write_text(PLAYBOOK.replace("risk: low", "risk: none").replace("1-4 hours", '""'))
    result = here.review("publish")
    assert result.exit_code == 1
    assert f"the library itself does not pass its checks: 2 problems, the first: {BOOK_FILE}:" in result.output
    assert [entry.state for entry in here.store.outbox()] == ["waiting"]


@pytest.mark.slow
def test_a_correction_is_not_published_before_its_own_branch_is_merged(here: Here) -> None:
    here.content = a_repository(here.content) / "content"
    top = here.content.parent
    name = accepted(here.store, 1, {BOOK_FILE: (PLAYBOOK.replace("Mostly", "Some"), PLAYBOOK)})
    here.review("publish", "--branch")
    (here.content / BOOK_FILE).write_text(PLAYBOOK.replace("at least once", "at least twice"))
    git(top, "commit", "--quiet", "-am", "Another change")
    here.build()
    result = here.review("settle")
    assert result.exit_code == 1
    assert result.output == f"{name}: waiting: its file changed otherwise; merge its branch, or send it back\n"
    git(top, "merge", "--quiet", "-m", "Merge", f"accepted/{name}")
    here.build()
    result = here.review("settle")
    assert (result.exit_code, result.output.startswith(f"{name}: published")) == (0, True)


@pytest.mark.slow
@pytest.mark.parametrize("line", ["Submission: ", "Another: "])
def test_a_branch_that_was_squashed_counts_by_its_line(here: Here, line: str) -> None:
    here.content = a_repository(here.content) / "content"
    name = accepted(here.store, 1, {BOOK_FILE: (PLAYBOOK.replace("Mostly", "Some"), PLAYBOOK)})
    here.review("publish", "--branch")
    (here.content / BOOK_FILE).write_text(PLAYBOOK.replace("Mostly", "Few"))
    git(here.content.parent, "commit", "--quiet", "-am", "Squash", "-m", f"{line}{name}")
    here.build()
    became = "published" if line == "Submission: " else "waiting: its file changed otherwise"
    assert here.review("settle").output.startswith(f"{name}: {became}")


def test_options_of_branches_need_branch(here: Here) -> None:
    assert here.review("publish", "--push", "origin").exit_code == 2


@pytest.mark.slow
def test_branches_are_pushed_merged_built_and_published(here: Here) -> None:
    here.content = a_repository(here.content) / "content"
    top = here.content.parent
    git(top, "config", "user.name", "Library")
    name = accepted(here.store)
    result = here.review("publish", "--branch", "--push", "origin")
    assert result.exit_code == 0, result.output
    assert git(top, "log", "-1", "--format=%an", f"accepted/{name}") == "Library"
    other = accepted(here.store, 2, {BOOK_FILE: (PLAYBOOK.replace("Mostly", "Some"), PLAYBOOK)})
    assert here.review("publish", "--branch", "--push", "origin").exit_code == 0
    here.build()
    assert here.review("settle").output == NOTHING
    git(top, "merge", "--quiet", f"accepted/{name}")
    here.build()
    assert here.review("settle").output.startswith(f"{name}: published")
    assert here.review("settle").output == NOTHING
    git(top, "merge", "--quiet", "-m", "Merge", f"accepted/{other}")
    here.build()
    assert here.review("settle").output.startswith(f"{other}: published")
    assert here.review("publish", "--branch", "--base", "nowhere").exit_code == 2


def test_a_dry_run_writes_nothing(here: Here) -> None:
    accepted(here.store)
    before = tree(here.content)
    assert "would go to content" in here.review("publish", "--dry-run").output
    assert tree(here.content) == before


@pytest.mark.slow
def test_a_report_that_is_withdrawn_after_a_build_leaves_the_counts_and_is_said(here: Here) -> None:
    runs = [approved(here.store, number, lesson=f"Lesson {number}.") for number in range(2)]
    here.review("publish")
    here.build()

    def answer() -> dict[str, object]:
        runs: dict[str, object] = json.loads((here.out / f"api/v1/playbooks/{BOOK}.json").read_bytes())["runs"]
        return {name: runs[name] for name in ("approved", "worked", "reporters", "withdrawn_count")}

    assert answer() == {"approved": 2, "worked": 2, "reporters": 1, "withdrawn_count": 0}
    here.store.move(runs[0], "withdrawn", by=editor_name(the_editor(here.store)), reasons=["takedown"])
    assert here.review("publish").output.startswith(f"{runs[0]}: written")
    here.build()
    assert answer() == {"approved": 1, "worked": 1, "reporters": 1, "withdrawn_count": 1}
    page = (here.out / f"playbooks/{BOOK}/index.html").read_text()
    text = (here.out / f"playbooks/{BOOK}.md").read_text()
    assert "1 report was withdrawn." in page
    assert "1 withdrawn later, not counted" in text
    reports = json.loads((here.out / f"api/v1/runs/by-playbook/{BOOK}.json").read_bytes())
    assert [item["id"] for item in reports["items"]] == runs[1:]
    everything = b"".join(tree(here.out).values())
    assert b"Lesson 1." in everything
    assert b"Lesson 0." not in everything
    assert json.loads((here.out / "api/v1/stats.json").read_bytes())["runs"]["approved"] == 1
    here.store.move(runs[1], "withdrawn", by=editor_name(the_editor(here.store)), reasons=["takedown"])
    here.review("publish")
    here.build()
    assert answer() == {"approved": 0, "worked": 0, "reporters": 0, "withdrawn_count": 2}
    assert "2 reports were withdrawn." in (here.out / f"playbooks/{BOOK}/index.html").read_text()
    assert "No run was reported yet" not in (here.out / f"playbooks/{BOOK}.md").read_text()
