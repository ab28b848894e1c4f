"""What axe finds wrong with a page, in both colour schemes; what it frames is another page."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Literal

import pytest
from playwright.sync_api import Page

from tests.lengths import LONG
from tests.site.released import NODE

SCHEMES: tuple[Literal["light"], Literal["dark"]] = ("light", "dark")
WIDE = 1024
SOURCE = NODE / "node_modules/axe-core/axe.min.js"

RUN = """async (rules) => {
  const some = rules.length ? { runOnly: { type: "rule", values: rules } } : {};
  const { violations } = await axe.run(document, { resultTypes: ["violations"], iframes: false, ...some });
  const told = ({ target, failureSummary }) => `${target.join(" ")} (${failureSummary})`;
  return violations.map(({ id, nodes }) => `${id}: ${nodes.slice(0, 3).map(told).join(" | ")}`);
}"""

OF_COLOUR = ["color-contrast", "link-in-text-block"]
"""The rules that can say one thing in one scheme and another in the other; the rest is asked in both every night."""


def violations(page: Page, width: int) -> Iterator[tuple[str, list[str]]]:
    """Each scheme, with every rule that the page breaks in it.

    Colours are the same at each width, so the short form looks at the dark ones on phones only.
    """
    if not SOURCE.exists():
        pytest.skip("axe-core is not installed in tests/node (make system): accessibility was not checked")
    page.evaluate(SOURCE.read_text(encoding="utf-8"))
    for scheme in SCHEMES if LONG or width < WIDE else SCHEMES[:1]:
        page.emulate_media(color_scheme=scheme)
        yield scheme, page.evaluate(RUN, [] if LONG or scheme == SCHEMES[0] else OF_COLOUR)
