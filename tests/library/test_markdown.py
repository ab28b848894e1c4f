"""What a text may say in markdown, and what would reach beyond its place."""

from __future__ import annotations

from pathlib import Path

import pytest
from markdown_it import MarkdownIt

from library.content.loading import check
from library.rules.markdown import as_text, read
from tests.builders import BOOK, LESSON, PLAYBOOK, RUN, TODAY, write_content

BEYOND = [
    "~~~ a", "```\na", "- ```\n  a", "<!-- a", "<pre>a", "a <b>c</b>", "<![CDATA[", "## P", "1. # x", "a\n===",
    "a\n-", "[r]: https://example.com/", "> [r]: javascript:x",
]  # fmt: skip
CODE = [
    "`handlers[0](event)` raised", "`if (![1,2].includes(x))`", "`<![CDATA[` is shown", "```\n# a\n<pre>\n```",
    "~~~\n![a](https://example.com/a.png)\n[r]: javascript:x\n~~~", "```\n```", "    <script>",
    "- ```\n  <b>\n  ```\n- c",
]  # fmt: skip


@pytest.mark.parametrize("text", BEYOND)
def test_what_reaches_beyond_its_place_is_found_and_can_be_shown_letter_by_letter(text: str) -> None:
    assert read(text).beyond
    assert not read(as_text(text)).beyond
    inline = MarkdownIt("commonmark").parse(as_text(text))
    assert " ".join(part.content for token in inline for part in token.children or () if part.content) == " ".join(
        text.split("\n")
    ).replace("   ", " ")


@pytest.mark.parametrize("text", [*CODE, "a < b and c > d", "#1 and C# -", "<https://example.com>", "a\n\n- b\n- c"])
def test_code_and_plain_words_stay_in_their_place(text: str) -> None:
    assert (read(text).beyond, read(text).bad_links, read(text).images) == ((), (), 0)


@pytest.mark.parametrize(
    "link",
    [
        "javascript:x",
        "JAVASCRIPT:x",
        "data:text/html,x",
        "//example.com",
        "../other",
        "/\\example.com",
        "#part",
        "?q=1",
    ],
)
def test_a_link_leads_to_a_whole_address(link: str) -> None:
    assert len(read(f"[a]({link})").bad_links) == 1


@pytest.mark.parametrize("text", ["handlers[0](event) raised", "f[1]() is None", "if (![1,2].includes(x))"])
def test_a_call_in_code_is_no_link(text: str) -> None:
    assert (read(text).bad_links, read(text).images) == ((), 0)


def problems(folder: Path, file: str, body: str) -> list[str]:
    """The codes of what is wrong with a small library in which this file is changed."""
    return [problem.code for problem in check(write_content(folder, {file: body}), TODAY)[1]]


@pytest.mark.parametrize("text", [*BEYOND, "[a](javascript:x)", "![a](https://example.com/a.png)", *CODE])
def test_a_report_may_hold_any_text_because_it_is_shown_as_it_is(tmp_path: Path, text: str) -> None:
    shown = text.replace("\n", "\n  ")
    assert problems(tmp_path, f"runs/{BOOK}/a.yaml", f"{RUN}what_changed: |-\n  {shown.strip()}\n") == []


@pytest.mark.parametrize("text", CODE)
def test_honest_code_is_fine_in_a_lesson(tmp_path: Path, text: str) -> None:
    shown = text.strip().replace("\n", "\n  ")
    fixed = LESSON[: LESSON.index("fix:")] + f"fix: |-\n  {shown}\nupdated: 2026-11-01\n"
    expected = ["texts-stay-in-their-place"] if text.startswith(" ") else []
    assert problems(tmp_path, "lessons/a.yaml", fixed.replace("title: ", "title: Another ")) == expected


def test_prompts_and_titles_are_shown_letter_by_letter(tmp_path: Path) -> None:
    account = (
        "evidence:\n  - title: '<select> is dead'\n    url: https://example.com/1\n    platform: blog\n"
        "    agent: Claude Code\n    reported_outcome: It worked.\n"
    )
    body = PLAYBOOK.replace("prompt: Find", "prompt: '## Task <b>' # ") + account
    assert "texts-stay-in-their-place" not in problems(tmp_path, f"playbooks/{BOOK}.yaml", body)
