"""Sixty documents answer fixed questions as they did: hits, scores, facets, marks, suggestions and notes."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from tests.library.kept_answers import KEPT, told


def _close(value: Any) -> Any:
    """The same with its scores only nearly so: processors differ in the last digits."""
    if isinstance(value, dict):
        return {name: _close(inner) for name, inner in value.items()}
    if isinstance(value, list):
        return [_close(inner) for inner in value]
    return pytest.approx(value, abs=2e-3) if isinstance(value, float) else value


def test_questions_are_answered_as_they_were(tmp_path: Path) -> None:
    now, before = told(tmp_path), [json.loads(line) for line in KEPT.read_text().splitlines()]
    assert len(now) == len(before)
    for one, other in zip(now, before, strict=True):
        assert one == _close(other), "what is meant: python -m tests.library.kept_answers"
