"""What all of review works with: the store, the content and randomness, handed in by whoever runs it."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Protocol

from library.records.collection import Library
from writeapi.keys import Randomness, is_id

from ..store import Store
from ..store.engine import NotFound
from ..store.records import Member, RunRecord, SubmissionRecord


class Shelf(Protocol):
    """The content as it stands now. A file's name is relative to the content folder: `lessons/<slug>.yaml`."""

    def library(self) -> Library:
        """The library of today. Raises `ContentError` when the content has errors."""

    def text(self, file: str) -> str | None:
        """The text of a content file; None when there is none."""

    def page(self, files: Mapping[str, bytes], file: str) -> bytes | None:
        """The HTML page that `file` would give if `files` were in the content; None when it cannot be made."""


@dataclass(frozen=True, slots=True)
class ReviewServices:
    """Handed to every action of review."""

    store: Store
    shelf: Shelf
    random: Randomness


def editor_name(editor: Member) -> str:
    """An editor as the audit knows one: by number, in the role of an editor."""
    return f"editor:c:{editor.id}"


def record_of(store: Store, subject: str) -> RunRecord | SubmissionRecord:
    """The run report or the submission of this id. Raises `NotFound`."""
    record = (store.run(subject) or store.submission(subject)) if is_id(subject) else None
    if record is None:
        raise NotFound("There is no report and no submission with this id.")
    return record
