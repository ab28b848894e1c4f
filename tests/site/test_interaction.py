"""What readers do on a page, in a real browser: copy, choose, fill in, tick off; by keyboard alone, without scripts."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterator
from pathlib import Path

import pytest
from playwright.sync_api import Browser, BrowserContext, Page, expect
from pypdf import PdfReader

from library.content.formatting import canonical
from tests import calls
from tests.browsers import IN_A_BROWSER, browser, until
from tests.builders import BOOK, put
from tests.rich import a_book, everything_filled, write_rich_content
from tests.server.test_serve import start

pytestmark = IN_A_BROWSER
__all__ = ["browser"]
PLAYBOOK = f"/playbooks/{BOOK}/"
AGENTS = ("Cursor", "Somebody's own", "Claude Code and Cursor")
BOARD = "navigator.clipboard.readText()"
NO_CLIPBOARD = "Object.defineProperty(navigator, 'clipboard', {value: undefined})"


@pytest.fixture(scope="module")
def content(tmp_path_factory: pytest.TempPathFactory) -> Path:
    made = write_rich_content(tmp_path_factory.mktemp("interaction"))
    accounts = [
        {**everything_filled()["evidence"][0], "url": f"https://a.example/{at}", "agent": name}
        for at, name in enumerate(AGENTS)
    ]
    file = "playbooks/other-way.yaml"
    put(made, file, canonical(a_book(title="Fix flaky tests another way", evidence=accounts), file))
    return made


@pytest.fixture(scope="module")
def site(content: Path) -> Iterator[str]:
    process, address = start(content, content.with_name("out"))
    yield address
    process.terminate()
    process.communicate(timeout=60)


@pytest.fixture
def visit(site: str, browser: Browser) -> Iterator[BrowserContext]:
    """A reader's browser with nothing kept in it yet, on a phone; what a page complains of fails the test."""
    context = browser.new_context(viewport={"width": 360, "height": 740}, base_url=site)
    context.grant_permissions(["clipboard-read", "clipboard-write"], origin=site)
    context.set_default_timeout(60_000)
    said: list[str] = []
    context.on("console", lambda message: said.append(message.text))
    context.on("weberror", lambda error: said.append(str(error.error)))
    yield context
    context.close()
    assert said == []


@pytest.fixture
def page(visit: BrowserContext) -> Page:
    return visit.new_page()


def said(page: Page, words: str | re.Pattern[str]) -> None:
    """The region that is read out says this."""
    expect(page.locator("#said")).to_have_text(words)


def focused(page: Page) -> str:
    return str(page.evaluate("document.activeElement.id || document.activeElement.textContent"))


def fits(page: Page) -> bool:
    return bool(page.evaluate("document.documentElement.scrollWidth <= document.documentElement.clientWidth"))


def shown_prompt(page: Page) -> str:
    return page.locator("pre.prompt:visible").inner_text()


def fold_out(page: Page) -> None:
    """Show the fields that go into the prompt."""
    page.locator(".fill-in > summary").click()


def test_a_prompt_is_copied_and_what_is_open_is_said(page: Page) -> None:
    page.goto(PLAYBOOK)
    page.get_by_role("button", name="Copy the prompt").click()
    said(page, "Copied the prompt. Not filled in yet: repository.")
    assert page.evaluate(BOARD) == "Find out why the tests in {{repository}} are flaky.\n\nMend the cause."
    expect(page.locator("#prompt-text .copied button")).to_have_text("Copied, 1 to fill in")
    expect(page.locator("#prompt-text .copied button")).to_have_text("Copy the prompt")


def test_what_one_does_is_on_the_first_screen_of_a_phone(page: Page) -> None:
    page.goto(PLAYBOOK)
    page.locator(".glance dd").nth(1).evaluate("told => (told.textContent = 'About two weeks. '.repeat(40))")
    foot = page.locator(".foot")
    for name in ("Copy prompt", "Run it", "Did it work?"):
        expect(foot.get_by_text(name)).to_be_in_viewport(ratio=1)
    expect(page.locator(".go")).to_be_hidden()
    foot.get_by_role("button", name="Copy prompt").click()
    expect(foot.get_by_role("button")).to_have_text("Copied, 1 to fill in")
    box = foot.bounding_box()
    assert box
    assert box["y"] + box["height"] <= 740, "what is said makes the foot no taller than the screen has room for"


def test_a_tap_beside_a_title_opens_what_was_found(page: Page) -> None:
    page.goto("/")
    page.locator("#q").press_sequentially("flaky")
    link = page.locator("#quick li a").first
    expect(link).to_be_visible()
    row, title = page.locator("#quick li").first.bounding_box(), link.bounding_box()
    assert row
    assert title
    beside = row["x"] + row["width"] - 4
    assert beside > title["x"] + title["width"], "the place is not on the title"
    to = link.evaluate("link => link.href")
    page.mouse.click(beside, row["y"] + row["height"] / 2)
    page.wait_for_url(to)


def test_inputs_are_filled_in_for_every_prompt_and_stay_in_the_tab(page: Page, visit: BrowserContext) -> None:
    page.goto(PLAYBOOK)
    fold_out(page)
    page.get_by_label("Repository").fill("<b>shop</b> $& {{x}}")
    page.get_by_role("button", name="Copy the prompt").click()
    said(page, "Copied the prompt.")
    assert page.evaluate(BOARD).startswith("Find out why the tests in <b>shop</b> $& {{x}} are flaky.")
    page.get_by_role("tab", name="Cursor").click()
    assert "Open <b>shop</b> $& {{x}} and look." in shown_prompt(page)
    page.reload()
    expect(page.get_by_label("Repository")).to_have_value("<b>shop</b> $& {{x}}")
    assert "<b>shop</b>" in shown_prompt(page)
    assert page.evaluate("JSON.stringify(localStorage)").count("shop") == 0
    other = visit.new_page()
    other.goto(PLAYBOOK)
    expect(other.get_by_label("Repository")).to_have_value("")
    page.get_by_role("button", name="Clear").click()
    said(page, "The fields are empty.")
    assert "{{repository}}" in shown_prompt(page)
    page.reload()
    expect(page.get_by_label("Repository")).to_have_value("")


def test_a_playbook_is_copied_as_markdown_and_a_failure_is_said(page: Page, site: str) -> None:
    page.goto(PLAYBOOK)
    page.get_by_role("button", name="Copy as markdown").click()
    said(page, "Copied the playbook as markdown.")
    written = page.request.get(f"{site}/playbooks/{BOOK}.md").text()
    assert page.evaluate(BOARD) == written
    page.evaluate("void (window.fetch = () => Promise.reject(new Error('away')))")
    page.get_by_role("button", name=re.compile("Copied|Copy as markdown")).first.click()
    said(page, "Could not copy the playbook as markdown. Select the text and copy it by hand.")


def test_commands_are_copied_where_the_browser_has_no_clipboard(page: Page) -> None:
    page.goto(PLAYBOOK)
    fold_out(page)
    page.evaluate(NO_CLIPBOARD)
    page.get_by_text("Install it as a skill").click()
    page.locator("[data-copy=install]").click()
    said(page, "Copied the command.")
    page.get_by_label("Repository").focus()
    page.keyboard.press("Control+V")
    expect(page.get_by_label("Repository")).to_have_value(re.compile(rf"^npx skills add http\S+/s/{BOOK}$"))


def test_tabs_are_chosen_by_arrows_remembered_and_linked(page: Page, visit: BrowserContext) -> None:
    page.goto(PLAYBOOK)
    everybody, cursor = page.get_by_role("tab", name="Any agent"), page.get_by_role("tab", name="Cursor")
    expect(everybody).to_have_attribute("aria-selected", "true")
    everybody.focus()
    page.keyboard.press("ArrowRight")
    expect(cursor).to_be_focused()
    expect(cursor).to_have_attribute("aria-selected", "true")
    expect(page.get_by_role("tabpanel", name="Cursor")).to_be_visible()
    assert page.get_by_role("tabpanel").count() == 1
    assert page.url.endswith("#prompt-cursor")
    page.keyboard.press("ArrowRight")
    expect(everybody).to_be_focused()
    page.keyboard.press("End")
    expect(cursor).to_be_focused()
    page.keyboard.press("Tab")
    assert page.evaluate("document.activeElement.closest('[role=tabpanel]')?.id") == "prompt-cursor"
    other = visit.new_page()
    other.goto(PLAYBOOK)
    expect(other.get_by_role("tab", name="Cursor")).to_have_attribute("aria-selected", "true")
    other.goto(f"{PLAYBOOK}#prompt-text")
    other.reload()
    expect(other.get_by_role("tab", name="Any agent")).to_have_attribute("aria-selected", "true")
    other.get_by_role("tab", name="Any agent").click()
    other.goto(f"{PLAYBOOK}?agent=cursor")
    expect(other.get_by_role("tabpanel", name="Cursor")).to_be_visible()


def test_a_link_to_an_agents_prompt_shows_it(page: Page) -> None:
    page.goto(f"{PLAYBOOK}#prompt-cursor")
    expect(page.locator("#prompt-cursor")).to_be_in_viewport()
    assert "Open {{repository}} and look." in shown_prompt(page)


def test_steps_are_ticked_off_for_one_version_only(page: Page) -> None:
    page.goto(PLAYBOOK)
    boxes = page.get_by_role("checkbox", name=re.compile("^Done with step"))
    boxes.nth(1).check()
    said(page, "1 of 2 steps checked.")
    page.reload()
    expect(boxes.nth(0)).not_to_be_checked()
    expect(boxes.nth(1)).to_be_checked()
    expect(page.locator(".progress p")).to_have_text("1 of 2 steps checked.")
    page.goto("/playbooks/write-tests/")
    expect(boxes.nth(1)).not_to_be_checked()
    page.goto(PLAYBOOK)
    page.evaluate(f"""localStorage.setItem('checked:{BOOK}', '{{"version": "000000000000", "done": [1, 2]}}')""")
    page.reload()
    expect(boxes.nth(0)).not_to_be_checked()
    expect(page.locator(".progress p")).to_contain_text("has changed since you ticked some")
    boxes.nth(0).check()
    page.get_by_role("button", name="Begin again").click()
    said(page, "No step is checked now.")
    assert page.evaluate(f"localStorage.getItem('checked:{BOOK}')") is None


@pytest.mark.parametrize("kept", ['"', "{}", '{"version": 5, "done": "all"}', "[]", '"x"', "null"])
def test_what_is_damaged_in_the_browser_harms_nothing(page: Page, kept: str) -> None:
    page.goto("/trust/")
    names = ("theme", "agent", "letters", f"checked:{BOOK}")
    page.evaluate("([names, text]) => names.forEach(name => localStorage.setItem(name, text))", [names, kept])
    page.evaluate("([name, text]) => sessionStorage.setItem(name, text)", [f"filled:{BOOK}", kept])
    page.goto(PLAYBOOK)
    expect(page.locator(".progress p")).to_contain_text("0 of 2 steps checked.")
    page.get_by_role("tab", name="Cursor").click()
    page.get_by_role("button", name=re.compile("^Theme")).click()
    said(page, "Theme: light")


def test_a_theme_is_chosen_kept_and_there_before_the_first_picture(page: Page) -> None:
    page.emulate_media(color_scheme="light")
    page.goto("/")
    paper = "getComputedStyle(document.body).backgroundColor"
    light = page.evaluate(paper)
    button = page.get_by_role("button", name=re.compile("^Theme"))
    expect(button).to_have_accessible_name("Theme: system")
    button.click()
    button.click()
    expect(button).to_have_accessible_name("Theme: dark")
    said(page, "Theme: dark")
    dark = page.evaluate(paper)
    assert dark != light
    page.add_init_script(
        "new PerformanceObserver(list => { window.first ??= document.documentElement.dataset.theme })"
        ".observe({type: 'paint', buffered: true})"
    )
    page.goto(PLAYBOOK)
    assert page.evaluate(paper) == dark
    until(page, "'first' in window")
    assert page.evaluate("window.first") == "dark"
    button.click()
    assert page.evaluate(paper) == light


def test_keys_lead_to_the_search_and_say_what_they_do(page: Page, site: str) -> None:
    page.goto(PLAYBOOK)
    page.keyboard.press("?")
    dialog = page.get_by_role("dialog", name="Keys")
    expect(dialog).to_be_visible()
    page.keyboard.press("/")
    expect(dialog).to_be_visible()
    assert page.url == f"{site}{PLAYBOOK}"
    page.keyboard.press("Escape")
    expect(dialog).to_be_hidden()
    page.keyboard.press("/")
    page.wait_for_url(f"{site}/search/#q")
    expect(page.locator("#q")).to_be_focused()
    page.goto("/")
    page.keyboard.press("/")
    expect(page.locator("#q")).to_be_focused()
    page.keyboard.type("a/b?")
    expect(page.locator("#q")).to_have_value("a/b?")


def test_letters_press_what_a_page_names_them_for(page: Page, site: str) -> None:
    page.goto(PLAYBOOK)
    page.keyboard.press("f")
    expect(page.get_by_label("Repository")).to_be_focused()
    page.keyboard.type("frog")
    expect(page.get_by_label("Repository")).to_have_value("frog")
    page.keyboard.press("Escape")
    page.keyboard.press("c")
    said(page, "Copied the prompt.")
    assert "tests in frog are flaky" in page.evaluate(BOARD)
    page.keyboard.press("w")
    page.wait_for_url(f"{site}/compare/{BOOK}/")
    page.go_back()
    page.keyboard.press("r")
    page.wait_for_url(f"{site}{PLAYBOOK}run/")
    page.keyboard.press("n")
    expect(page.locator(".stage:visible h2")).to_contain_text("Step 1 of 2")
    page.keyboard.press("b")
    expect(page.locator(".stage:visible h2")).to_have_text("Fill in and hand over")
    page.keyboard.press("m")
    page.wait_for_url(f"{site}/mine/")


def test_letters_as_keys_can_be_switched_off(page: Page, site: str) -> None:
    page.goto("/trust/")
    page.get_by_role("button", name="Keys").click()
    page.get_by_role("checkbox").uncheck()
    page.get_by_role("button", name="Close").click()
    page.reload()
    page.keyboard.press("?")
    page.keyboard.press("/")
    expect(page.get_by_role("dialog")).to_be_hidden()
    assert page.url == f"{site}/trust/"


def test_arrows_go_through_what_was_found(page: Page) -> None:
    page.goto("/search/?q=tests")
    expect(page.locator(".results h2").nth(1)).to_be_visible()
    titles = page.locator(".results h2 a")
    page.locator("#q").focus()
    page.keyboard.press("ArrowDown")
    expect(titles.nth(0)).to_be_focused()
    page.keyboard.press("ArrowDown")
    expect(titles.nth(1)).to_be_focused()
    page.keyboard.press("ArrowUp")
    page.keyboard.press("ArrowUp")
    expect(page.locator("#q")).to_be_focused()
    page.keyboard.press("ArrowDown")
    page.keyboard.press("Enter")
    page.wait_for_url(re.compile(r"/(playbooks|lessons|tasks|agents)/[a-z-]+/$"))


def test_everything_is_reached_by_the_keyboard_and_seen(page: Page) -> None:
    page.goto(PLAYBOOK)
    fold_out(page)
    page.evaluate("document.activeElement.blur()")
    reached = set()
    for _ in range(140):
        page.keyboard.press("Tab")
        seen = page.evaluate(
            "(() => { const e = document.activeElement; const s = getComputedStyle(e);"
            " return [e.textContent.trim() || e.id, s.outlineStyle !== 'none' || e === document.body, e.tagName] })()"
        )
        assert seen[1], f"the focus on {seen} cannot be seen"
        reached.add(seen[0])
    assert {"Copy the prompt", "Any agent", "in-1", "Copy as markdown", "Copy", "theme", "Keys"} <= reached


def test_nothing_dead_is_shown_without_scripts(site: str, browser: Browser) -> None:
    context = browser.new_context(java_script_enabled=False, viewport={"width": 360, "height": 740})
    page = context.new_page()
    for path in ("/", PLAYBOOK, "/playbooks/", "/search/"):
        page.goto(site + path)
        assert [name for name in page.locator("button:visible").all_inner_texts() if name != "Search"] == []
        assert page.locator("textarea:visible, input[type=checkbox]:visible, [role=tab]:visible").count() == 0
        assert fits(page)
    page.goto(site + PLAYBOOK)
    assert page.locator("pre.prompt:visible").count() == 2
    expect(page.get_by_role("heading", name="For Cursor")).to_be_visible()
    expect(page.get_by_text("Fill in before you use it:")).to_be_visible()
    context.close()


def test_a_print_holds_the_prompt_the_checks_and_addresses(page: Page, tmp_path: Path) -> None:
    page.goto(PLAYBOOK)
    fold_out(page)
    page.get_by_label("Repository").fill("shop")
    page.pdf(path=tmp_path / "book.pdf")
    leaves = " ".join(leaf.extract_text() for leaf in PdfReader(tmp_path / "book.pdf").pages)
    text = " ".join(unicodedata.normalize("NFKC", leaves).split())  # a font may write "fi" as one letter
    for words in ("Find out why the tests in shop", "It failed at least once.", "https://site1.example/page", PLAYBOOK):
        assert words in text
    for words in ("Copy the prompt", "Begin again", "Keys", "Skip to the content"):
        assert words not in text


def test_parts_of_a_bar_can_be_told_apart_in_print(page: Page) -> None:
    page.goto("/stats/")
    page.emulate_media(media="print")
    bars = page.locator(".bar", has=page.locator(".b-worked ~ .b-changes ~ .b-failed"))
    expect(bars).to_have_count(1)
    fills = bars.locator("rect").evaluate_all("parts => parts.map(part => getComputedStyle(part).fill)")
    assert len(set(fills)) == 4


def test_many_long_inputs_and_agents_fit_a_phone(content: Path, browser: Browser, tmp_path: Path) -> None:
    names = " ".join(f"{{{{a_rather_long_name_of_an_input_{number}}}}}" for number in range(12))
    book = everything_filled() | {"title": "Long names", "aliases": [], "related": []}
    book["prompt"] = f"{book['prompt']} {names}"
    put(content, "playbooks/long.yaml", canonical(book, "playbooks/long.yaml"))
    process, address = start(content, tmp_path / "out")
    page = browser.new_page(viewport={"width": 360, "height": 740})
    page.goto(f"{address}/playbooks/long/")
    assert page.locator(".fill textarea").count() == 13
    fold_out(page)
    page.locator(".fill textarea").nth(3).fill("x" * 300)
    assert fits(page)
    page.close()
    process.terminate()
    process.communicate(timeout=60)


def test_where_a_report_stands_is_asked_of_the_interface_where_no_server_fills_the_page_in(
    page: Page, site: str
) -> None:
    report = {"playbook": BOOK, "agent": "cursor", "outcome": "worked"}
    name = calls.post(f"{site}/api/v1/runs", json=report).json()["id"]
    plain = re.compile(r"/submissions/\?id=")
    page.route(plain, lambda route: route.fulfill(response=route.fetch(url=f"{site}/submissions/")))
    page.goto(f"/submissions/?id={name}")
    expect(page.locator("#status [data-is=verdict]")).to_have_text("Received: It waits for an editor.")
    expect(page.locator("#status [data-is=title]")).to_have_text(f"A run of {BOOK}")
    expect(page.locator("#status [data-is=history] h3")).to_have_text(["Received"])


def test_a_comparison_is_narrowed_to_agents_and_sent_to_somebody(visit: BrowserContext) -> None:
    page = visit.new_page()
    page.goto(f"/compare/{BOOK}/")
    agents = page.locator("#narrow input").evaluate_all("all => all.map((one) => one.value)")
    assert len(agents) > 2
    rows = page.locator("tbody tr")
    expect(rows.filter(visible=True)).to_have_count(len(agents))
    page.locator("#narrow label").nth(1).click()
    page.locator("#narrow label").nth(0).click()
    expect(rows.filter(visible=True)).to_have_count(2)
    assert page.url.endswith(f"/compare/{BOOK}/?agents={agents[0]},{agents[1]}")
    page.reload()
    expect(rows.filter(visible=True)).to_have_count(2)
    expect(page.get_by_text(f"2 of {len(agents)} shown.")).to_be_visible()
    page.goto(f"/compare/{BOOK}/?agents=<b>,unknown&x=%26")
    expect(rows.filter(visible=True)).to_have_count(len(agents))


def test_a_page_is_shared_by_the_device_or_its_address_is_copied(visit: BrowserContext, site: str) -> None:
    page = visit.new_page()
    page.goto(PLAYBOOK)
    page.evaluate("navigator.share = undefined")
    page.get_by_role("button", name="Share this page").click()
    expect(page.get_by_role("button", name="Address copied")).to_be_visible()
    assert page.evaluate(BOARD) == f"{site}{PLAYBOOK}"
    page.evaluate("navigator.share = (what) => { window.shared = what; return Promise.resolve(); }")
    page.locator("[data-share]").click()
    until(page, "window.shared?.title === document.querySelector('h1').textContent")
