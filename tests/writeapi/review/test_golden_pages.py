"""The pages of review say what they said, in every state: a change that is meant is written down anew."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.writeapi.review.golden import KEPT, told


@pytest.mark.slow
def test_the_pages_say_what_they_said(tmp_path: Path) -> None:
    now = told(tmp_path).split("\n=== ")
    before = KEPT.read_text().split("\n=== ")
    assert [page for page in now if page not in before] == [], "what is meant: python -m tests.writeapi.review.golden"
    assert len(now) == len(before)
