"""What axe finds wrong with a page, in both colour schemes; what it frames is another page."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Literal

import pytest
from playwright.sync_api import Page

from tests.site.released import NODE

SCHEMES: tuple[Literal["light"], Literal["dark"]] = ("light", "dark")
SOURCE = NODE / "node_modules/axe-core/axe.min.js"

RUN = """async () => {
  const { violations } = await axe.run(document, { resultTypes: ["violations"], iframes: false });
  const told = ({ target, failureSummary }) => `${target.join(" ")} (${failureSummary})`;
  return violations.map(({ id, nodes }) => `${id}: ${nodes.slice(0, 3).map(told).join(" | ")}`);
}"""


def violations(page: Page) -> Iterator[tuple[str, list[str]]]:
    """Each scheme, with every rule that the page breaks in it."""
    if not SOURCE.exists():
        pytest.skip("axe-core is not installed in tests/node (make system): accessibility was not checked")
    page.evaluate(SOURCE.read_text(encoding="utf-8"))
    for scheme in SCHEMES:
        page.emulate_media(color_scheme=scheme)
        yield scheme, page.evaluate(RUN)
