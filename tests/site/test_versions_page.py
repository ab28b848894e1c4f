"""The page of versions: each beside the present one without scripts; any two with them, and by an address."""

from __future__ import annotations

from collections.abc import Iterator

import pytest
from playwright.sync_api import Browser, Page, expect

from tests.browsers import IN_A_BROWSER, browser
from tests.builders import BOOK
from tests.generator.test_history import Repository
from tests.server.test_serve import start

pytestmark = IN_A_BROWSER
__all__ = ["browser"]
PAGE = f"/playbooks/{BOOK}/versions/"


@pytest.fixture(scope="module")
def site(tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    folder = tmp_path_factory.mktemp("versions")
    repository = Repository(folder / "repository")
    repository.put("Ask kindly", prompt="Please mend {{repository}}.")
    repository.put("Ask shortly", prompt="Mend {{repository}} <b>now</b>.")
    process, address = start(repository.content, folder / "out")
    yield address
    process.terminate()
    process.communicate(timeout=60)


def opened(browser: Browser, site: str, *, scripts: bool = True, query: str = "") -> Page:
    page = browser.new_page(viewport={"width": 360, "height": 740}, java_script_enabled=scripts)
    page.set_default_timeout(60_000)
    page.goto(site + PAGE + query)
    return page


def test_any_two_are_compared_and_sent_to_somebody(browser: Browser, site: str) -> None:
    page = opened(browser, site)
    short, kind, first = page.locator("#from option").evaluate_all("all => all.map((one) => one.value)")
    page.get_by_label("From").select_option(kind)
    page.get_by_label("to", exact=True).select_option(short)
    page.get_by_role("button", name="Compare").click()
    shown = page.locator("#compared")
    expect(shown.get_by_role("heading", name="Prompt")).to_be_visible()
    expect(shown.locator("del").first).to_have_text("Please")
    expect(shown).to_contain_text("<b>now</b>.")
    assert page.url == f"{site}{PAGE}?from={kind}&to={short}"
    other = opened(browser, site, query=f"?from={short}&to={kind}").locator("#compared")
    expect(other.locator("ins").first).to_have_text("Please")
    same = opened(browser, site, query=f"?from={first}&to={first}").locator("#compared")
    expect(same).to_contain_text("Both say the same.")
    odd = opened(browser, site, query="?from=<b>&to=x").locator("#compared")
    expect(odd).to_be_empty()


def test_where_the_files_cannot_be_read_it_says_so(browser: Browser, site: str) -> None:
    page = opened(browser, site)
    page.route("**/api/v1/**", lambda route: route.abort())
    page.get_by_role("button", name="Compare").click()
    expect(page.locator("#compared")).to_contain_text("could not be read now")


def test_without_scripts_each_stands_beside_the_present_one(browser: Browser, site: str) -> None:
    page = opened(browser, site, scripts=False)
    expect(page.locator("#compare")).to_be_hidden()
    expect(page.locator(".changes > li")).to_have_count(3)
    page.get_by_text("What the present version says otherwise").first.click()
    expect(page.locator(".changes del").first).to_be_visible()
