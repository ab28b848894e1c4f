"""What is no YAML is told at the mistake, in words that mend it: one case for each of its sentences."""

from __future__ import annotations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from library.content.yamlfile import parse
from library.problems import Problem, Severity
from tests.builders import PLAYBOOK

CASES = [
    ('a: "b\nc: d\n', 1, 4, "never closed"),
    ("a: 'b\nc: d\n", 1, 4, "never closed"),
    ('a: "b\nc: "d"\n', 1, 4, "closed only lines below"),
    ('a: "b\nc: "`d`"\n', 1, 4, "closed only lines below"),
    ('a: "b" c\n', 1, 8, "after the closing quote"),
    ("a: 'it's'\n", 1, 8, "after the closing quote"),
    ('a: "C:\\work"\n', 1, 4, "single quotes"),
    ('a: "\\xZZ"\n', 1, 4, "single quotes"),
    ("a: b\n<<<<<<< HEAD\nc: d\n=======\nc: e\n>>>>>>> x\n", 2, 1, "marker <<<<<<<"),
    ("<<<<<<< HEAD\na: b\n", 1, 1, "marker <<<<<<<"),
    ("a: b\n=======\nc: d\n", 2, 1, "marker ======="),
    ("a: b\n>>>>>>> theirs\n", 2, 1, "marker >>>>>>>"),
    ("a: b\n  c: d\n", 2, 3, "deeper than line 1"),
    ("a:\n  - b: c\n   d: e\n", 3, 4, "in column 1 or 3 or 5"),
    ("a:\n  b: c\n # no line of its own\n d: e\n", 4, 2, "in column 1 or 3"),
    ("a: |-\n    b\n  c\nd: e\n", 3, 3, "in column 1 or 5"),
    ("a: b\n- c: d\n", 2, 1, "mixed"),
    ("- a: b\nc: d\n", 2, 1, "mixed"),
    ("a: b\nc d\ne: f\n", 2, 1, "`key: value`"),
    ("a b\nc: d\n", 1, 1, "`key: value`"),
    ("a: >-\nb c\nd: e\n", 2, 1, "indent what goes on"),
    ("a:b\nc: d\n", 1, 1, "`: `"),
    ("a: b\nc:d\ne: f\n", 2, 1, "`: `"),
    ("a:\n-b\n-c\nd: e\n", 2, 1, "`- `"),
    ("a: b: c\n", 1, 5, "put the text in quotes"),
    ("- a: b: c\n", 1, 7, "put the text in quotes"),
    ("a: “b: c”\n", 1, 6, "straight"),
    ("a:\n\t- b\n", 2, 1, "two spaces"),
    ("a: b\n\tc: d\n", 2, 1, "two spaces"),
    ("a: | b\n  c\n", 1, 4, "on the next line"),
    ("a: > b\n  c\n", 1, 4, "on the next line"),
    ("a: *b* c\n", 1, 4, "begin with *"),
    ("a: &\nb: c\n", 1, 4, "begin with &"),
    ("a: !<b c\n", 1, 4, "begin with !"),
    ("a: @b\n", 1, 4, "begin with @"),
    ("a: `b`\n", 1, 4, "begin with `"),
    ("a: }b\n", 1, 4, "begin with }"),
    ("a: ? b\n", 1, 4, "begin with ?"),
    ("%a\nb: c\n", 1, 1, "begin with %"),
    ("a: - b\n", 1, 4, "item of a list"),
    ("a: [b, c\nd: e\n", 1, 4, "[ that opens"),
    ("a: {b: c\nd: e\n", 1, 4, "{ that opens"),
    ("a: {- b}\n", 1, 5, "braces or brackets"),
    ("a: [b](c) d\n", 1, 4, "begins with ["),
    ("a: {{b}} c\n", 1, 4, "begins with {"),
    ("a: b\n...\nc: d\n", 3, 1, "record ended above"),
    (" a: b\nc: d\n", 2, 1, "in one column"),
]


def errors(text: str) -> list[Problem]:
    """What of a text is told as an error."""
    return [problem for problem in parse(text, "f").problems if problem.severity is Severity.ERROR]


@pytest.mark.parametrize(("text", "line", "column", "mend"), CASES)
def test_an_error_stands_where_the_mistake_is_and_says_the_mend(text: str, line: int, column: int, mend: str) -> None:
    [problem] = errors(text)
    assert (problem.code, problem.line, problem.column) == ("syntax", line, column)
    assert mend in problem.message


def test_each_merge_that_was_left_open_is_told() -> None:
    merge = "<<<<<<< HEAD\na: b\n||||||| base\na: 0\n=======\na: c\n>>>>>>> theirs\n"
    assert [problem.line for problem in errors(merge + merge)] == [1, 8]


def test_a_row_of_signs_within_a_text_is_no_marker() -> None:
    assert errors("a: |-\n  =======\n  <<<<<<< b\nc: d\n") == []


@pytest.mark.parametrize("quote", ["'", '"'])
def test_an_unclosed_quote_is_told_on_its_line_wherever_it_stands(quote: str) -> None:
    lines = PLAYBOOK.splitlines()
    for number, line in enumerate(lines, 1):
        head, sign, text = line.partition(": ")
        if sign:
            wrong = "\n".join([*lines[: number - 1], f"{head}: {quote}{text}", *lines[number:]]) + "\n"
            assert [problem.line for problem in errors(wrong)] == [number], line


@pytest.mark.slow
@settings(max_examples=300, deadline=None)
@given(st.data())
def test_no_damage_makes_it_raise_and_every_place_is_in_the_text(data: st.DataObject) -> None:
    text = PLAYBOOK
    signs = ['"', "'", "{", "[", ": ", "- ", "\n", " ", "\t", "*", "&", "!", "|", ">", "@", "%", "? ", "---\n", "...\n"]
    for _ in range(data.draw(st.integers(1, 4))):
        place = data.draw(st.integers(0, len(text)))
        text = text[:place] + data.draw(st.sampled_from(signs)) + text[place + data.draw(st.integers(0, 3)) :]
    for problem in parse(text, "f").problems:
        assert 1 <= problem.line <= text.count("\n") + 1
        assert problem.message
