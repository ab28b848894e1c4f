"""How many clicks and keys readers need from the home page: to a filled prompt, a report, its state, a choice of agent.

`python -m benchmarks.stopwatch [--site http://127.0.0.1:8000]`. Three ways: by mouse (clicks), by Tab, Enter and arrows
alone, and by the keys that pages name. What is typed into a field is the same in every way, and not counted.
"""

from __future__ import annotations

import subprocess
import sys
import tempfile
from collections.abc import Callable, Iterator
from contextlib import contextmanager

from playwright.sync_api import Browser, Locator, Page, expect, sync_playwright

from benchmarks.harness import options, table
from tools.pictures import CHROMIUM, await_port, free_port

QUESTION, BOOK, INPUTS = "fix flaky tests", "Fix flaky tests and prove that they are fixed", 5
FOCUSED = "node => node === document.activeElement"
MOST_TABS = 300
WAYS = ("mouse", "tab", "keys")


class Hand:
    """Somebody who uses a page in one of the `WAYS`; `count` is what it took so far, in clicks or in keys."""

    def __init__(self, page: Page, way: str) -> None:
        self.page, self.way, self.count = page, way, 0

    def press(self, key: str) -> None:
        """One key, or one chord."""
        self.page.keyboard.press(key)
        self.count += 1

    def to(self, place: Locator) -> None:
        """Go to an element: a click, or Tab until it has the focus."""
        if self.way == "mouse":
            place.click()
            self.count += 1
            return
        skips = self.page.evaluate("document.activeElement === document.body") and self.way == "keys"
        tabs = 0
        if skips and place.evaluate("node => Boolean(node.closest('main'))"):
            self.press("Tab")
            self.press("Enter")  # what skips to the content
        while not place.evaluate(FOCUSED):
            self.press("Tab")
            tabs += 1
            assert tabs < MOST_TABS, f"Tab does not reach {place}"

    def use(self, place: Locator, key: str = "Enter") -> None:
        """Press what is there: by the key that the page names for it, if there is one and it is known."""
        named = place.get_attribute("aria-keyshortcuts")
        if self.way == "keys" and named:
            self.press(named)
            return
        self.to(place)
        if self.way != "mouse":
            self.press(key)

    def find(self) -> None:
        """From the home page to the playbook."""
        page = self.page
        field = page.get_by_label("What job do you want to get done?")
        if self.way == "keys":
            self.press("/")
        else:
            self.to(field)
        field.press_sequentially(QUESTION)
        found = page.get_by_role("option").filter(has_text=BOOK)
        expect(found).to_be_visible()
        if self.way == "mouse":
            self.to(found.get_by_text(BOOK))
        else:
            while found.get_attribute("aria-selected") != "true":
                self.press("ArrowDown")
            self.press("Enter")
        expect(page.get_by_role("heading", level=1, name=BOOK)).to_be_visible()


def prompt(hand: Hand) -> None:
    """The prompt, with its inputs filled in, on the clipboard."""
    page = hand.page
    hand.find()
    fields = page.locator(".fill textarea")
    if not fields.first.is_visible():
        hand.use(page.locator(".fill-in > summary"))
    for number in range(INPUTS):
        if not fields.nth(number).evaluate(FOCUSED):
            hand.to(fields.nth(number))
        page.keyboard.insert_text(f"value {number}")
    if hand.way == "keys":
        hand.press("Escape")  # out of the field, so that letters are keys again
    hand.use(page.locator("#prompt-text .copied button"))
    expect(page.locator("#said")).to_contain_text("Copied the prompt.")


def report(hand: Hand) -> None:
    """A report is sent, and the receipt is there."""
    page = hand.page
    hand.find()
    hand.use(page.locator(".go").get_by_role("link", name="Did it work?"))
    expect(page.get_by_role("heading", level=1, name="Report a run")).to_be_visible()
    expect(page.locator("#send")).to_be_enabled()
    hand.use(page.get_by_label("Worked", exact=True), "Space")
    hand.to(page.get_by_label("Agent", exact=True))
    page.keyboard.insert_text("claude-code")
    hand.use(page.locator("#agreed"), "Space")
    if hand.way == "keys":
        hand.press("Control+Enter")
    else:
        hand.use(page.locator("#send"))
    expect(page.get_by_role("heading", name="It is stored")).to_be_visible()


def state(hand: Hand) -> None:
    """Where that report stands."""
    report(hand)
    hand.use(hand.page.get_by_role("link", name="Where it stands"))
    expect(hand.page.get_by_text("It waits for an editor").first).to_be_visible()


def agent(hand: Hand) -> None:
    """Which agent for this job."""
    hand.find()
    hand.use(hand.page.get_by_role("link", name="Which agent for this job").first)
    expect(hand.page.get_by_role("heading", level=1)).to_contain_text("which agent?")


JOBS: dict[str, Callable[[Hand], None]] = {
    "filled prompt copied": prompt,
    "report sent": report,
    "its state": state,
    "which agent": agent,
}


def took(browser: Browser, top: str, job: Callable[[Hand], None], way: str) -> int | None:
    """What a job took in a browser with nothing kept; None where the site has no such way."""
    page = browser.new_page(viewport={"width": 1440, "height": 900})
    page.goto(top)
    hand = Hand(page, way)
    try:
        job(hand)
    except AssertionError as error:
        print(f"{job.__name__} by {way}: {error}", file=sys.stderr)
        return None
    finally:
        page.close()
    return hand.count


@contextmanager
def served() -> Iterator[str]:
    """The real content, served as `playbooks serve` does; its address."""
    port = free_port()
    with tempfile.TemporaryDirectory() as folder:
        command = [sys.executable, "-m", "cli", "serve", "--port", str(port), "--out", f"{folder}/site"]
        server = subprocess.Popen([*command, "--var", f"{folder}/var"], stdout=subprocess.DEVNULL)
        try:
            await_port(port)
            yield f"http://127.0.0.1:{port}"
        finally:
            server.terminate()
            server.wait(10)


def counted(top: str) -> None:
    """Say what each job takes in each way."""
    expect.set_options(timeout=60_000)  # a busy machine is waited for: keys are counted, not seconds
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path="/usr/bin/chromium", args=CHROMIUM)
        rows = [[name, *(took(browser, top, job, way) for way in WAYS)] for name, job in JOBS.items()]
        browser.close()
    table(["job", "clicks", "keys, Tab alone", "keys, those named too"], rows)


def main() -> None:
    """Serve the library unless a site is named, count, say."""
    site = options(__doc__, short={}, site="").site
    if site:
        counted(site)
        return
    with served() as top:
        counted(top)


if __name__ == "__main__":
    main()
