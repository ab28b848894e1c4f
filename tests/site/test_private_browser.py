"""In a browser private data is found as the library finds it: the same patterns, judged alike on both sides."""

from __future__ import annotations

import random
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any

import pytest
from playwright.sync_api import Browser, Page

from build.settings import TEMPLATES
from library.rules.privacy import browser_table, find
from tests.browsers import IN_A_BROWSER, browser
from tests.library.privacy_set import FOR_REVIEWERS, HOSTILE, SET

__all__ = ["browser"]
pytestmark = IN_A_BROWSER
MODULE = TEMPLATES / "assets" / "form-private.js"
FOUND = """async ([table, texts]) => {
  const find = window.searching(table);
  return texts.map(text => find(text).map(({kind, refused}) => [kind, refused]).sort());
}"""


@pytest.fixture(scope="module")
def page(browser: Browser, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Page]:
    """An empty page with the module."""
    text = MODULE.read_text().replace("export function searching", "window.searching = function searching")
    script = Path(tmp_path_factory.mktemp("module") / "private.js")
    script.write_text(text)
    page = browser.new_page()
    page.add_script_tag(path=script, type="module")
    page.wait_for_function("Boolean(window.searching)")
    yield page
    page.close()


def differences(page: Page, texts: Sequence[str]) -> dict[str, Any]:
    """The texts that the two sides do not judge alike, each with what the library and what the browser found."""
    there = page.evaluate(FOUND, [browser_table(), list(texts)])
    here = [sorted({(found.kind, found.refused) for found in find(text)}) for text in texts]
    pairs = zip(texts, [[list(one) for one in kinds] for kinds in here], there, strict=True)
    return {text: (ours, theirs) for text, ours, theirs in pairs if ours != theirs}


def test_both_sides_judge_the_labelled_texts_alike(page: Page) -> None:
    assert differences(page, [item.text for item in (*SET, *FOR_REVIEWERS)]) == {}


def test_both_sides_judge_texts_that_were_cut_and_joined_alike(page: Page) -> None:
    chance, texts = random.Random(7), [item.text for item in SET]
    joined = [" ".join(chance.sample(texts, 2)) for _ in range(300)]
    cut = [text[chance.randrange(len(text)) :] for text in texts * 2]
    signs = "0123456789 .-()@:=aZ/+é０٣"
    changed = ["".join(chance.choice(signs) if chance.random() < 0.06 else sign for sign in text) for text in texts * 2]
    assert differences(page, [*joined, *cut, *changed]) == {}


@pytest.mark.slow
def test_no_hostile_field_holds_the_page_up(page: Page) -> None:
    slowest = page.evaluate(
        """([table, parts]) => {
          const find = window.searching(table);
          return Math.max(...parts.map(part => {
            const text = part.repeat(8192).slice(0, 8192), before = performance.now();
            find(text);
            return performance.now() - before;
          }));
        }""",
        [browser_table(), list(HOSTILE)],
    )
    assert slowest < 1_000  # some 20 ms on an idle machine; more than a second would be felt
