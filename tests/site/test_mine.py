"""What a browser keeps of its reader: a report sent by the form, its state, taken back by a button, moved as a file."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest
from playwright.sync_api import Browser, BrowserContext, expect

from tests.browsers import IN_A_BROWSER, browser
from tests.builders import BOOK
from tests.rich import write_rich_content
from tests.server.test_serve import start

pytestmark = IN_A_BROWSER
__all__ = ["browser"]


@pytest.fixture(scope="module")
def site(tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    content: Path = write_rich_content(tmp_path_factory.mktemp("mine"))
    process, address = start(content, content.with_name("out"))
    yield address
    process.terminate()
    process.communicate(timeout=60)


@pytest.fixture
def visit(site: str, browser: Browser) -> Iterator[BrowserContext]:
    context = browser.new_context(viewport={"width": 360, "height": 740}, base_url=site)
    context.set_default_timeout(60_000)
    yield context
    context.close()


def test_a_report_is_seen_moved_and_taken_back(
    visit: BrowserContext, browser: Browser, site: str, tmp_path: Path
) -> None:
    page = visit.new_page()
    page.goto("/mine/")
    expect(page.locator("#sent-none")).to_be_visible()
    page.goto(f"/report/?playbook={BOOK}&outcome=worked&agent=claude-code")
    page.get_by_label("nothing in it is private").check()
    page.get_by_role("button", name="Send the report").click()
    expect(page.get_by_role("heading", name="It is stored")).to_be_visible()
    page.goto("/mine/")
    expect(page.locator("#sent-rows li")).to_have_count(1)
    expect(page.locator("#sent-rows")).to_contain_text("Received: an editor reads it next.")
    with page.expect_download() as saved:
        page.get_by_role("button", name="Save as a file").click()
    saved.value.save_as(tmp_path / "mine.json")
    elsewhere = browser.new_context(base_url=site).new_page()
    elsewhere.goto("/mine/")
    elsewhere.locator("#import").set_input_files(tmp_path / "mine.json")
    expect(elsewhere.locator("#sent-rows")).to_contain_text("Received: an editor reads it next.")
    elsewhere.get_by_role("button", name="Withdraw it").click()
    sure = elsewhere.get_by_role("button", name="Withdraw it for good?")
    expect(sure).to_be_focused()
    sure.click()
    expect(elsewhere.locator("#sent-rows")).to_contain_text("Withdrawn.")
    expect(elsewhere.locator("#sent-rows a").first).to_be_focused()
    page.reload()
    expect(page.locator("#sent-rows")).to_contain_text("Withdrawn. New since your last visit.")
    page.reload()
    expect(page.locator("#sent-rows")).to_contain_text("Withdrawn.")
    expect(page.locator("#sent-rows")).not_to_contain_text("New since")
    page.get_by_role("button", name="Forget it here").click()
    expect(page.locator("#sent-none")).to_be_visible()
    elsewhere.context.close()


def test_a_file_of_something_else_changes_nothing(visit: BrowserContext, tmp_path: Path) -> None:
    page = visit.new_page()
    page.goto("/mine/")
    for text in ("no json", '{"mine": "x", "theme": "dark"}', '{"mine": [{"id": "<b>"}]}'):
        (tmp_path / "file.json").write_text(text)
        page.locator("#import").set_input_files(tmp_path / "file.json")
        expect(page.locator("#said")).not_to_be_empty()
        assert page.evaluate("localStorage.theme ?? null") is None
        expect(page.locator("#sent-none")).to_be_visible()


def test_what_was_damaged_or_made_up_breaks_no_page(visit: BrowserContext) -> None:
    page = visit.new_page()
    wrong: list[str] = []
    page.on("pageerror", lambda error: wrong.append(str(error)))
    page.goto("/mine/")
    receipt = {"id": f"run_{'a' * 26}", "kind": 7, "title": {"x": 1}, "sent": None, "token": ["t"]}
    page.evaluate("list => localStorage.setItem('mine', JSON.stringify(list))", [receipt, None, 7, {"id": "x"}])
    runs: tuple[object, ...] = (
        {"at": "length"},
        {"at": 1, "failed": 999, "began": "x"},
        {"at": -1},
        {"at": 1.5},
        [],
        "x",
    )
    for run in runs:
        version = page.evaluate("fetch(location.origin + '/api/v1/playbooks/" + BOOK + "').then(r => r.json())")[
            "version"
        ]
        value = {**run, "version": version} if isinstance(run, dict) else run
        page.evaluate("([name, value]) => localStorage.setItem(name, JSON.stringify(value))", [f"run:{BOOK}", value])
        page.goto("/mine/")
        expect(page.locator("#sent-rows li")).to_have_count(1)
        page.goto(f"/playbooks/{BOOK}/run/")
        expect(page.locator(".stage:visible")).to_have_count(1)
    assert wrong == []
