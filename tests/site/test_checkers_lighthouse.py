"""Lighthouse over the pages that most readers see: all that applies to them passes."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.lengths import many
from tests.site.lighthouse import PAGES, TOOLS, failed, run, scores
from tests.site.released import Released

pytestmark = [pytest.mark.system, pytest.mark.slow, pytest.mark.browser]
SLOW = 60.0
"""Below this a page is slow on any machine; what it reaches on a quiet one is in docs/performance.md."""


@pytest.mark.parametrize("name", many(["playbook"], [*PAGES]))
def test_lighthouse_finds_nothing(sites: tuple[Released, Released], tmp_path: Path, name: str) -> None:
    if not (TOOLS / "lighthouse").exists():
        pytest.skip("lighthouse is not installed in tests/node (make system): it judged no page")
    report = run(sites[1].address + PAGES[name], tmp_path)
    found = scores([report])
    assert failed(report, "agentic-browsing") == []
    for category in ("accessibility", "best-practices", "seo"):
        assert found[category] == 100, failed(report, category)
    assert found["performance"] >= SLOW, failed(report, "performance")
