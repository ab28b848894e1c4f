"""The rich library is told as it was told before, in every form: a change that is meant is written down anew."""

from __future__ import annotations

from pathlib import Path

from tests.generator.golden import kept, told


def test_a_site_says_what_it_said(rich_site: Path) -> None:
    now, before = told(rich_site), kept()
    others = sorted(name for name in now.keys() | before.keys() if now.get(name) != before.get(name))
    assert others == [], "what is meant is kept by: python -m tests.generator.golden"
