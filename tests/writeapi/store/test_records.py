"""What records show of themselves, in a log or a traceback: who and what, and nothing that is secret or was sent."""

from __future__ import annotations

import dataclasses
from typing import Any

import pytest

from writeapi.store import records
from writeapi.store.queue import QueueSize

HIDDEN = {
    records.Member: {"email"},
    records.Once: {"key_hash", "body_hash", "answer"},
    records.NewRun: {"edit_hash"},
    records.RunRecord: {"edit_hash"},
    records.NewSubmission: {"body", "payload", "edit_hash"},
    records.SubmissionRecord: {"body", "payload", "edit_hash"},
    records.DraftFile: {"text", "original"},
    records.OutboxEntry: {"text", "original"},
    records.Session: {"csrf"},
}


def made(kind: Any) -> tuple[dict[str, str], Any]:
    """A record with another word in every field."""
    values = {field.name: f"<{kind.__name__} {field.name}>" for field in dataclasses.fields(kind)}
    return values, kind(**values)


@pytest.mark.parametrize("kind", HIDDEN, ids=lambda kind: kind.__name__)
def test_a_record_shows_all_of_itself_but_what_is_secret_or_was_sent(kind: Any) -> None:
    values, record = made(kind)
    assert {name for name, value in values.items() if value not in repr(record)} == HIDDEN[kind]


@pytest.mark.parametrize(("role", "editor"), [("editor", True), ("contributor", False), ("", False)])
def test_only_an_editor_decides(role: str, *, editor: bool) -> None:
    assert records.Member(1, "ann", None, role, "", None).editor is editor


def test_all_that_waits_is_the_sum_of_its_kinds() -> None:
    assert QueueSize({"run": 3, "lesson": 2}, None).total == 5
    assert QueueSize({}, None).total == 0
