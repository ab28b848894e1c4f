"""The write API answers a long conversation as it did, and stores the same of it."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.writeapi.golden import KEPT, told


@pytest.mark.slow
def test_a_conversation_is_answered_and_stored_as_it_was(tmp_path: Path) -> None:
    now, before = told(tmp_path).split("\n=== "), KEPT.read_text().split("\n=== ")
    assert [part for part in now if part not in before] == [], "what is meant: python -m tests.writeapi.golden"
    assert len(now) == len(before)
