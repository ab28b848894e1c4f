"""A run with the companion, in a real browser: step by step, reloaded, in two tabs, to the report that is filled in."""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path
from urllib.parse import parse_qs, urljoin, urlsplit

import pytest
from playwright.sync_api import Browser, BrowserContext, Page, expect

from tests.browsers import IN_A_BROWSER, browser
from tests.builders import BOOK
from tests.rich import write_rich_content
from tests.server.test_serve import start

pytestmark = IN_A_BROWSER
__all__ = ["browser"]
RUN = f"/playbooks/{BOOK}/run/"


@pytest.fixture(scope="module")
def site(tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    content: Path = write_rich_content(tmp_path_factory.mktemp("companion"))
    process, address = start(content, content.with_name("out"))
    yield address
    process.terminate()
    process.communicate(timeout=60)


@pytest.fixture
def visit(site: str, browser: Browser) -> Iterator[BrowserContext]:
    """A browser on a phone with nothing kept in it; what a page complains of fails the test."""
    context = browser.new_context(viewport={"width": 360, "height": 740}, base_url=site)
    context.set_default_timeout(60_000)
    wrong: list[str] = []
    context.on("console", lambda message: wrong.append(message.text))
    context.on("weberror", lambda error: wrong.append(str(error.error)))
    yield context
    context.close()
    assert wrong == []


def go(page: Page, name: str) -> None:
    page.get_by_role("button", name=name).click()


def heading(page: Page) -> str:
    """What the one stage that is shown is called."""
    [only] = page.locator(".stage:visible h2").all()
    return only.inner_text()


def test_a_run_from_the_prompt_to_the_report(visit: BrowserContext) -> None:
    page = visit.new_page()
    page.goto(f"/playbooks/{BOOK}/")
    page.locator(".foot").get_by_role("link", name="Run it").click()
    assert heading(page) == "Fill in and hand over"
    page.get_by_label("Repository").fill("shop")
    assert "shop" in page.locator("pre.prompt:visible").inner_text()
    go(page, "Handed over: to step 1")
    assert heading(page).startswith("Step 1 of ")
    first = heading(page).splitlines()[-1]
    go(page, "The check failed")
    expect(page.locator("#wrong .failures")).to_be_visible()
    expect(page.locator("#wrong summary")).to_be_in_viewport()
    foot = page.locator(".run-go").bounding_box()
    opened = page.locator("#wrong .failures h3").first.bounding_box()
    assert foot
    assert opened
    assert opened["y"] + opened["height"] <= foot["y"], "the foot lies over what went wrong"
    expect(page.locator("#run-at")).to_contain_text("Noted: its check failed.")
    page.reload()
    assert heading(page).endswith(first), "where one is stays when the page is read anew"
    expect(page.locator("#wrong .failures")).to_be_visible()
    other = visit.new_page()
    other.goto(RUN)
    assert heading(other) == heading(page), "another tab is where this one is"
    while page.get_by_role("button", name="The check passed").is_visible():
        go(page, "The check passed")
    assert heading(page) == heading(other) == "How did it go?"
    changed = page.get_by_role("link", name="It worked with changes")
    told = parse_qs(urlsplit(str(changed.get_attribute("href"))).query)
    assert told["outcome"] == ["worked_with_changes"]
    assert told["what_changed"] == [f"The check of step 1 ({first}) failed at first."]
    assert int(told["duration_minutes"][0]) >= 1
    changed.click()
    expect(page.get_by_label("Playbook", exact=True)).to_have_value(BOOK)
    expect(page.get_by_label("It worked with changes").or_(page.get_by_label("Worked with changes"))).to_be_checked()
    page.goto(RUN)
    assert heading(page) == "How did it go?", "what is not sent yet is not over"
    page.get_by_role("link", name="It worked", exact=True).click()
    page.get_by_label("Playbook", exact=True).fill(urljoin(page.url, f"/playbooks/{BOOK}/"))  # it may be a link
    page.get_by_label("Agent", exact=True).fill("claude-code")
    page.get_by_label("nothing in it is private").check()
    page.get_by_role("button", name="Send the report").click()
    expect(page.get_by_role("heading", name="It is stored")).to_be_visible()
    page.goto(RUN)
    assert heading(page) == "Fill in and hand over", "a run that was told of is over"


def test_a_check_that_stays_red_ends_the_run(visit: BrowserContext) -> None:
    page = visit.new_page()
    page.goto(RUN)
    go(page, "Handed over: to step 1")
    end = page.get_by_role("button", name="End the run here")
    expect(end).to_be_hidden()
    go(page, "The check failed")
    end.click()
    assert heading(page) == "How did it go?"
    page.get_by_role("link", name="It failed").click()
    expect(page.get_by_label("It failed").or_(page.get_by_label("Failed", exact=True))).to_be_checked()
    expect(page.locator("textarea[name=what_changed], [data-pointer='/what_changed']")).to_have_value(
        re.compile(r"^The check of step 1 \(.*\) failed\.$")
    )
    expect(page.locator("[data-pointer='/duration_minutes']")).to_be_visible()


def test_back_goes_back_and_another_version_begins_anew(visit: BrowserContext) -> None:
    page = visit.new_page()
    page.goto(RUN)
    go(page, "Handed over: to step 1")
    go(page, "The check passed")
    go(page, "Back")
    assert heading(page).startswith("Step 1 of ")
    page.evaluate(
        "name => localStorage.setItem(name, JSON.stringify({...JSON.parse(localStorage[name]), version: 'x'}))",
        f"run:{BOOK}",
    )
    page.reload()
    assert heading(page) == "Fill in and hand over"


def test_the_browsers_own_back_goes_to_the_stage_before(visit: BrowserContext) -> None:
    page = visit.new_page()
    page.goto(f"/playbooks/{BOOK}/")
    page.goto(RUN)
    go(page, "Handed over: to step 1")
    go(page, "The check passed")
    assert heading(page).startswith("Step 2 of ")
    page.set_viewport_size({"width": 1200, "height": 740})
    entries = page.evaluate("history.length")
    page.locator(".toc [aria-current]").click()
    assert page.evaluate("history.length") == entries, "the step that is shown is no step further"
    page.go_back()
    assert heading(page).startswith("Step 1 of ")
    page.reload()
    assert heading(page).startswith("Step 1 of ")
    page.go_forward()
    assert heading(page).startswith("Step 2 of ")
    page.go_back()
    page.go_back()
    assert heading(page) == "Fill in and hand over"
    page.go_back()
    expect(page).to_have_url(re.compile(f"/playbooks/{BOOK}/$"))


def test_what_one_presses_in_a_step_is_one_row_on_a_phone(visit: BrowserContext) -> None:
    page = visit.new_page()
    page.goto(RUN)
    go(page, "Handed over: to step 1")
    page.evaluate("document.fonts.ready")
    boxes = [box for one in page.locator(".run-go button").all() if (box := one.bounding_box())]
    assert len(boxes) == 3
    assert max(box["y"] for box in boxes) < min(box["y"] + box["height"] for box in boxes)


def test_without_scripts_all_stages_stand_below_each_other(site: str, browser: Browser) -> None:
    context = browser.new_context(java_script_enabled=False, base_url=site)
    page = context.new_page()
    page.goto(RUN)
    stages = page.locator(".stage")
    assert stages.count() >= 3
    assert all(stage.is_visible() for stage in stages.all())
    expect(page.get_by_role("link", name="It failed")).to_be_visible()
    expect(page.get_by_role("button", name="Back")).to_be_hidden()
    context.close()
