"""Builds and compares whole output folders."""

from __future__ import annotations

from datetime import date
from pathlib import Path
from typing import Any

from build.pipeline import build
from build.settings import BuildReport, BuildSettings
from tests.builders import TODAY


def built(content: Path, out: Path, today: date = TODAY, **options: Any) -> BuildReport:
    """Build in one process unless told otherwise."""
    return build(BuildSettings(content, out, today, **{"jobs": 1, "durable": False, **options}))


def tree(out: Path) -> dict[str, bytes]:
    """Every file below a folder with its bytes."""
    return {str(path.relative_to(out)): path.read_bytes() for path in sorted(out.rglob("*")) if path.is_file()}


def differences(one: Path, other: Path) -> list[str]:
    """The files that two sites do not have alike."""
    left, right = tree(one), tree(other)
    return sorted(name for name in left.keys() | right.keys() if left.get(name) != right.get(name))
