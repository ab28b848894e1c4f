"""The browser of the tests that look at pages, and the marks that leave them out where there is none."""

from __future__ import annotations

import shutil
from collections.abc import Iterator

import pytest
from playwright.sync_api import Browser, sync_playwright

from tools.pictures import CHROMIUM

CHROMIUM_PATH = shutil.which("chromium")
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
