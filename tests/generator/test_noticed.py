"""What an edit is recognised by: nothing that changed goes unnoticed because it looks as it did before."""

from __future__ import annotations

import os
import shutil
import subprocess
from collections.abc import Callable
from pathlib import Path

import pytest

from library.problems import ContentError
from tests.builders import BOOK, PLAYBOOK, write_content
from tests.generator.edits import World
from tests.rich import write_rich_content
from tests.trees import built, differences

pytestmark = pytest.mark.slow


@pytest.fixture
def content(tmp_path: Path) -> Path:
    """A small library, built once; its files are old by then."""
    content = write_content(tmp_path / "content", {})
    began = max(path.stat().st_ctime_ns for path in content.rglob("*")) + 3_000_000_000
    built(content, tmp_path / "site", clock=lambda: began)
    return content


def problems(content: Path, out: str) -> list[str]:
    with pytest.raises(ContentError) as told:
        built(content, content.parent / out)
    return [str(problem) for problem in told.value.problems]


def test_a_text_of_the_same_length_with_its_old_time_stamp_is_read(content: Path) -> None:
    path = content / f"playbooks/{BOOK}.yaml"
    stamp = path.stat()
    path.write_text(PLAYBOOK.replace("title: F", "title: f"), encoding="utf-8")
    os.utime(path, ns=(stamp.st_atime_ns, stamp.st_mtime_ns))
    assert path.stat().st_size == stamp.st_size
    assert built(content, content.parent / "site").written > 0
    built(content, content.parent / "cold")
    assert differences(content.parent / "site", content.parent / "cold") == []


def _link(path: Path) -> None:
    path.rename(path.parents[2] / "kept")
    path.symlink_to(path.parents[2] / "kept")


def _pipe(path: Path) -> None:
    path.unlink()
    os.mkfifo(path)


@pytest.mark.parametrize("change", [_link, _pipe])
def test_what_is_no_file_any_more_is_told_as_by_a_cold_build(content: Path, change: Callable[[Path], None]) -> None:
    change(content / f"agents/{next((content / 'agents').iterdir()).name}")
    assert problems(content, "site") == problems(content, "cold")


def test_folders_however_deep_are_told(content: Path) -> None:
    deep = content / "/".join("x" * 400)
    deep.mkdir(parents=True)
    assert problems(content, "site") == problems(content, "cold")


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
    built(world.content, tmp_path / "again", templates=world.templates)
    built(world.content, tmp_path / "site", templates=world.templates)
    assert differences(tmp_path / "site", tmp_path / "again") == []


def test_a_git_that_failed_is_asked_again(tmp_path: Path) -> None:
    world = World(tmp_path, write_rich_content(tmp_path))
    objects = world.content / ".git/objects"
    objects.rename(tmp_path / "objects")
    objects.mkdir()
    world.build("site")
    objects.rmdir()
    (tmp_path / "objects").rename(objects)
    world.build("site")
    world.build("cold")
    assert differences(tmp_path / "site", tmp_path / "cold") == []


def test_a_setting_of_git_for_merges_changes_nothing(tmp_path: Path) -> None:
    world = World(tmp_path, write_rich_content(tmp_path))
    world.git("checkout", "-q", "-b", "side")
    world.change("playbooks", BOOK, cost="Other coins")
    world.commit("On the side")
    world.git("checkout", "-q", "main")
    world.git("merge", "-q", "--no-ff", "-m", "Bring it", "side")
    world.build("site")
    subprocess.run(["git", "config", "log.diffMerges", "combined"], cwd=world.content, check=True)
    world.build("cold")
    assert differences(tmp_path / "site", tmp_path / "cold") == []
