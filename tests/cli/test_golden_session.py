"""Commands print about a small library what they printed, and leave the same schemas."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.cli.golden import KEPT, told


@pytest.mark.slow
def test_a_session_says_what_it_said(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    for name in ("GITHUB_WORKSPACE", "NO_COLOR"):
        monkeypatch.delenv(name, raising=False)
    now, before = told(tmp_path).split("\n=== "), KEPT.read_text().split("\n=== ")
    assert [part for part in now if part not in before] == [], "what is meant: python -m tests.cli.golden"
    assert len(now) == len(before)
