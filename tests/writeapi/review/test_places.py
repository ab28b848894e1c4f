"""A published file is on the disk when publishing says so: itself, then its name, and every folder made for it."""

from __future__ import annotations

import sys
from collections.abc import Callable
from pathlib import Path
from types import FrameType

import pytest

from writeapi.keys import make_id
from writeapi.review.publishing.parcels import CannotWrite
from writeapi.review.publishing.targets import ContentFolder

FILE = f"runs/fix-flaky-tests/{make_id('run', bytes)}.yaml"
LOOKED_AT = {"fsync", "rename", "mkdir", "unlink"}


def calls_of(work: Callable[[], None]) -> list[str]:
    """Which of the system's calls that reach the disk some work makes, in order."""
    made: list[str] = []

    def look(_frame: FrameType, event: str, function: object) -> None:
        name = getattr(function, "__name__", "")
        if event == "c_call" and name in LOOKED_AT:
            made.append(name)

    sys.setprofile(look)
    try:
        work()
    finally:
        sys.setprofile(None)
    return made


def write(folder: Path, body: bytes = b"a: b\n") -> None:
    ContentFolder(folder).write(FILE, body, lambda _step: None)


def test_a_written_file_is_synced_before_it_has_its_name_and_its_folder_after(tmp_path: Path) -> None:
    write(tmp_path)
    calls = calls_of(lambda: write(tmp_path, b"c: d\n"))
    assert calls[-3:] == ["fsync", "rename", "fsync"]
    assert (tmp_path / FILE).read_bytes() == b"c: d\n"


def test_a_new_folder_is_on_the_disk_before_anything_lies_in_it(tmp_path: Path) -> None:
    calls = calls_of(lambda: write(tmp_path))
    assert calls[:4] == ["mkdir", "fsync", "mkdir", "fsync"]


def test_a_removed_file_is_gone_from_the_disk_too(tmp_path: Path) -> None:
    write(tmp_path)
    assert calls_of(lambda: ContentFolder(tmp_path).remove(FILE, lambda _step: None)) == ["unlink", "fsync"]
    assert ContentFolder(tmp_path).read(FILE) is None
    ContentFolder(tmp_path).remove(FILE, lambda _step: None)


def test_an_unfinished_write_leaves_nothing_beside_the_file(tmp_path: Path) -> None:
    write(tmp_path)

    def full(step: str) -> None:
        if step == "wrote":
            raise OSError(28, "No space left on device")

    with pytest.raises(CannotWrite):
        ContentFolder(tmp_path).write(FILE, b"new", full)
    assert [path.name for path in (tmp_path / FILE).parent.iterdir()] == [Path(FILE).name]
    assert (tmp_path / FILE).read_bytes() == b"a: b\n"
