"""Markdown does what contributors want and nothing more; the fast path says what the renderer says."""

from __future__ import annotations

import re

import pytest
from hypothesis import given
from hypothesis import strategies as st

from build.views.rendering import Prose

PROSE = Prose()
FULL = PROSE._markdown  # the renderer that the fast path must agree with
LETTERS = "ab C.,;!?-_*`#>+=1)(\"'&<:/@é—\n\t~|[]\\"
WORDS = st.text(alphabet=st.sampled_from(LETTERS + "`a b`" * 4), max_size=40)


@given(WORDS)
def test_the_fast_path_says_what_the_renderer_says(text: str) -> None:
    assert str(PROSE.block(text)).strip() == FULL.render(text).strip()
    if "\n" not in text:
        assert str(PROSE.line(text)).strip() == FULL.renderInline(text).strip()


@pytest.mark.parametrize(
    "text",
    [
        "`a` b",
        "a: `b --c` d.",
        "` a ` b",
        "`  ` b",
        "a ` ` b `c`",
        '`<b>&"` x',
        "1) `a`",
        "a `\\` b",
        "``a`",
        "`*a*` `_b_`",
        "`a``b`",
    ],
)
def test_code_in_a_line_needs_no_parser(text: str) -> None:
    assert str(PROSE.block(text)) == FULL.render(text)
    assert str(PROSE.line(text)) == FULL.renderInline(text)


@pytest.mark.parametrize(
    "text",
    [
        "<script>alert(1)</script>",
        "<img src=x onerror=alert(1)>",
        "[x](javascript:alert(1))",
        "[x](JaVaScRiPt:alert(1))",
        "[x](data:text/html,<script>)",
        "[x](//evil.example)",
        "![x](https://evil.example/pixel.png)",
        "<https://evil.example/><b>",
        "[x]: javascript:alert(1)\n\n[x]",
        "&lt;script&gt;",
        "```html\n<script>\n```",
        "`<script>`",
    ],
)
def test_hostile_markdown_is_inert(text: str) -> None:
    for html in (str(PROSE.block(text)), str(PROSE.line(text))):
        tags = set(re.findall(r"<([a-zA-Z]+)", html))
        assert tags <= {"p", "a", "code", "pre", "em", "strong"}
        assert not re.search(r'(?:href|src)="(?!https?://)', html)
        assert "<img" not in html


def test_what_contributors_write() -> None:
    assert str(PROSE.line("Run `pytest -q` **twice**")) == "Run <code>pytest -q</code> <strong>twice</strong>"
    assert "<li>order</li>" in PROSE.block("One at a time:\n\n- order\n- time")
    assert '<a href="https://example.com">here</a>' in PROSE.line("see [here](https://example.com)")
    assert 'id="two-words"' in PROSE.document("## Two words")
    assert 'href="/sub/docs/interface/"' in PROSE.document("[x](/docs/interface/)", root="/sub")


def test_brackets_do_not_take_for_ever() -> None:
    assert PROSE.block("[" * 4_000)
