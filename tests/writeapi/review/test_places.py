"""A published file is on the disk when publishing says so: itself, then its name, and every folder made for it."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest

from server.queue import ContentShelf
from tests.builders import TODAY, write_content
from tests.cuts import watched
from tests.writeapi.review.outgoing import LESSON, a_lesson_text
from writeapi.keys import make_id
from writeapi.review.publishing.targets import CannotWrite, ContentTarget

FILE = f"runs/fix-flaky-tests/{make_id('run', bytes)}.yaml"


def calls_of(work: Callable[[], object]) -> list[str]:
    """Which of the system's calls that reach the disk some work makes, in order."""
    made: list[str] = []
    with watched(lambda name, _place: made.append(name)):
        work()
    return made


def target(folder: Path) -> ContentTarget:
    return ContentTarget(folder, ContentShelf(folder, lambda: TODAY))


def write(folder: Path, body: bytes = b"a: b\n") -> None:
    target(folder).write(FILE, body)


def test_a_written_file_is_synced_before_it_has_its_name_and_its_folder_after(tmp_path: Path) -> None:
    write(tmp_path)
    calls = calls_of(lambda: write(tmp_path, b"c: d\n"))
    assert [call for call in calls if call != "unlink"][-3:] == ["fsync", "replace", "fsync"]
    assert (tmp_path / FILE).read_bytes() == b"c: d\n"


def test_a_new_folder_is_on_the_disk_before_anything_lies_in_it(tmp_path: Path) -> None:
    calls = calls_of(lambda: write(tmp_path))
    assert calls[:4] == ["mkdir", "fsync", "mkdir", "fsync"]


def test_a_removed_file_is_gone_from_the_disk_too(tmp_path: Path) -> None:
    place, files = target(write_content(tmp_path / "content")), {LESSON: a_lesson_text().encode()}
    place.write(LESSON, files[LESSON])
    place.library()
    assert calls_of(lambda: place.remove("", files, frozenset()))[-2:] == ["unlink", "fsync"]
    assert place.present(LESSON) is None
    place.remove("", files, frozenset())


def test_an_unfinished_write_leaves_nothing_beside_the_file(tmp_path: Path) -> None:
    write(tmp_path)

    def full(name: str, _place: str) -> None:
        if name == "replace":
            raise OSError(28, "No space left on device")

    with pytest.raises(CannotWrite), watched(full):
        write(tmp_path, b"new")
    assert [path.name for path in (tmp_path / FILE).parent.iterdir()] == [Path(FILE).name]
    assert (tmp_path / FILE).read_bytes() == b"a: b\n"
