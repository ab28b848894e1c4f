"""Nothing stays open: what opens a file or a folder closes it, also where it is refused."""

from __future__ import annotations

import time
from collections.abc import Callable
from contextlib import suppress
from pathlib import Path

import pytest

from library.problems import LibraryError
from server.queue import ContentShelf
from tests.builders import TODAY
from tests.writeapi.review.outgoing import LESSON
from tests.writeapi.store.builders import sqlite_url, ticking
from writeapi.review.publishing.targets import CannotWrite, ContentTarget
from writeapi.settings import read_secret
from writeapi.store import Store
from writeapi.store.engine import Gate, Unavailable


def target(folder: Path) -> ContentTarget:
    return ContentTarget(folder, ContentShelf(folder, lambda: TODAY))


def written(folder: Path) -> None:
    content = target(folder)
    content.write(LESSON, b"a")
    content.write("runs/a-book/run_aaaaaaaaaaaaaaaaaaaaaaaaaa.yaml", b"b")
    assert content.present(LESSON) == b"a"
    assert content.present("lessons/nothing.yaml") is None


def refused(folder: Path) -> None:
    (folder / "lessons").write_text("no folder")
    content = target(folder)
    with suppress(CannotWrite):
        content.write(LESSON, b"a")
    with suppress(CannotWrite):
        content.write("../x.yaml", b"a")
    with suppress(CannotWrite):
        content.present(LESSON)


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
