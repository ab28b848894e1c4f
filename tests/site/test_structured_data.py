"""The data in pages, as a browser sees it: it is read, and the policy of the pages neither stops it nor lets it run."""

from __future__ import annotations

import json
from collections.abc import Iterator

import pytest
from playwright.sync_api import Browser

from library.content.formatting import canonical
from tests.browsers import IN_A_BROWSER, browser
from tests.builders import BOOK, put
from tests.rich import HOSTILE, a_book, write_rich_content
from tests.server.test_serve import start

__all__ = ["browser"]
pytestmark = IN_A_BROWSER
TRAP = "</script><script>document.title = 'broken'</script><!--<script>"


@pytest.fixture(scope="module")
def site(tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    folder = tmp_path_factory.mktemp("data")
    content = write_rich_content(folder)
    step = {"title": "Look", "detail": f"``{HOSTILE} {TRAP}``", "check": f"It is so. ``{TRAP}``"}
    trap = a_book(title="A trap", cost=f"``{TRAP}``", summary=f"To be sure. ``{TRAP}``", steps=[step])
    put(content, "playbooks/trap.yaml", canonical(trap, "playbooks/trap.yaml"))
    process, address = start(content, folder / "out")
    yield address
    process.terminate()
    process.communicate(timeout=60)


DATA = 'script[type="application/ld+json"]'
PAGES = {
    f"/playbooks/{BOOK}/": "HowTo",
    "/playbooks/trap/": "HowTo",
    "/playbooks/older/": "HowTo",
    "/playbooks/": "ItemList",
    "/lessons/stress-run-is-green-without-the-fix-too/": "TechArticle",
    "/categories/software/": "ItemList",
    f"/tasks/{BOOK}/": "ItemList",
    "/agents/cursor/": "ItemList",
}


@pytest.mark.parametrize("path", PAGES)
def test_the_data_is_there_and_nothing_of_it_runs(site: str, browser: Browser, path: str) -> None:
    said: list[str] = []
    page = browser.new_page()
    page.on("console", lambda message: said.append(message.text))
    page.on("pageerror", lambda error: said.append(str(error)))
    page.goto(site + path)
    inline = page.locator("script:not([src])")
    assert inline.count() == page.locator(DATA).count() == 1
    data = json.loads(str(inline.text_content()))
    assert [thing["@type"] for thing in data["@graph"]] == [PAGES[path], "BreadcrumbList"]
    assert "broken" not in page.title()
    assert said == []
    page.close()


def test_hostile_text_arrives_as_it_was_written(site: str, browser: Browser) -> None:
    page = browser.new_page()
    page.goto(f"{site}/playbooks/trap/")
    guide = json.loads(str(page.locator(DATA).text_content()))["@graph"][0]
    assert guide["estimatedCost"] == f"``{TRAP}``"
    assert guide["step"][0]["itemListElement"][0]["text"] == f"``{HOSTILE} {TRAP}``"
    page.close()
