"""The reader of plain YAML makes of a text what the reader by events makes of it, or leaves it to that one."""

from __future__ import annotations

import time
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from library.loading import TYPED
from library.yamlfile import MAX_BYTES, parse
from library.yamlplain import read_plain
from tests.builders import LESSON, PLAYBOOK, RUN

PROJECT = Path(__file__).resolve().parents[2]
_TYPED = frozenset({"wanted"})
_LINES = st.sampled_from(
    [
        "a: b\n", "b:\n", "  - c\n", "  - a: b\n", "    c: d\n", "  c: d\n", "- a\n", "a: >-\n", "a: |-\n", "  text\n",
        "  more text \n", "    deep\n", "\n", "  \n", "    \n", "# c\n", "  # c\n", 'a: "b"\n', "a: 'b'\n",
        "wanted: true\n", "b: no\n", "yes: x\n", "a: x: y\n", "a: x:y#z\n", "a: x #z\n", "a: \n", "  - >-\n",
        "      text\n", "   odd\n", "---\n", "...\n", "  ---\n", "a:\n  b:\n    c:\n      d: e\n", 'c: ""\n', '""\n',
        "  - - a\n", "d: - a\n", "a: [b]\n", "a: b\n  c\n", "x: ~\n", "x: 1:30\n", "x: 2026-01-01\n", "  - |-\n",
        "    y: >-\n", "c: a\\b\n", "c: é字😀\n", "<<: a\n", "e: ...\n", "e: b---\n",
        "? a\n", ": b\n", "c: a?\n", "c: a, b\n",
        "c: \xa0a\n", "c: a\u2028b\n", "c: a\x85b\n", "c: \ufeff\n", "c: \x7f\n", "f: (x)\n", "a: b:\n", "a: b :c\n",
        "a: b# c\n", " a: b\n", "   - x\n", "  -  x\n", "  - \n", "a:  b\n", "g: 'a''b'\n", 'g: "a\\n"\n', 'g: "a" \n',
        "g: a \n", "g: >+\n", "g: |\n", "g: |2-\n", "k_k: a\n", "K: a\n", "h: >-\n\n  a\n", "h: >-\n  a\n\n  b\n",
        "h: |-\n  a\n\n  b\n\n", "h: |-\n  a\n   b\n", "h: >-\n  a\n   b\n", "h: >-\n  a \n  b\n", "h: |-\n a\n",
        "i:\n- a\n", "h: |-\n  # a\n", "h: >-\n  - a\n  b: c\n", "j: &a b\n", "j: *a\n", "j: !t a\n", "j: a\tb\n",
        "j: a",
    ]
)  # fmt: skip
_TEXTS = st.lists(_LINES, max_size=7).map("".join) | st.sampled_from([PLAYBOOK, LESSON, RUN])
_SPOTS = st.tuples(st.integers(0, 4_000), st.integers(0, 3), st.sampled_from([*"ab-:#\"'|> \n\t[{&*!%@\\é", "", "  "]))


@pytest.mark.slow
@settings(max_examples=1_000, deadline=None)
@given(_TEXTS, st.lists(_SPOTS, max_size=3))
def test_what_is_taken_is_right_and_read_as_the_reader_by_events_reads_it(
    text: str, spots: list[tuple[int, int, str]]
) -> None:
    for place, left_out, put_in in spots:
        start = place % (len(text) + 1)
        text = text[:start] + put_in + text[start + left_out :]
    plain = read_plain(text, _TYPED)
    if plain is not None:
        document = parse(text, "f", typed=_TYPED, marks=True)
        assert (plain, []) == (document.value, document.problems)


def test_nearly_all_files_of_the_content_are_plain() -> None:
    texts = [path.read_text("utf-8") for path in sorted((PROJECT / "content").rglob("*.yaml"))]
    plain = [read_plain(text, TYPED) for text in texts]
    assert sum(value is not None for value in plain) >= 0.95 * len(texts)
    for text, value in zip(texts[::20], plain[::20], strict=True):
        assert value in (None, parse(text, "f", typed=TYPED, marks=True).value)


@pytest.mark.parametrize(
    "text",
    [
        "",
        "# only a comment\n",
        "- a\n",
        "a:\n",
        "a: b",
        "a: b\na: c\n",
        "a:\n  - b\n   - c\n",
        "a: b\n  c: d\n",
        "  a: b\n",
    ],
)
def test_what_may_be_wrong_is_left_to_the_reader_by_events(text: str) -> None:
    assert read_plain(text, _TYPED) is None


def test_deep_and_long_texts_are_left_to_the_reader_by_events() -> None:
    assert read_plain("".join(f"{' ' * level}a:\n" for level in range(60)) + " " * 60 + "a: b\n", _TYPED) is None
    assert read_plain("a:\n" + "  - b\n" * 30_000, _TYPED) is None
    assert read_plain("a" * 1_025 + ": b\n", _TYPED) is None


@pytest.mark.slow
@pytest.mark.parametrize(
    "part", [" ", "\n", ":", "a:", "#", "- ", "a: >-\n", "a: |-\n  b\n", "\n  ", "a: b:\n", '"', " #"]
)
def test_no_hostile_text_takes_long(part: str) -> None:
    started = time.process_time()
    for before in ("", "a: ", "a: >-\n  "):
        assert read_plain((before + part * MAX_BYTES)[:MAX_BYTES], _TYPED) is None
    assert time.process_time() - started < 3
