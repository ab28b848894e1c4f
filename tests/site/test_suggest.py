"""An edit of one passage, suggested in a real browser: from the passage to what an editor's draft begins with."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest
from playwright.sync_api import Browser, Page, expect

from tests.browsers import IN_A_BROWSER, browser
from tests.builders import BOOK
from tests.rich import write_rich_content
from tests.server.test_serve import start
from writeapi.review.decisions.items import edited

pytestmark = IN_A_BROWSER
__all__ = ["browser"]
STEP = "Edit step 2: One cause at a time"


@pytest.fixture(scope="module")
def content(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return write_rich_content(tmp_path_factory.mktemp("suggest"))


@pytest.fixture(scope="module")
def site(content: Path) -> Iterator[str]:
    process, address = start(content, content.with_name("out"))
    yield address
    process.terminate()
    process.communicate(timeout=60)


@pytest.fixture(params=[360, 1440])
def page(request: pytest.FixtureRequest, site: str, browser: Browser) -> Iterator[Page]:
    """The page of a playbook with the buttons to edit; what it complains of fails the test."""
    context = browser.new_context(viewport={"width": request.param, "height": 740}, base_url=site)
    context.set_default_timeout(60_000)
    wrong: list[str] = []
    context.on("console", lambda message: wrong.append(message.text))
    context.on("weberror", lambda error: wrong.append(str(error.error)))
    page = context.new_page()
    page.goto(f"/playbooks/{BOOK}/")
    page.get_by_role("button", name="Suggest an edit").click()
    expect(page.locator(".edit-here:focus")).to_have_count(1)
    yield page
    context.close()
    assert wrong == []


def test_an_edit_goes_from_the_passage_to_the_draft(page: Page, content: Path) -> None:
    page.get_by_role("button", name=STEP).click()
    box = page.get_by_role("dialog", name="Suggest an edit")
    text = box.get_by_label("The text, as it should be")
    assert text.input_value() == "One cause at a time:\n\n- order\n- time"
    text.fill("One cause at a time:\n\n- order of tests\n- time")
    shown = box.locator(".difference")
    assert (shown.locator("del").all_inner_texts(), shown.locator("ins").all_inner_texts()) == ([], [" of tests"])
    box.get_by_label("Why").fill("Order of what?")
    box.get_by_role("button", name="Go on").click()
    page.wait_for_url("**/submit/?kind=correction&playbook=*")
    body = page.get_by_label("Text", exact=True).input_value()
    assert body == "Instead of:\n> - order\n\nWrite:\n> - order of tests\n\nOrder of what?\n"
    assert page.get_by_label("Title", exact=True).first.input_value() == "Edit of step 2: Fix flaky tests"
    page.get_by_label("Nothing in it is private").check()
    page.get_by_role("button", name="Send it").click()
    expect(page.get_by_role("heading", name="It is stored")).to_be_visible()
    [steps] = edited(body, (content / f"playbooks/{BOOK}.yaml").read_text()).values()
    assert isinstance(steps, list)
    assert isinstance(steps[1], dict)
    assert steps[1]["detail"] == "One cause at a time:\n\n- order of tests\n- time"


def test_a_passage_that_stands_twice_is_named_whole(page: Page) -> None:
    page.get_by_role("button", name="Edit the summary").click()
    box = page.get_by_role("dialog", name="Suggest an edit")
    before = box.get_by_label("The text, as it should be").input_value()
    box.get_by_label("The text, as it should be").fill(f"{before} It helps.")
    box.get_by_role("button", name="Go on").click()
    page.wait_for_url("**/submit/?kind=correction&playbook=*")
    assert (
        page.get_by_label("Text", exact=True).input_value()
        == f"Instead of:\n> {before}\n\nWrite:\n> {before} It helps.\n"
    )


def test_nothing_changed_goes_nowhere_and_the_buttons_go_away(page: Page) -> None:
    page.get_by_role("button", name=STEP).click()
    box = page.get_by_role("dialog", name="Suggest an edit")
    box.get_by_role("button", name="Go on").click()
    assert "Nothing is changed yet" in box.get_by_role("alert").inner_text()
    text = box.get_by_label("The text, as it should be")
    text.fill("Half a sentence")
    page.keyboard.press("Escape")
    page.get_by_role("button", name=STEP).click()
    expect(text).to_have_value("Half a sentence")
    page.keyboard.press("Escape")
    expect(box).to_have_count(0)
    expect(page.get_by_role("button", name=STEP)).to_be_focused()
    page.get_by_role("button", name="Suggest an edit").click()
    expect(page.locator(".edit-here")).to_have_count(0)


def test_what_is_copied_has_no_button_in_it(page: Page) -> None:
    assert "Edit" not in page.locator(".prompt").first.inner_text()
    page.get_by_role("button", name="Edit the prompt").click()
    assert "{{repository}}" in page.get_by_label("The text, as it should be").input_value()
    assert page.evaluate("document.documentElement.scrollWidth <= innerWidth")
