"""Markdown does what contributors want and nothing more."""

from __future__ import annotations

import re

import pytest

from build.views.rendering import Prose

PROSE = Prose()


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
