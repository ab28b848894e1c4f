"""Small builders for the tests of the editor's desk: a library on disk, a queue, editors and what was sent."""

from __future__ import annotations

import random
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from server.queue import ContentShelf
from tests.builders import BOOK, TODAY, write_content
from tests.writeapi.store.builders import a_run, a_submission, an_id, sha
from writeapi.review.services import ReviewServices
from writeapi.store import Store
from writeapi.store.records import DraftFile, Member, Review, SubmissionRecord

TASKS = f"tasks/{BOOK}.yaml"
BOOK_FILE = f"playbooks/{BOOK}.yaml"


def a_desk(store: Store, folder: Path, changes: Mapping[str, str | bytes | None] | None = None) -> ReviewServices:
    """Review over a small content folder; `changes` are as `write_content` takes them."""
    content = write_content(folder, changes)
    chance = random.Random(1)
    return ReviewServices(store, ContentShelf(content, lambda: TODAY), chance.randbytes)


def content_of(desk: ReviewServices) -> Path:
    """The content folder of a desk."""
    assert isinstance(desk.shelf, ContentShelf)
    return desk.shelf.content


def an_editor(store: Store, handle: str = "ann") -> Member:
    """An editor of this handle."""
    store.add_contributor(handle, None, sha(handle), "pbl_x")
    store.promote(handle, by="operator")
    found = store.contributor(handle)
    assert found is not None
    return found


def a_contributor(store: Store, handle: str = "cleo") -> Member:
    """Somebody with a key."""
    return store.add_contributor(handle, None, sha(handle), "pbl_y")


def sent(store: Store, name: object = 1, **changes: Any) -> SubmissionRecord:
    """A submission in the queue, screened unless `screened` is false."""
    screened = changes.pop("screened", True)
    new = a_submission(name, **changes)
    store.add(new, None)
    if screened:
        store.screened(Review(new.id, 1, "editor", ()), reject=False)
    found = store.submission(new.id)
    assert found is not None
    return found


def reported(store: Store, name: object = 1, **changes: Any) -> str:
    """A run report that waits; says its id."""
    store.add(a_run(name, **changes), None)
    return an_id("run", name)


def a_payload(**changes: Any) -> dict[str, Any]:
    """A whole playbook as it is sent, without what it may leave out."""
    values: dict[str, Any] = {
        "title": "Rename a Python package",
        "agents": ["Claude Code"],
        "summary": "Renames a package and every import of it.",
        "prompt": "Rename the package {{old_name}} to {{new_name}}. Change every import, and run the tests.",
        "steps": ["Find every import of the old name. Use grep.", "Change them. Then run the tests."],
    }
    return {**values, **changes}


def texts_of(files: tuple[DraftFile, ...]) -> dict[str, str]:
    """The texts of files by name."""
    return {item.file: item.text for item in files}
