"""The browser of the tests that look at pages, and the marks that leave them out where there is none."""

from __future__ import annotations

import shutil
import time
from collections.abc import Iterator

import pytest
from playwright.sync_api import Browser, Page, expect, sync_playwright

from tests.lengths import many
from tools.pictures import CHROMIUM

SHELL_PATH = shutil.which("chromium-headless-shell")
"""Chromium without windows: the same engine, a quarter of the work for each context. Not every system has it."""

CHROMIUM_PATH = many(SHELL_PATH or shutil.which("chromium"), shutil.which("chromium"))
"""The browser of the tests: in the long form the whole of Chromium."""

expect.set_options(timeout=60_000)  # the browser is a process of its own, on a machine that may be busy
IN_A_BROWSER = [
    pytest.mark.browser,
    pytest.mark.skipif(CHROMIUM_PATH is None, reason="Chromium is not installed (make system): no page was opened"),
]
"""The marks of a module whose tests open pages."""


@pytest.fixture(scope="module")
def browser() -> Iterator[Browser]:
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=CHROMIUM_PATH, args=CHROMIUM)
        yield browser
        browser.close()


def until(page: Page, true: str) -> None:
    """Wait for a script to be true. `wait_for_function` would evaluate it in the page, whose policy refuses that."""
    ends = time.monotonic() + 60
    while not page.evaluate(true):
        assert time.monotonic() < ends, f"{true} never became true"
        page.wait_for_timeout(20)
