"""What tells a build that nothing changed: the files of the content as they are, and what is no file at all."""

from __future__ import annotations

import os
from pathlib import Path

from build.unchanged import DEEPEST, content_stats, files_digest, stat_of
from tests.builders import put


def test_every_file_is_looked_at_but_hidden_ones_and_editors_copies(tmp_path: Path) -> None:
    for name in ("site.yaml", "tasks/a.yaml", "runs/a/b.yaml", ".hidden", "tasks/.a.swp", "tasks/a.yaml~"):
        put(tmp_path, name, name)
    found = content_stats(tmp_path)
    assert sorted(found) == ["runs/a/b.yaml", "site.yaml", "tasks/a.yaml"]
    assert found["tasks/a.yaml"] == ((tmp_path / "tasks/a.yaml").stat().st_ctime_ns, len("tasks/a.yaml"))


def test_folders_deeper_than_any_of_the_content_are_told_and_not_entered(tmp_path: Path) -> None:
    folders = "/".join("abcdef"[: DEEPEST + 1])
    put(tmp_path, f"{folders}/x.yaml", "x")
    assert content_stats(tmp_path) == {f"{folders}/": (0, 0)}


def test_what_is_no_ordinary_file_and_what_is_empty_are_told_as_such(tmp_path: Path) -> None:
    os.mkfifo(tmp_path / "pipe.yaml")
    (tmp_path / "link.yaml").symlink_to("nowhere")
    (tmp_path / "tasks").mkdir()
    assert sorted(content_stats(tmp_path)) == ["link.yaml?", "pipe.yaml?", "tasks/"]
    assert content_stats(tmp_path / "none")["?"] == (0, 0)


def test_a_file_is_known_by_its_time_and_its_size(tmp_path: Path) -> None:
    assert stat_of(tmp_path / "none") == (0, 0)
    put(tmp_path, "a", "abc")
    os.utime(tmp_path / "a", ns=(1, 5))
    assert stat_of(tmp_path / "a") == (5, 3)


def test_the_digest_of_folders_moves_with_every_name_and_every_byte(tmp_path: Path) -> None:
    put(tmp_path, "one/a.txt", "x")
    first = files_digest(tmp_path / "one")
    assert files_digest(tmp_path / "one") == first
    assert files_digest(tmp_path / "one", start=b"y") != first
    put(tmp_path, "one/a.txt", "y")
    second = files_digest(tmp_path / "one")
    (tmp_path / "one/a.txt").rename(tmp_path / "one/b.txt")
    third = files_digest(tmp_path / "one")
    assert len({first, second, third}) == 3
