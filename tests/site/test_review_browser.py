"""The pages of review in a real browser: an editor's day, by mouse and by keys, at every width and without scripts."""

from __future__ import annotations

import re
import secrets
from collections.abc import Iterator
from typing import Any

import pytest
from playwright.sync_api import Browser, Page, expect

from tests.browsers import IN_A_BROWSER, browser
from tests.builders import BOOK, LESSON, PLAYBOOK
from tests.rich import write_rich_content
from tests.server.test_serve import start
from tests.site.axe import violations
from tests.writeapi.store.builders import a_run, a_submission, an_id, wall_clock
from writeapi.keys import NewKey, make_key
from writeapi.store import Store
from writeapi.store.records import Finding, Review

__all__ = ["browser"]
pytestmark = IN_A_BROWSER
SOURCES = "sources:\n  - title: A page\n    url: https://example.com/a-page\n"
EMPTY_FIX = 'fix: ""'


class Library:
    """The service as a process, its queue, and an editor's key."""

    def __init__(self, address: str, store: Store) -> None:
        self.address, self.store = address, store
        self.key = self.editor("ann")
        self.cookies: Any = []

    def editor(self, handle: str) -> NewKey:
        """A new editor's key."""
        key = make_key(secrets.token_bytes)
        self.store.add_contributor(handle, None, key.hash, key.prefix)
        self.store.promote(handle, by="operator")
        return key

    def sent(self, name: str) -> str:
        """A lesson that waits for an editor; says its id."""
        new = a_submission(name, kind="lesson", playbook=BOOK, title=f"The lesson of {name}")
        self.store.add(new, None)
        found = (Finding("needs-fix", "/body", "It names no fix."),)
        self.store.screened(Review(new.id, 1, "editor", found), reject=False)
        return new.id

    def corrected(self, name: str) -> str:
        """A correction that waits for an editor; says its id."""
        new = a_submission(name, kind="correction", playbook=BOOK)
        self.store.add(new, None)
        self.store.screened(Review(new.id, 1, "accept", ()), reject=False)
        return new.id

    def reported(self, name: str, advice: str = "accept") -> str:
        """A report that waits for an editor; says its id."""
        self.store.add(a_run(name, lesson="Two workers wrote to one folder."), None)
        self.store.screened(Review(an_id("run", name), 1, advice, ()), reject=False)
        return an_id("run", name)


@pytest.fixture(scope="module")
def library(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Library]:
    folder = tmp_path_factory.mktemp("review")
    process, address = start(write_rich_content(folder), folder / "out", "--no-work")
    store = Store(f"sqlite:///{folder / 'var/queue.db'}", clock=wall_clock)
    yield Library(address, store)
    store.close()
    process.terminate()
    process.communicate(timeout=60)


@pytest.fixture
def page(library: Library, browser: Browser) -> Iterator[Page]:
    page, said = opened(browser)
    if not library.cookies:
        enter(page, library)
        library.cookies = page.context.cookies()
    page.context.add_cookies(library.cookies)
    yield page
    page.close()
    assert [line for line in said if "responded with a status of 4" not in line] == []


def opened(browser: Browser, **options: object) -> tuple[Page, list[str]]:
    """A page in a browser of its own, and what its console says: errors, and refusals of the content policy."""
    page, said = browser.new_context(**options).new_page(), list[str]()  # type: ignore[arg-type]  # Playwright's own
    page.on("console", lambda message: said.append(f"{page.url}: {message.text}"))
    page.on("pageerror", lambda error: said.append(f"{page.url}: {error}"))
    return page, said


def enter(page: Page, library: Library, key: NewKey | None = None) -> None:
    """Sign in."""
    page.goto(f"{library.address}/review")
    page.get_by_label("Your key").fill((key or library.key).text)
    page.get_by_role("button", name="Sign in").click()
    expect(page.get_by_role("heading", level=1, name="Queue")).to_be_visible()


def too_wide(page: Page) -> int:
    """By how many pixels a page scrolls sideways."""
    page.wait_for_load_state()
    return int(page.evaluate("document.documentElement.scrollWidth - document.documentElement.clientWidth"))


def paths(*items: str) -> tuple[str, ...]:
    """Every kind of page below `/review/`, with those of some items."""
    return ("", "?kind=run", f"?playbook={BOOK}", *items, "on-its-way", "withdraw-playbook", "sign-in")


def test_an_editor_looks_mends_and_accepts(library: Library, page: Page) -> None:
    name = library.sent("mended")
    page.goto(f"{library.address}/review/")
    page.get_by_role("link", name="The lesson of mended").click()
    expect(page.get_by_text("It names no fix.")).to_be_visible()
    place = page.get_by_label("Text of file 1")
    expect(page.get_by_text("is empty").first).to_be_visible()
    page.get_by_role("button", name=re.compile("line")).first.click()
    selected = place.evaluate("node => node.value.slice(node.selectionStart, node.selectionEnd)")
    assert selected == EMPTY_FIX
    text = place.input_value().replace("problem:", "problem: >-\n ").replace(EMPTY_FIX, "fix: ''")
    place.fill(re.sub(r"sources:\n(?:  .*\n)+", SOURCES, text))
    page.get_by_role("button", name="Accept").click()
    expect(page.get_by_role("alert")).to_contain_text("Nothing was changed")
    assert "fix: ''" in place.input_value()
    place.fill(place.input_value().replace("fix: ''", "fix: Give each worker a folder."))
    page.get_by_role("button", name="Save the draft").click()
    expect(page.get_by_role("status")).to_contain_text("The draft is saved.")
    expect(page.get_by_text("No problems in this file.")).to_be_visible()
    page.get_by_text("Preview of the page").click()
    frame = page.frame_locator("iframe")
    expect(frame.get_by_role("heading", level=1, name="The lesson of mended")).to_be_visible()
    # The frame has no origin of its own: style sheet and letters reach it all the same.
    loaded = "() => document.fonts.ready.then(() => [...document.fonts].map((face) => face.family + face.status))"
    assert any("Library Sans" in face and "loaded" in face for face in frame.locator("body").evaluate(loaded))
    page.get_by_role("button", name="Accept").click()
    expect(page.get_by_role("status")).to_contain_text("Accepted")
    found = library.store.submission(name)
    assert found
    assert found.state == "accepted"


def test_reports_of_one_playbook_are_approved_together(library: Library, page: Page) -> None:
    fine, odd = library.reported("fine"), library.reported("odd", "editor")
    page.goto(f"{library.address}/review/?playbook={BOOK}")
    expect(page.get_by_label(f"Approve the report {fine}")).to_be_checked()
    expect(page.get_by_label(f"Approve the report {odd}")).not_to_be_checked()
    page.get_by_role("button", name="Approve the ticked reports").click()
    expect(page.get_by_role("status")).to_contain_text("approved")
    assert [getattr(library.store.run(name), "state", "") for name in (fine, odd)] == ["approved", "pending"]


def test_two_editors_meet(library: Library, page: Page, browser: Browser) -> None:
    name = library.sent("contested")
    page.goto(f"{library.address}/review/{name}")
    page.get_by_label("Text of file 1").fill(LESSON)
    other, _ = opened(browser)
    enter(other, library, library.editor("bea"))
    other.goto(f"{library.address}/review/{name}")
    other.locator("#to-reject summary").click()
    other.locator("#to-reject").get_by_label("unclear").check()
    other.locator("#to-reject").get_by_role("button").click()
    expect(other.get_by_role("status")).to_contain_text("Rejected")
    other.close()
    with page.expect_response(lambda answer: answer.status == 409):
        page.get_by_role("button", name="Accept").click()
    expect(page.get_by_role("alert")).to_contain_text("bea was faster: it is rejected")
    assert page.locator("textarea").first.input_value() == LESSON


def test_the_keys_work(library: Library, page: Page) -> None:
    library.reported("key one"), library.reported("key two")
    name = library.sent("keyed")
    page.goto(f"{library.address}/review/")
    rows = page.locator("#queue .name")
    page.keyboard.press("j")
    expect(rows.nth(0)).to_be_focused()
    page.keyboard.press("j")
    expect(rows.nth(1)).to_be_focused()
    page.keyboard.press("k")
    expect(rows.nth(0)).to_be_focused()
    page.keyboard.press("Enter")
    expect(page.get_by_role("heading", name="What was sent")).to_be_visible()
    page.goto(f"{library.address}/review/{name}")
    page.keyboard.press("?")
    expect(page.get_by_role("dialog")).to_be_visible()
    page.keyboard.press("Escape")
    page.keyboard.press("r")
    expect(page.locator("#to-reject input").first).to_be_focused()
    page.keyboard.press("c")
    expect(page.locator("#to-request-changes input").first).to_be_focused()
    page.keyboard.press("a")
    expect(page.get_by_label("Note to its sender")).to_be_focused()
    page.keyboard.type("jkarc?")
    assert page.get_by_label("Note to its sender").input_value() == "jkarc?"
    page.keyboard.press("Control+s")
    expect(page.get_by_role("status")).to_contain_text("The draft is saved.")
    page.locator("input[name=file]").first.press("Enter")
    expect(page.get_by_role("alert")).to_contain_text("Nothing was changed.")
    assert page.url.endswith("/check")
    found = library.store.submission(name)
    assert found
    assert found.state == "screened"


@pytest.mark.parametrize("width", [360, 768, 1440])
def test_pages_fit_and_load_only_their_own(library: Library, page: Page, width: int) -> None:
    name, run = library.sent(f"as wide as {width} {'x' * 100}"), library.reported(f"wide {width}")
    correction = library.corrected(f"correction {width}")
    page.set_viewport_size({"width": width, "height": 800})
    asked: list[str] = []
    page.on("request", lambda request: asked.append(request.url))
    for path in paths(name, run, correction):
        page.goto(f"{library.address}/review/{path}")
        page.locator("details").evaluate_all("folds => folds.forEach(fold => { fold.open = true })")
        assert too_wide(page) <= 0, path
        assert page.locator("h1").count() == 1
        unnamed = page.locator("input:not([type=hidden]), textarea, select").evaluate_all(
            "places => places.filter(place => !place.labels.length && !place.ariaLabel).map(place => place.outerHTML)"
        )
        assert unnamed == [], path
    place = page.goto(f"{library.address}/review/{correction}")
    assert place
    page.get_by_label("Text of file 1").fill(PLAYBOOK.replace("1-4 hours", "1-5 hours"))
    page.get_by_role("button", name="Save the draft").click()
    assert too_wide(page) <= 0
    assert {url for url in asked if not url.startswith(f"{library.address}/")} == set()
    assert {url for url in asked if "/review" not in url and "/assets/" not in url} == set()


@pytest.mark.slow
@pytest.mark.system
@pytest.mark.parametrize("width", [360, 1440])
def test_axe_finds_nothing(library: Library, page: Page, width: int) -> None:
    items = library.sent(f"for axe {width}"), library.reported(f"for axe {width}"), library.corrected(f"axe {width}")
    page.set_viewport_size({"width": width, "height": 800})
    found: dict[str, list[str]] = {}
    for path in paths(*items):
        page.goto(f"{library.address}/review/{path}")
        page.locator("details").evaluate_all("folds => folds.forEach(fold => { fold.open = true })")
        found |= {f"{path}, {scheme}": broken for scheme, broken in violations(page, width)}
    assert {where: broken for where, broken in found.items() if broken} == {}


def test_everything_works_without_scripts(library: Library, browser: Browser) -> None:
    name = library.sent("plain")
    page, _ = opened(browser, java_script_enabled=False)
    enter(page, library)
    page.get_by_role("link", name="The lesson of plain").click()
    page.get_by_label("Text of file 1").fill(LESSON.replace("The stress run", "The plain run"))
    page.get_by_role("button", name="Accept").click()
    expect(page.get_by_role("status")).to_contain_text("Accepted")
    page.get_by_role("link", name="On its way").click()
    expect(page.get_by_role("link", name="The lesson of plain")).to_be_visible()
    page.get_by_role("button", name="Sign out").click()
    page.goto(f"{library.address}/review/{name}")
    expect(page.get_by_role("heading", level=1, name="Sign in")).to_be_visible()
    enter(page, library)
    page.close()


def test_dark_is_dark(library: Library, browser: Browser) -> None:
    page, said = opened(browser, color_scheme="dark")
    page.goto(f"{library.address}/review/sign-in")
    shade = page.evaluate("getComputedStyle(document.body).backgroundColor.match(/[0-9]+/g).slice(0, 3).map(Number)")
    assert sum(shade) < 200
    assert said == []
    page.close()
