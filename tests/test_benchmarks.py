"""Every benchmark can be loaded: what they share with one another has not gone away."""

from __future__ import annotations

import importlib
from pathlib import Path

import pytest

NAMES = sorted(path.stem for path in (Path(__file__).parent.parent / "benchmarks").glob("*.py"))


@pytest.mark.slow
@pytest.mark.parametrize("name", NAMES)
def test_a_benchmark_can_be_loaded(name: str) -> None:
    assert importlib.import_module(f"benchmarks.{name}")
