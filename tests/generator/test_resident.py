"""A resident builder writes what an edit moves and nothing else, and goes on only from what it left itself."""

from __future__ import annotations

import os
import shutil
from collections.abc import Callable
from pathlib import Path

import pytest

from build.pipeline import BuildFailed
from library.problems import ContentError
from tests.builders import BOOK, put
from tests.generator.edits import World
from tests.rich import write_rich_content
from tests.trees import differences, tree

pytestmark = pytest.mark.slow


@pytest.fixture
def world(tmp_path: Path) -> World:
    """The rich library, built once by a resident; its files are old by then."""
    world = World(tmp_path, write_rich_content(tmp_path))
    world.edit("site")
    return world


def replaced(world: World, name: str, old: str, new: str) -> None:
    text = (world.content / name).read_text(encoding="utf-8")
    assert old in text
    (world.content / name).write_text(text.replace(old, new), encoding="utf-8")


def test_nothing_new_writes_nothing(world: World) -> None:
    before = {path: path.stat().st_mtime_ns for path in (world.folder / "site").resolve().rglob("*")}
    report = world.edit("site")
    assert (report.edit, report.written, report.removed, report.files) == (True, 0, 0, len(tree(world.folder / "site")))
    assert before == {path: path.stat().st_mtime_ns for path in (world.folder / "site").resolve().rglob("*")}


def test_one_edit_writes_only_what_shows_it(world: World) -> None:
    before = tree(world.folder / "site")
    replaced(world, "playbooks/write-tests.yaml", "cost: Mostly tokens", "cost: A coffee")
    report = world.edit("site")
    after = tree(world.folder / "site")
    changed = {name for name in after if after[name] != before.get(name)}
    assert changed == {
        "api/v1/playbooks/write-tests.json",
        "playbooks/write-tests/index.html",
        "playbooks/write-tests.md",
        "s/write-tests/skill.zip",
        "s/write-tests/.well-known/agent-skills/index.json",
        ".well-known/agent-skills/index.json",
        ".well-known/skills/index.json",
        "SHA256SUMS",
    }
    assert report.written == len(changed) - 1  # of what is rendered


def test_what_is_gone_from_the_content_is_gone_from_the_site(world: World) -> None:
    (world.content / "playbooks/older.yaml").rename(world.content / "playbooks/newer.yaml")
    report = world.edit("site")
    names = tree(world.folder / "site").keys()
    assert report.removed
    assert not any("/older" in f"/{name}" for name in names)
    assert not (world.folder / "site/playbooks/older").exists()
    assert "playbooks/newer/index.html" in names
    world.build("cold")
    assert world.differences("site", "cold") == []


def test_problems_leave_the_site_as_it_was_and_the_next_edit_goes_on(world: World) -> None:
    before = tree(world.folder / "site")
    put(world.content, f"playbooks/{BOOK}.yaml", "title: [\n")
    with pytest.raises(ContentError):
        world.edit("site")
    assert tree(world.folder / "site") == before
    world.undo()
    replaced(world, f"playbooks/{BOOK}.yaml", "cost: ", "cost: Again ")
    assert world.edit("site").edit
    world.build("cold")
    assert world.differences("site", "cold") == []


def test_what_another_process_built_meanwhile_is_built_again_as_a_whole(world: World) -> None:
    replaced(world, f"playbooks/{BOOK}.yaml", "cost: ", "cost: Second ")
    world.build("site")
    replaced(world, f"playbooks/{BOOK}.yaml", "time: ", "time: Third ")
    assert not world.edit("site").edit
    world.build("cold")
    assert world.differences("site", "cold") == []


def test_templates_of_a_build_that_failed_are_not_used_once_they_are_taken_back(world: World) -> None:
    base = (world.templates / "base.html").read_text(encoding="utf-8")
    (world.templates / "base.html").write_text(base.replace("<footer", "<footer data-tried", 1), encoding="utf-8")
    replaced(world, f"playbooks/{BOOK}.yaml", "cost: ", "odd: x\ncost: ")
    with pytest.raises(ContentError):
        world.edit("site")
    (world.templates / "base.html").write_text(base, encoding="utf-8")
    replaced(world, f"playbooks/{BOOK}.yaml", "odd: x\ncost: ", "cost: Again ")
    world.edit("site")
    assert b"data-tried" not in (world.folder / f"site/playbooks/{BOOK}/index.html").read_bytes()


@pytest.mark.parametrize("damage", ["manifest.json", "index"])
def test_an_edit_that_could_not_be_finished_is_said_and_the_next_build_does_the_rest(world: World, damage: str) -> None:
    page = world.folder / f"site/playbooks/{BOOK}.md"
    page.unlink()
    page.mkdir()  # a file cannot take its place
    replaced(world, f"playbooks/{BOOK}.yaml", "cost: ", "cost: Again ")
    with pytest.raises(BuildFailed, match="some of what is served is new already; the next build does the rest"):
        world.edit("site")
    left = page.resolve().parents[2]
    assert not (left / "manifest.json").exists(), "nobody takes it for whole"
    assert not world.edit("site").edit
    (left.parent / str(int(left.name) + 1) / damage).unlink()
    assert world.edit("site").edit == (damage != "index"), "a lost index is made anew"
    world.build("cold")
    assert world.differences("site", "cold") == []


def test_a_text_of_the_same_length_with_its_old_time_stamp_is_read(world: World) -> None:
    path = world.content / f"playbooks/{BOOK}.yaml"
    stamp = path.stat()
    replaced(world, f"playbooks/{BOOK}.yaml", "title: F", "title: f")
    os.utime(path, ns=(stamp.st_atime_ns, stamp.st_mtime_ns))
    assert path.stat().st_size == stamp.st_size
    assert world.edit("site").written


def _link(path: Path) -> None:
    path.rename(path.parents[2] / "kept")
    path.symlink_to(path.parents[2] / "kept")


def _pipe(path: Path) -> None:
    path.unlink()
    os.mkfifo(path)


@pytest.mark.parametrize("change", [_link, _pipe])
def test_what_is_no_file_any_more_is_told_as_by_a_cold_build(world: World, change: Callable[[Path], None]) -> None:
    change(world.content / "agents/claude-code.yaml")
    told = []
    for build in (world.edit, world.build):
        with pytest.raises(ContentError) as raised:
            build("site")
        told.append([str(problem) for problem in raised.value.problems])
    assert told[0] == told[1]


def test_a_record_that_others_name_in_another_order_is_written_anew(tmp_path: Path) -> None:
    """The order of a table is read where it is gone through, though no value of it is another."""
    world = World(tmp_path, write_rich_content(tmp_path))
    known = world.read("categories.yaml")["categories"]
    world.put("categories.yaml", {"categories": [*known, {"slug": "z", "name": "Z", "summary": "Another."}]})
    world.edit("site")
    world.put("categories.yaml", {"categories": [{"slug": "z", "name": "Z", "summary": "Another."}, *known]})
    assert world.edit("site").written
    world.build("cold")
    assert world.differences("site", "cold") == []


def test_the_history_of_a_folder_is_not_that_of_another(tmp_path: Path) -> None:
    top = tmp_path / "repository"
    top.mkdir()
    world = World(tmp_path, write_rich_content(top))
    shutil.move(world.content / ".git", top / ".git")
    world.commit("A folder lower")
    world.build("site")
    world.content.rename(top / "library")
    world.content = top / "library"
    world.commit("Another name")
    world.build("again")
    world.build("site")
    assert differences(tmp_path / "site", tmp_path / "again") == []


def test_a_git_that_failed_is_asked_again(tmp_path: Path) -> None:
    world = World(tmp_path, write_rich_content(tmp_path))
    objects = world.content / ".git/objects"
    objects.rename(tmp_path / "objects")
    objects.mkdir()
    world.edit("site")
    objects.rmdir()
    (tmp_path / "objects").rename(objects)
    world.edit("site")
    world.build("cold")
    assert differences(tmp_path / "site", tmp_path / "cold") == []
