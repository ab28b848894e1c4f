"""The forms that send, in a real browser against the real service: what arrives, what is said, and that it is once."""

from __future__ import annotations

import json
import re
import signal
import subprocess
import sys
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest
from playwright.sync_api import Browser, Page, expect

from tests.browsers import IN_A_BROWSER, browser
from tests.builders import BOOK, TODAY
from tests.faults.http_server import rows
from tests.rich import write_rich_content

__all__ = ["browser"]
pytestmark = IN_A_BROWSER
MAIL = "ann@" + "quillfern.io"


@dataclass
class Live:
    """`playbooks serve` over the rich library, which can be killed and started again at the same address."""

    content: Path
    folder: Path
    port: int = 0
    process: subprocess.Popen[str] | None = None

    def start(self, **settings: str) -> Live:
        command = [sys.executable, "-W", "ignore", "-m", "cli", "serve", "--port", str(self.port), "--jobs", "1"]
        command += ["--content", str(self.content), "--out", str(self.folder / "out"), "--today", str(TODAY)]
        command += ["--var", str(self.folder / "var")]
        env = {"PATH": "/usr/bin:/bin", "PLAYBOOKS_WRITE_LIMITS": "1000 per hour", **settings}
        self.process = subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, env=env)
        assert self.process.stdout
        for line in self.process.stdout:
            if found := re.search(r"serving http://127\.0\.0\.1:(\d+)/", line):
                self.port = int(found[1])
                return self
        raise AssertionError(self.process.communicate()[1])

    def kill(self) -> None:
        assert self.process
        self.process.send_signal(signal.SIGKILL)
        self.process.communicate()

    @property
    def address(self) -> str:
        return f"http://127.0.0.1:{self.port}"

    def stored(self, table: str) -> list[tuple[Any, ...]]:
        """The rows of the queue, past the service."""
        columns = {"runs": "playbook, agent, outcome, what_changed", "submissions": "kind, title, playbook, body"}
        return rows(f"sqlite:///{self.folder / 'var' / 'queue.db'}", f"select {columns[table]} from {table}")


@pytest.fixture(scope="module")
def library(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return write_rich_content(tmp_path_factory.mktemp("content"))


@pytest.fixture(scope="module")
def live(library: Path, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Live]:
    made = Live(library, tmp_path_factory.mktemp("live")).start()
    yield made
    made.kill()


@pytest.fixture
def page(browser: Browser) -> Iterator[Page]:
    """A page that a phone shows, without a memory of others; what scripts complain of fails the test."""
    context = browser.new_context(viewport={"width": 360, "height": 740})
    page = context.new_page()
    page.set_default_timeout(10_000)
    said: list[str] = []
    page.on("console", lambda message: said.append(message.text))
    page.on("pageerror", lambda error: said.append(str(error)))
    yield page
    context.close()
    assert [line for line in said if not line.startswith("Failed to load resource")] == []


def opened(page: Page, live: Live, path: str = f"/report/?playbook={BOOK}") -> Page:
    page.goto(live.address + path)
    expect(page.locator("#send")).to_be_enabled()
    return page


def filled(page: Page, agent: str) -> None:
    """A report that the library takes."""
    page.get_by_label("Worked", exact=True).check()
    page.get_by_label("Agent", exact=True).fill(agent)
    page.locator("#agreed").check()


def send(page: Page) -> None:
    page.locator("#send").click()


def receipt(page: Page) -> str:
    """The id in the receipt, once it is there."""
    expect(page.locator("#receipt")).to_be_visible(timeout=30_000)
    return page.locator("#receipt-facts code").first.inner_text()


def fits(page: Page) -> None:
    assert page.evaluate("document.documentElement.scrollWidth - document.documentElement.clientWidth") <= 0


def test_a_report_arrives_as_it_was_shown(live: Live, page: Page) -> None:
    opened(page, live)
    filled(page, "agent-one")
    page.get_by_label("Worked with changes").check()
    page.get_by_label("What changed").fill("Step 2 came first.\n\nThen step 1.")
    shown = page.locator("#json").inner_text()
    with page.expect_request("**/api/v1/runs") as sent:
        send(page)
    assert receipt(page).startswith("run_")
    assert sent.value.post_data_json == json.loads(shown)
    row = (BOOK, "agent-one", "worked_with_changes", "Step 2 came first.\n\nThen step 1.")
    assert live.stored("runs").count(row) == 1
    fits(page)
