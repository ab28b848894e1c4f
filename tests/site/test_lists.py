"""Long lists in a real browser: pages without scripts; filters and order over the whole list with them."""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path

import pytest
from playwright.sync_api import Browser, Page, Request, expect

from library.content.formatting import canonical
from tests import calls
from tests.browsers import IN_A_BROWSER, browser
from tests.builders import AGENT, BOOK, LESSON, put
from tests.rich import a_book, write_rich_content
from tests.server.test_serve import start

pytestmark = IN_A_BROWSER
__all__ = ["browser"]
MANY = 230
LESSONS = 120
TIMES = ("Two days", "30 minutes", "As long as it takes", "1-4 hours; more at night")
LEAST = (960, 30, None, 60)
RISKS = ("low", "medium", "high")


def write_many(folder: Path) -> Path:
    """The rich library and a category with 230 playbooks, a third of them for Cursor too; the last is for any agent."""
    content = write_rich_content(folder)
    put(content, "categories.yaml", (content / "categories.yaml").read_text() + GARDEN)
    put(content, "tasks/weed.yaml", "name: Weed the beds\ncategory: garden\nsummary: Pull what is not wanted.\n")
    put(content, "agents/any-agent.yaml", AGENT.replace("Claude Code", "Any agent"))
    for number in range(MANY):
        name = f"playbooks/weed-{number:03}.yaml"
        agents = ["claude-code", "cursor"] if number % 3 == 0 else ["claude-code"]
        agents = ["any-agent"] if number == MANY - 1 else agents
        book = a_book(title=f"Weed bed {number:03}", task="weed", agents=agents, risk=RISKS[number % 3])
        book |= {"time": TIMES[number % 4], "updated": f"2026-10-{number % 28 + 1:02}"}
        if least := LEAST[number % 4]:
            book["minutes"] = {"from": f"{least}", "to": "2000", "depends_on": "The weather."}
        book |= {"human_checkpoints": ["Before step 2: look."], "prompt": f"Weed bed {number} of {{{{garden}}}}."}
        put(content, name, canonical(book, name))
    for number in range(LESSONS):
        text = LESSON.replace("The stress run", f"After rain {number:03} the run")
        put(content, f"lessons/rain-{number:03}.yaml", text)
    return content


GARDEN = "  - slug: garden\n    name: Garden\n    summary: Beds and trees.\n"


@pytest.fixture(scope="module")
def site(tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    folder = tmp_path_factory.mktemp("lists")
    process, address = start(write_many(folder), folder / "out")
    yield address
    process.terminate()
    process.communicate(timeout=60)


@pytest.fixture
def page(site: str, browser: Browser) -> Iterator[Page]:
    page = browser.new_page(viewport={"width": 360, "height": 740}, base_url=site)
    page.set_default_timeout(60_000)
    said: list[str] = []
    page.on("console", lambda message: said.append(message.text))
    page.on("pageerror", lambda error: said.append(str(error)))
    yield page
    page.close()
    assert [line for line in said if "ERR_FAILED" not in line] == []


def count(page: Page, words: str | re.Pattern[str]) -> None:
    expect(page.locator("#narrowed-count")).to_have_text(words)


def names(page: Page) -> list[str]:
    return page.locator(".rows .name:visible").all_inner_texts()


def test_a_list_goes_on_page_after_page_without_scripts(site: str, browser: Browser) -> None:
    page = browser.new_page(java_script_enabled=False, base_url=site)
    for path, total in (("/playbooks/", MANY + 4), ("/categories/garden/", MANY), ("/tasks/weed/", MANY)):
        found: list[str] = []
        page.goto(path)
        found += names(page)
        while page.get_by_role("link", name="Next").count():
            page.get_by_role("link", name="Next").click()
            found += names(page)
        assert len(found) == len(set(found)) == total
        assert page.url.endswith("/page/3/")
        expect(page.locator("select:visible")).to_have_count(0)
    page.goto("/agents/cursor/page/2/")
    expect(page.locator("h1")).to_have_text("Nothing at this address")
    page.close()


def test_lessons_go_on_without_scripts(site: str, browser: Browser) -> None:
    page = browser.new_page(java_script_enabled=False, base_url=site)
    page.goto("/lessons/")
    found = page.locator(".lessons h2").all_inner_texts()
    expect(page.locator(".pager p")).to_have_text("Page 1 of 2: 1 to 100 of 121 lessons")
    page.get_by_role("link", name="Next").click()
    found += page.locator(".lessons h2").all_inner_texts()
    assert len(found) == len(set(found)) == LESSONS + 1
    page.close()


def test_pages_say_where_they_are(page: Page) -> None:
    page.goto("/categories/garden/page/2/")
    expect(page.locator(".pager p")).to_have_text("Page 2 of 3: 101 to 200 of 230 playbooks")
    expect(page.locator(".pager [aria-current]")).to_have_text("Page 2")
    assert page.title().startswith("Garden, page 2")
    canonical_link = page.locator("link[rel=canonical]").get_attribute("href")
    assert str(canonical_link).endswith("/categories/garden/page/2/")
    page.locator(".crumbs").get_by_role("link", name="Garden").click()
    expect(page.locator("h1")).to_have_text("Garden")


def test_pages_that_are_not_there_are_not_found(site: str) -> None:
    for path in (
        "/playbooks/page/0/",
        "/playbooks/page/1/",
        "/playbooks/page/4/",
        "/lessons/page/3/",
        "/categories/garden/page/99999/",
    ):
        assert calls.get(site + path).status_code == 404


def test_filters_are_over_the_whole_list_and_in_the_address(page: Page) -> None:
    page.goto("/playbooks/")
    page.get_by_label("Agent").select_option("Cursor")
    count(page, re.compile(r"^79 of 234 playbooks\. Show all"))
    page.get_by_label("Risk").select_option("Low")
    count(page, re.compile(r"^77 of 234 playbooks\."))
    assert page.url.endswith("/playbooks/?agent=cursor&risk=low")
    assert len(names(page)) == 77
    page.reload()
    count(page, re.compile(r"^77 of 234"))
    expect(page.get_by_label("Agent")).to_have_value("cursor")
    page.go_back()
    count(page, re.compile(r"^79 of 234"))
    expect(page.get_by_label("Risk")).to_have_value("")
    page.go_back()
    count(page, "")
    expect(page.locator("#all")).to_be_visible()
    expect(page.get_by_label("Agent")).to_have_value("")
    page.go_forward()
    count(page, re.compile(r"^79 of 234"))
    page.locator(".rows .name:visible").first.click()
    page.wait_for_url(re.compile(rf"/playbooks/({BOOK}|weed-\d+)/$"))
    page.go_back()
    count(page, re.compile(r"^79 of 234"))
    page.get_by_role("link", name="Show all, in their usual order").click()
    expect(page.locator("#all")).to_be_visible()
    assert page.url.endswith("/playbooks/")


def test_a_filter_by_an_agent_finds_what_is_for_any_last(page: Page) -> None:
    page.goto("/playbooks/?agent=cursor&risk=medium")
    count(page, re.compile(r"^1 of 234"))
    page.goto("/playbooks/?agent=cursor")
    count(page, re.compile(r"^79 of 234"))
    assert names(page)[-1] == f"Weed bed {MANY - 1}"
    page.goto("/playbooks/?agent=cursor&sort=updated")
    count(page, re.compile(r"^79 of 234"))
    assert names(page)[-1] != f"Weed bed {MANY - 1}"
    page.goto("/playbooks/?agent=any-agent")
    count(page, re.compile(r"^1 of 234"))
    page.goto("/agents/cursor/?sort=title")
    count(page, re.compile(r"^78 of 78"))


@pytest.mark.parametrize(
    ("query", "said", "first"),
    [
        ("min_trust=tested", "1 of 234", "Fix flaky tests"),
        ("runs=some", "1 of 234", "Fix flaky tests"),
        ("runs=none&category=software", "3 of 234", "Write tests for old code"),
        ("sort=title", "234 of 234", "Do what must not be done"),
        ("sort=last_run", "234 of 234", "Fix flaky tests"),
        ("sort=updated&category=garden", "230 of 234", "Weed bed 027"),
        ("sort=trust", "234 of 234", "Fix flaky tests"),
        ("sort=time&category=garden", "230 of 234", "Weed bed 001"),
        ("sort=risk&category=garden", "230 of 234", "Weed bed 000"),
        ("minutes=120", "1 of 234", "Fix flaky tests"),
        ("sort=nonsense", "234 of 234", "Weed bed 000"),
    ],
)
def test_filters_and_orders(page: Page, query: str, said: str, first: str) -> None:
    page.goto(f"/playbooks/?{query}")
    count(page, re.compile(f"^{said} playbooks"))
    assert names(page)[0] == first


@pytest.mark.parametrize("query", ["agent=nobody", "category=<b>x</b>", "min_trust=x", "risk=%00", "runs=constructor"])
def test_what_no_list_has_is_shown_and_leaves_nothing(page: Page, query: str) -> None:
    page.goto(f"/playbooks/?{query}")
    count(page, "0 of 234 playbooks. Nothing is left. Show all")
    name, _, value = query.partition("=")
    expect(page.locator(f"#by-{name} option:checked")).to_have_text(f"“{value if value != '%00' else chr(0)}”")
    page.get_by_role("link", name="Show all").click()
    expect(page.locator("#all")).to_be_visible()
    expect(page.locator("[data-strange]")).to_have_count(0)


def test_filtered_lists_have_pages_too(page: Page) -> None:
    page.goto("/categories/garden/?sort=title")
    count(page, re.compile("^230 of 230 playbooks: 1 to 100"))
    page.get_by_role("link", name="Next").last.click()
    count(page, re.compile("^230 of 230 playbooks: 101 to 200"))
    assert names(page)[0] == "Weed bed 100"
    assert page.evaluate("document.activeElement.id") == "narrowed-count"
    page.get_by_label("Risk").select_option("Low")
    count(page, re.compile("^77 of 230"))
    assert "page=" not in page.url
    page.goto("/categories/garden/?sort=title&page=99")
    count(page, re.compile("201 to 230"))


def test_a_list_of_one_agent_is_filtered_within_itself(page: Page) -> None:
    page.goto("/agents/cursor/?risk=high")
    count(page, re.compile("^1 of 78 playbooks"))
    assert names(page) == ["Fix flaky tests", "Weed bed 229"], "the second stands apart: it is for any agent"
    assert page.locator("#by-agent").count() == 0


def test_of_several_filters_the_one_that_leaves_nothing_is_named(page: Page) -> None:
    page.goto("/playbooks/?agent=cursor&runs=proven")
    count(page, "0 of 234 playbooks. Without “Proof” there would be 79. Nothing is left. Show all")


def test_scripts_and_server_show_rows_alike(page: Page) -> None:
    page.goto("/categories/software/")
    place = "[...document.querySelectorAll('.rows')].find(list => list.checkVisibility())"
    rows = place + ".innerHTML.replace(/\\s*([<>])\\s*/g, '$1')"
    wanted = page.evaluate(rows)
    page.goto("/playbooks/?category=software&sort=trust")
    count(page, re.compile("^4 of 234"))
    assert page.evaluate(rows) == wanted


def test_a_short_list_has_no_filters(page: Page) -> None:
    page.goto(f"/tasks/{BOOK}/")
    expect(page.locator(".rows .name").first).to_be_visible()
    expect(page.locator(".narrow")).to_have_count(0)


SHIFTS = """window.shifts = 0; new PerformanceObserver(list => {
  for (const one of list.getEntries()) if (!one.hadRecentInput) window.shifts += one.value;
}).observe({type: "layout-shift", buffered: true})"""


@pytest.mark.parametrize("width", [360, 1440])
def test_a_filtered_address_moves_nothing(page: Page, width: int) -> None:
    page.set_viewport_size({"width": width, "height": 900})
    page.add_init_script(SHIFTS)
    page.goto("/playbooks/?min_trust=tested")
    count(page, re.compile("^1 of 234"))
    page.evaluate("new Promise(done => requestAnimationFrame(() => setTimeout(done, 50)))")
    assert page.evaluate("window.shifts") == 0


def test_nothing_is_fetched_until_it_is_asked_for_and_a_failure_is_said(page: Page) -> None:
    asked: list[str] = []

    def note(request: Request) -> None:
        if request.url.endswith("rows.json"):
            asked.append(request.url)

    page.on("request", note)
    page.goto("/playbooks/")
    page.wait_for_load_state("networkidle")
    assert asked == []
    page.route("**/rows.json", lambda route: route.abort())
    page.get_by_label("Risk").select_option("High")
    count(page, re.compile("could not be fetched, so nothing is filtered"))
    expect(page.locator("#all")).to_be_visible()
    page.unroute("**/rows.json")
    page.get_by_label("Risk").select_option("Medium")
    count(page, re.compile("^77 of 234"))
    assert len(asked) == 2


def test_a_list_is_filtered_by_the_keyboard_on_a_phone(page: Page) -> None:
    page.goto("/playbooks/")
    page.get_by_label("Risk").focus()
    page.keyboard.press("l")
    count(page, re.compile("^80 of 234"))
    expect(page.get_by_label("Risk")).to_be_focused()
    for _ in range(4):
        page.keyboard.press("Tab")
    page.locator(".rows .name:visible").first.focus()
    page.keyboard.press("ArrowDown")
    assert page.evaluate("document.activeElement.textContent") == names(page)[1]
    assert page.evaluate("document.documentElement.scrollWidth <= document.documentElement.clientWidth")
