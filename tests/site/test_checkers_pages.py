"""Every kind of page in a real browser: axe finds nothing, nothing moves, overflows, hides focus or asks elsewhere."""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from playwright.sync_api import Browser, BrowserContext, Page, Response

from build.views.routes import HTML, PAGE_ROUTES
from tests.browsers import IN_A_BROWSER, browser
from tests.lengths import LONG
from tests.site.axe import SCHEMES, violations
from tests.site.released import LIVE, Released, run, shown

__all__ = ["browser"]
pytestmark = [*IN_A_BROWSER, pytest.mark.slow]
WIDTHS = (360, 1440)
Sites = tuple[Released, Released]

SHIFTS = """
window.shifted = [];
new PerformanceObserver((list) => {
  for (const entry of list.getEntries()) window.shifted.push(entry.value);
}).observe({ type: "layout-shift", buffered: true });
"""
"""Notes every shift of the layout, from before the first byte is drawn."""

PACK = """const { brotliCompressSync: pack, constants } = require("node:zlib");
const params = { [constants.BROTLI_PARAM_QUALITY]: 5 };
const files = process.argv.slice(1).map((file) => require("node:fs").readFileSync(file));
console.log(JSON.stringify(files.map((file) => pack(file, { params }).length)));"""
"""Says how many bytes each file is as brotli of the level that releases have."""

TOO_WIDE = "document.documentElement.scrollWidth - document.documentElement.clientWidth"

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
    """Each page to look at, opened: the page, its address, what it asked for, what it said.

    In the short form a phone looks at the rich library, with every state, and a wide screen at the real one.
    """
    for site in sites if LONG else [sites[WIDTHS.index(width)]]:
        context = browser.new_context(viewport={"width": width, "height": 800})
        context.add_init_script(SHIFTS)
        page, asked, said = _listened_to(context)
        for path in shown(site):
            page.goto("about:blank")  # what the page before still asks for or says is its own
            asked.clear()
            said.clear()
            page.emulate_media(color_scheme=SCHEMES[0])
            page.goto(site.address + path, wait_until="networkidle" if path.startswith("/search/?") else "load")
            yield page, f"{site.name} {path}", asked, said
        assert context.cookies() == [], "a page has set a cookie"
        context.close()


def _listened_to(context: BrowserContext) -> tuple[Page, list[str], list[str]]:
    """A page, and what it will ask for and say."""
    page = context.new_page()
    asked: list[str] = []
    said: list[str] = []
    page.on("request", lambda request: asked.append(request.url))
    page.on("console", lambda message: said.append(message.text))
    page.on("pageerror", lambda error: said.append(str(error)))
    return page, asked, said


def test_every_kind_of_page_is_looked_at(sites: Sites) -> None:
    paths = {route.path for route in PAGE_ROUTES if route.content_type == HTML}
    looked = {route.path for site in sites for route in PAGE_ROUTES if set(site.of(route)) & set(shown(site))}
    # Lists go on beyond a hundred rows, which the real library has of lessons; how is tested in test_lists.py.
    assert {path for path in paths if "{number}" not in path} <= looked
    assert set(LIVE) <= set(shown(sites[0]))


@pytest.mark.system
@pytest.mark.parametrize("width", WIDTHS)
def test_every_kind_of_page_holds(sites: Sites, browser: Browser, width: int) -> None:
    """One look at each page: axe in both schemes, focus, overflow, shifts, and what it asks for and says."""
    top = tuple(f"{site.address}/" for site in sites)
    found: dict[str, Any] = {}
    for page, where, asked, said in visits(sites, browser, width):
        found[f"{where} is too wide"] = page.evaluate(TOO_WIDE)
        found[f"{where} hides the focus"] = page.evaluate(NO_FOCUS)
        found |= {f"{where}, {scheme}": broken for scheme, broken in violations(page, width)}
        # less than a thousandth of the screen is a hair of a pixel: nobody loses their place by it
        found[f"{where} moved"] = [shift for shift in page.evaluate("window.shifted") if shift > 0.001]
        found[f"{where} asked elsewhere"] = [url for url in asked if not url.startswith((*top, "data:"))]
        found[f"{where} said"] = [line for line in said if "the server responded with a status of 4" not in line]
    assert {what: told for what, told in found.items() if told} == {}


@pytest.mark.system
@pytest.mark.parametrize(("path", "most"), [("/", 40_000), ("/playbooks/{largest}/", 60_000)])
def test_a_page_is_light_on_the_wire(sites: Sites, browser: Browser, tmp_path: Path, path: str, most: int) -> None:
    """What Chromium asks for to show it, scripts too, as brotli packs it at the level of releases.

    The letters, which it keeps for all pages, are weighed apart.
    """
    site = sites[1]
    largest = next(route for route in PAGE_ROUTES if route.path == "/playbooks/{slug}/")
    path = site.of(largest)[0] if "{" in path else path
    page = browser.new_page()
    bodies: dict[str, bytes] = {}

    def keep(answer: Response) -> None:
        bodies[answer.url] = answer.body()

    page.on("response", keep)
    page.goto(site.address + path, wait_until="networkidle")
    page.close()
    assert any(url.endswith(".js") for url in bodies)
    for number, body in enumerate(bodies.values()):
        (tmp_path / str(number)).write_bytes(body)
    packed = run("node", "--eval", PACK, *(tmp_path / str(number) for number in range(len(bodies))))
    weights = dict(zip((url.removeprefix(site.address) for url in bodies), json.loads(packed.stdout), strict=True))
    [letters] = [url for url in weights if url.endswith(".woff2")]
    assert weights.pop(letters) <= 40_000
    assert sum(weights.values()) <= most, weights


def test_the_long_form_is_every_page(sites: Sites) -> None:
    for site in sites:
        assert not LONG or set(site.pages) <= set(shown(site))
