"""Every kind of page in a real browser: axe finds nothing, nothing moves, overflows, hides focus or asks elsewhere."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import pytest
from playwright.sync_api import Browser, Page

from build.routes import HTML, PAGE_ROUTES
from tests.browsers import IN_A_BROWSER, browser
from tests.site.released import LIVE, LONG, NODE, Released, shown

__all__ = ["browser"]
pytestmark = [*IN_A_BROWSER, pytest.mark.slow]
WIDTHS = (360, 1440)
SCHEMES = ("light", "dark")
AXE = NODE / "node_modules/axe-core/axe.min.js"
Sites = tuple[Released, Released]

SHIFTS = """
window.shifted = [];
new PerformanceObserver((list) => {
  for (const entry of list.getEntries()) window.shifted.push(entry.value);
}).observe({ type: "layout-shift", buffered: true });
"""
"""Notes every shift of the layout, from before the first byte is drawn."""

RUN_AXE = """async () => {
  const { violations } = await axe.run(document, { resultTypes: ["violations"] });
  const told = ({ target, failureSummary }) => `${target.join(" ")} (${failureSummary})`;
  return violations.map(({ id, nodes }) => `${id}: ${nodes.slice(0, 3).map(told).join(" | ")}`);
}"""

NO_FOCUS = """() => {
  const found = [];
  const look = (element) => {
    const { outlineStyle, outlineWidth, boxShadow, borderColor } = getComputedStyle(element);
    return JSON.stringify([outlineStyle === "none" ? "none" : outlineStyle + outlineWidth, boxShadow, borderColor]);
  };
  const asked = "a[href], button, input:not([type=hidden]), select, textarea, summary, [tabindex='0']";
  const all = [...document.querySelectorAll(asked)].filter((element) => element.checkVisibility() && !element.disabled);
  for (const element of all.slice(0, 400)) {
    document.activeElement.blur();
    const before = look(element);
    element.focus({ focusVisible: true, preventScroll: true });
    if (document.activeElement !== element || look(element) === before) found.push(element.outerHTML.slice(0, 90));
  }
  return found;
}"""
"""Elements that can be focused and look the same when they are."""


def visits(sites: Sites, browser: Browser, width: int) -> Iterator[tuple[Page, str, list[str], list[str]]]:
    """Each page to look at, opened: the page, its address, what it asked for, what it said."""
    for site in sites:
        context = browser.new_context(viewport={"width": width, "height": 800})
        context.add_init_script(SHIFTS)
        for path in shown(site):
            page = context.new_page()
            asked: list[str] = []
            said: list[str] = []
            page.on("request", lambda request, asked=asked: asked.append(request.url))
            page.on("console", lambda message, said=said: said.append(message.text))
            page.on("pageerror", lambda error, said=said: said.append(str(error)))
            page.goto(site.address + path, wait_until="networkidle" if path.startswith("/search/?") else "load")
            yield page, f"{site.name} {path}", asked, said
            page.close()
        assert context.cookies() == [], "a page has set a cookie"
        context.close()


def test_every_kind_of_page_is_looked_at(sites: Sites) -> None:
    paths = {route.path for route in PAGE_ROUTES if route.content_type == HTML}
    looked = {route.path for site in sites for route in PAGE_ROUTES if set(site.of(route)) & set(shown(site))}
    assert looked == paths
    assert set(LIVE) <= set(shown(sites[0]))


@pytest.mark.system
@pytest.mark.parametrize("width", WIDTHS)
def test_axe_finds_nothing(sites: Sites, browser: Browser, width: int) -> None:
    if not AXE.exists():
        pytest.skip("axe-core is not installed in tests/node (make system): accessibility was not checked")
    source = AXE.read_text(encoding="utf-8")
    found: dict[str, Any] = {}
    for page, where, _, _ in visits(sites, browser, width):
        page.evaluate(source)
        for scheme in SCHEMES:
            page.emulate_media(color_scheme=scheme)
            if violations := page.evaluate(RUN_AXE):
                found[f"{where}, {scheme}"] = violations
    assert found == {}


@pytest.mark.parametrize("width", WIDTHS)
def test_nothing_moves_overflows_or_comes_from_elsewhere(sites: Sites, browser: Browser, width: int) -> None:
    wide, moved, strange, loud = {}, {}, {}, {}
    top = tuple(f"{site.address}/" for site in sites)
    for page, where, asked, said in visits(sites, browser, width):
        page.wait_for_timeout(60)
        if over := page.evaluate("document.documentElement.scrollWidth - document.documentElement.clientWidth"):
            wide[where] = over
        if shifts := page.evaluate("window.shifted"):
            moved[where] = shifts
        if others := [url for url in asked if not url.startswith((*top, "data:"))]:
            strange[where] = others
        if lines := [line for line in said if "the server responded with a status of 4" not in line]:
            loud[where] = lines
    assert (wide, moved, strange, loud) == ({}, {}, {}, {})


def test_whatever_has_the_focus_shows_it(sites: Sites, browser: Browser) -> None:
    hidden = {
        where: found for page, where, _, _ in visits(sites, browser, WIDTHS[0]) if (found := page.evaluate(NO_FOCUS))
    }
    assert hidden == {}


def test_the_long_form_is_every_page(sites: Sites) -> None:
    for site in sites:
        assert not LONG or set(site.pages) <= set(shown(site))
