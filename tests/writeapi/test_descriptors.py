"""Nothing stays open: what opens a file or a folder closes it, also where it is refused."""

from __future__ import annotations

import time
from collections.abc import Callable
from contextlib import suppress
from pathlib import Path

import pytest

from library.problems import LibraryError
from tests.writeapi.review.outgoing import LESSON
from tests.writeapi.store.builders import sqlite_url, ticking
from writeapi.review.publishing.parcels import CannotWrite
from writeapi.review.publishing.targets import ContentFolder
from writeapi.settings import read_secret
from writeapi.store import Store
from writeapi.store.engine import Gate, Unavailable


def steps(_name: str) -> None:
    """Nobody looks on."""


def written(folder: Path) -> None:
    content = ContentFolder(folder)
    content.write(LESSON, b"a", steps)
    content.write("runs/a-book/run_aaaaaaaaaaaaaaaaaaaaaaaaaa.yaml", b"b", steps)
    assert content.read(LESSON) == b"a"
    assert content.read("lessons/nothing.yaml") is None
    content.remove(LESSON, steps)
    content.remove(LESSON, steps)
    assert not (folder / LESSON).exists()


def refused(folder: Path) -> None:
    (folder / "lessons").write_text("no folder")
    content = ContentFolder(folder)
    with suppress(CannotWrite):
        content.write(LESSON, b"a", steps)
    with suppress(CannotWrite):
        content.write("../x.yaml", b"a", steps)
    with suppress(CannotWrite):
        content.remove(LESSON, steps)
    with suppress(CannotWrite):
        content.read(LESSON)


def secret(folder: Path) -> None:
    read_secret({}, folder / "var")
    (folder / "secret").write_text("cut")
    with suppress(LibraryError):
        read_secret({}, folder)


def gate(folder: Path) -> None:
    first, second = Gate(folder / "db"), Gate(folder / "db")
    with first.held(time.monotonic() + 60), suppress(Unavailable), second.held(time.monotonic()):
        pass
    with second.held(time.monotonic() + 60):
        pass


def stored(folder: Path) -> None:
    store = Store(sqlite_url(folder / "queue.db"), clock=ticking(), wait=60)
    store.migrate()
    store.ready()
    store.close()


@pytest.mark.parametrize("use", [written, refused, secret, gate, stored], ids=lambda use: use.__name__)
def test_what_was_opened_is_closed(tmp_path: Path, use: Callable[[Path], None]) -> None:
    for name in ("first", "second"):
        (tmp_path / name).mkdir()
    use(tmp_path / "first")  # what is opened once and for all, such as a library
    before = sorted(Path("/proc/self/fd").iterdir())
    use(tmp_path / "second")
    assert sorted(Path("/proc/self/fd").iterdir()) == before


def test_a_write_tells_each_point_at_which_it_may_be_cut_off(tmp_path: Path) -> None:
    told: list[str] = []
    content = ContentFolder(tmp_path)
    for _ in range(2):
        content.write(LESSON, b"a", told.append)
    content.remove(LESSON, told.append)
    each = ["opened", "made", "wrote", "synced", "renamed", "folder-synced"]
    assert told == ["folder-made", "parent-synced", *each, "parent-synced", *each, "unlinked"]
