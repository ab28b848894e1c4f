"""What git knows of each playbook: read once, kept, told in words, and never in the way of a build."""

from __future__ import annotations

import os
import subprocess
from pathlib import Path
from typing import Any

import orjson
import pytest

from build.pipeline import Resident
from build.reading import Sources
from build.settings import BuildSettings
from library.content.changes import described, differences
from library.content.formatting import canonical
from library.content.history import EMPTY, NO_HISTORY, Change, History, read_history
from tests.builders import BOOK, TODAY, put
from tests.rich import HOSTILE, STEP, a_book, write_rich_content
from tests.trees import built
from tests.trees import differences as different

NAME = f"playbooks/{BOOK}.yaml"
PAGE = f"playbooks/{BOOK}/changes/index.html"
MINUTE = 60
BEGAN = 1_790_000_000


class Repository:
    """A git repository with a content folder, whose commits are a minute apart."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self.content = write_rich_content(folder)
        self.at = BEGAN
        self.git("init", "-q", "-b", "main")
        self.commit("Begin")

    def git(self, *arguments: str, author: str = "ada-l") -> str:
        when = f"{self.at} +0000"
        who = {f"GIT_{role}_{part}": value for role in ("AUTHOR", "COMMITTER")
               for part, value in (("NAME", author), ("EMAIL", "ada@example.com"), ("DATE", when))}  # fmt: skip
        environment = {**os.environ, **who, "GIT_CONFIG_GLOBAL": os.devnull, "GIT_CONFIG_SYSTEM": os.devnull}
        done = subprocess.run(["git", *arguments], cwd=self.folder, env=environment, capture_output=True, check=True)
        return done.stdout.decode().strip()

    def commit(self, message: str, *, author: str = "ada-l") -> str:
        self.at += MINUTE
        self.git("add", "-A")
        self.git("commit", "-q", "-m", message, author=author)
        return self.git("rev-parse", "HEAD")

    def put(self, message: str, name: str = NAME, *, author: str = "ada-l", **changes: Any) -> str:
        put(self.content, name, canonical(a_book(**changes), name))
        return self.commit(message, author=author)

    def history(self) -> History:
        return read_history(self.content)


@pytest.fixture
def repository(tmp_path: Path) -> Repository:
    return Repository(tmp_path / "repository")


def titles(history: History, slug: str = BOOK, former: tuple[str, ...] = ()) -> list[str]:
    return [change.title for change in history.of(slug, former)]


def test_changes_are_told_newest_first_with_who_and_when(repository: Repository) -> None:
    commit = repository.put("Cheaper", cost="Nothing")
    newest, first = repository.history().of(BOOK)
    assert (newest.commit, newest.title, newest.by, newest.kind) == (commit, "Cheaper", "ada-l", "changed")
    assert (newest.at, newest.day) == (BEGAN + 2 * MINUTE, "2026-09-21")
    assert (first.title, first.kind, first.before) == ("Begin", "added", EMPTY)


@pytest.mark.slow
def test_what_a_merge_brought_in_is_one_change_on_the_main_line(repository: Repository) -> None:
    for number in range(2):
        repository.put(f"Change {number}", cost=f"{number} coins")
        repository.git("switch", "-q", "-c", f"branch-{number}", "HEAD~1")
        repository.put(f"Aside {number}", "playbooks/aside.yaml", title="Something aside", cost=f"{number} notes")
        repository.git("switch", "-q", "main")
        repository.git("merge", "-q", "--no-ff", "-X", "theirs", "-m", f"Merge {number}", f"branch-{number}")
        assert titles(repository.history()) == [f"Change {past}" for past in range(number, -1, -1)] + ["Begin"]
        assert titles(repository.history(), "aside") == [f"Merge {past}" for past in range(number, -1, -1)]


def test_what_is_known_stays_until_something_is_committed(repository: Repository) -> None:
    known = repository.history()
    assert read_history(repository.content, known) is known
    repository.put("Cheaper", cost="Nothing")
    assert titles(read_history(repository.content, known)) == ["Cheaper", "Begin"]


def test_a_renamed_playbook_keeps_its_history(repository: Repository) -> None:
    repository.put("Cheaper", cost="Nothing", aliases=["old-flaky"])
    (repository.content / NAME).unlink()
    repository.put("Another name", "playbooks/flaky.yaml", cost="Little", aliases=[BOOK, "old-flaky"])
    renamed, *earlier = repository.history().of("flaky", (BOOK, "old-flaky"))
    assert (renamed.kind, renamed.former, renamed.title) == ("renamed", BOOK, "Another name")
    assert [change.title for change in earlier] == ["Cheaper", "Begin"]
    assert [item.words for item in described([renamed], repository.history().texts)] == [
        ("Cost: changed", "Aliases: 1 added")
    ]


def test_an_address_of_e_mail_is_nobodys_name(repository: Repository) -> None:
    repository.put("Cheaper", cost="Nothing", author="ada@example.com")
    assert repository.history().of(BOOK)[0].by == ""


def test_hostile_messages_and_names_are_only_text(repository: Repository) -> None:
    hostile = f"\x01abc :100644 {HOSTILE}\n\n:100644 100644 a b M\n\x01def"
    repository.put(hostile, cost="Nothing", author=f"ann\x01 {HOSTILE}")
    put(repository.content, "playbooks/odd name\n:x.yaml", "x")
    repository.commit("A file that is no record")
    assert len(titles(repository.history())) == 2
    assert titles(repository.history())[0].startswith("abc :100644 <script>")
    assert set(repository.history().files) >= {NAME, "playbooks/older.yaml"}
    assert not [file for file in repository.history().files if "odd" in file]


@pytest.mark.slow
def test_without_git_and_in_a_shallow_clone_nothing_is_known(repository: Repository, tmp_path: Path) -> None:
    outside = write_rich_content(tmp_path / "outside")
    assert (read_history(outside).head, titles(read_history(outside))) == ("", [])
    repository.put("Cheaper", cost="Nothing")
    repository.git("clone", "-q", "--depth", "1", f"file://{repository.folder}", str(tmp_path / "shallow"))
    shallow = read_history(tmp_path / "shallow/content")
    assert (shallow.head, titles(shallow)) == ("", [])
    repository.git("init", "-q", str(tmp_path / "new"))
    assert read_history(write_rich_content(tmp_path / "new")).head == ""


def test_the_environment_of_a_hook_names_no_other_repository(
    repository: Repository, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("GIT_DIR", str(tmp_path / "elsewhere"))
    assert titles(repository.history()) == ["Begin"]


def answer(site: Path, slug: str = BOOK) -> list[dict[str, Any]]:
    value: list[dict[str, Any]] = orjson.loads((site / f"api/v1/playbooks/{slug}.json").read_bytes())["history"]
    return value


@pytest.mark.slow
def test_a_built_site_shows_changes_and_their_differences(repository: Repository, tmp_path: Path) -> None:
    repository.put("Cheaper & <b>", cost="Nothing at all", prompt="Another prompt <script>.", steps=[STEP])
    built(repository.content, tmp_path / "site")
    newest, first = answer(tmp_path / "site")
    assert (newest["title"], newest["kind"], newest["by"]) == ("Cheaper & <b>", "changed", "ada-l")
    assert "Prompt: changed" in newest["words"]
    assert "Steps: 1 removed" in newest["words"]
    assert (first["kind"], first["fields"], first["words"]) == ("added", [], [])
    page = (tmp_path / "site" / PAGE).read_text()
    assert "<ins>Another</ins>" in page
    assert "&lt;script&gt;" in page
    assert "Cheaper &amp; &lt;b&gt;" in page
    assert "ada@example.com" not in page
    assert f'href="/playbooks/{BOOK}/changes/"' in (tmp_path / f"site/playbooks/{BOOK}/index.html").read_text()
    assert not (tmp_path / "site/playbooks/older/changes").exists()


@pytest.mark.slow
def test_who_is_no_contributor_is_not_named(repository: Repository, tmp_path: Path) -> None:
    repository.put("Cheaper", cost="Nothing", author="Some Body", contributors=[{"handle": "ada-l"}])
    built(repository.content, tmp_path / "site")
    assert "by" not in answer(tmp_path / "site")[0]
    assert "Some Body" not in (tmp_path / "site" / PAGE).read_text()


@pytest.mark.slow
def test_what_was_withdrawn_is_not_shown_by_its_history(repository: Repository, tmp_path: Path) -> None:
    name = "playbooks/gone.yaml"
    fields = {"title": "Do what must not be done", "replaced_by": BOOK, "status_reason": "It was unsafe."}
    repository.put("Once more", name, status="withdrawn", cost="A life", **fields)
    built(repository.content, tmp_path / "site")
    assert [(item["kind"], item["words"]) for item in answer(tmp_path / "site", "gone")] == [
        ("changed", []),
        ("added", []),
    ]
    assert not (tmp_path / "site/playbooks/gone/changes").exists()


@pytest.mark.slow
def test_a_commit_alone_makes_the_pages_new_and_the_bytes_of_a_cold_build(
    repository: Repository, tmp_path: Path
) -> None:
    put(repository.content, NAME, canonical(a_book(cost="Nothing"), NAME))
    resident, told = (
        Resident(Sources(repository.content)),
        BuildSettings(repository.content, tmp_path / "site", TODAY, jobs=1, durable=False),
    )
    resident.build(told)
    assert [item["kind"] for item in answer(tmp_path / "site")] == ["added"]
    repository.commit("Cheaper")
    report = resident.build(told)
    assert (report.edit, report.written > 0) == (True, True)
    assert [item["kind"] for item in answer(tmp_path / "site")] == ["changed", "added"]
    built(repository.content, tmp_path / "cold", jobs=2)
    assert different(tmp_path / "site", tmp_path / "cold") == []
    assert resident.build(told).written == 0


@pytest.mark.slow
def test_a_build_is_handed_a_history_as_well(content: Path, tmp_path: Path) -> None:
    texts = {"1" * 40: canonical(a_book(cost="Much"), NAME), "2" * 40: b"- no\n- record", "3" * 40: None}

    def change(number: int, before: str, after: str) -> Change:
        return Change(f"{number}" * 40, number, BEGAN, "ada-l", f"Number {number}", before * 40, after * 40)

    changes = [change(4, "3", "1"), change(3, "2", "1"), change(2, "1", "2"), change(1, "0", "1")]
    built(content, tmp_path / "site", history=History("head", {NAME: changes}, texts.get))
    assert [item["commit"][0] for item in answer(tmp_path / "site")] == ["4", "3", "2", "1"]
    assert (tmp_path / "site" / PAGE).read_text().count("cannot be read as a record") == 3
    built(content, tmp_path / "without", history=NO_HISTORY)
    assert answer(tmp_path / "without") == []


def named(before: dict[str, Any], after: dict[str, Any]) -> list[tuple[str, str]]:
    return [(item.name, item.done) for item in differences(before, after)]


def test_items_of_lists_are_known_again_by_their_names() -> None:
    one, two, three = ({**STEP, "title": title} for title in ("One", "Two", "Three"))
    changed = {**two, "check": "It is green."}
    assert named({"steps": [one, two]}, {"steps": [changed, three, one]}) == [
        ("Step: Two", "changed"),
        ("Step: Three", "added"),
        ("Steps", "moved"),
    ]
    assert named({"steps": [one, one]}, {"steps": [one]}) == [("Step: One", "removed")]
    assert named({"tags": ["a"]}, {"tags": ["a", "b"], "cost": "1"}) == [("Tag: b", "added"), ("Cost", "added")]
    assert named({"cost": "1", "tags": ["a"]}, {}) == [("Cost", "removed"), ("Tag: a", "removed")]
    assert named({"cost": ["1"]}, {"cost": {"much": "1"}}) == [("Cost", "changed")]
