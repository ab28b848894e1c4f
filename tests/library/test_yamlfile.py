"""The reader of YAML: every scalar a string, every value placed, nothing ever raised."""

from __future__ import annotations

import pytest
import yaml
from hypothesis import given, settings
from hypothesis import strategies as st

from library.content.yamlfile import MAX_BYTES, Value, decode, is_trap, parse

_TEXT = st.text(alphabet=st.characters(exclude_categories=["Cs"]), max_size=30)
_KEY = _TEXT.filter(lambda text: text.casefold() not in ("", "y", "n"))  # PyYAML writes y and n without quotes
_PLAIN_KEY = _KEY.filter(lambda key: not is_trap(key))
_VALUES: st.SearchStrategy[Value] = st.recursive(
    _TEXT, lambda inner: st.lists(inner, max_size=4) | st.dictionaries(_PLAIN_KEY, inner, max_size=4), max_leaves=15
)
_YAML_LIKE = st.text(alphabet="ab:-?[]{}&*!|>%@`'\"\\#, \n\t~<=01.\ud800\x85\u2028\ufeffé", max_size=60)


def test_every_scalar_is_text_whatever_other_readers_make_of_it() -> None:
    document = parse("a: 1:30\nb: no\nc: 1.10\nd: 2026-11-20\ne: ~\n", "f")
    assert document.value == {"a": "1:30", "b": "no", "c": "1.10", "d": "2026-11-20", "e": "~"}
    assert [problem.pointer for problem in document.problems] == [("a",), ("b",), ("c",), ("e",)]
    assert {str(problem.severity) for problem in document.problems} == {"warning"}


def test_a_scalar_in_quotes_or_under_a_typed_key_is_no_trap() -> None:
    assert parse("a: \"no\"\nb: '1'\n", "f").problems == []
    assert parse("wanted: true\n", "f", typed=frozenset({"wanted"})).problems == []


def test_words_that_only_begin_like_numbers_are_no_traps() -> None:
    assert [
        word for word in ("1-4 hours", "never", "on time", "3 files", "0xg", "1.2.3", "nothing", "+") if is_trap(word)
    ] == []
    assert all(
        is_trap(word)
        for word in ("", "~", "NULL", "Yes", "y", "0x1F", "0o17", "1_000", "1:30:00", "-.5", "1e5", ".inf", ".NaN")
    )


def test_every_value_is_marked_where_it_begins_and_a_key_where_it_stands() -> None:
    marks = parse("a:\n  - b: x\n    c: [d, e]\n", "f").marks
    assert marks == {
        (): (1, 1),
        ("a",): (1, 1),
        ("a", 0): (2, 5),
        ("a", 0, "b"): (2, 5),
        ("a", 0, "c"): (3, 5),
        ("a", 0, "c", 0): (3, 9),
        ("a", 0, "c", 1): (3, 12),
    }


def test_columns_count_characters_and_not_bytes() -> None:
    (problem,) = parse("a: [ééé, *b]\n", "f").problems
    assert (problem.line, problem.column) == (1, 10)


def test_a_quoted_merge_sign_is_an_ordinary_key() -> None:
    assert parse('"<<": a\n', "f").value == {"<<": "a"}


def test_of_a_key_that_stands_twice_the_first_value_stays() -> None:
    document = parse("a: x\na: z\n", "f")
    assert document.value == {"a": "x"}
    assert [problem.code for problem in document.problems] == ["duplicate-key"]


def test_fifty_levels_are_read_and_one_more_is_refused() -> None:
    assert parse("[" * 50 + "]" * 50, "f").problems == []
    assert [problem.code for problem in parse("[" * 51 + "]" * 51, "f").problems] == ["too-deep"]


def test_a_file_of_just_the_greatest_size_is_text() -> None:
    assert decode(b"a" * MAX_BYTES, "f") == "a" * MAX_BYTES


def test_half_of_a_surrogate_pair_is_a_problem() -> None:
    assert [problem.code for problem in parse("a: \ud800\n", "f").problems] == ["character"]


@pytest.mark.slow
@settings(max_examples=150, deadline=None)
@given(st.one_of(st.text(max_size=80), _YAML_LIKE))
def test_no_text_makes_the_reader_raise(text: str) -> None:
    document = parse(text, "f")
    assert document.value is not None or document.problems
    assert all(problem.line >= 1 and problem.column >= 1 and problem.message for problem in document.problems)


@settings(max_examples=100, deadline=None)
@given(st.binary(max_size=60))
def test_no_bytes_make_the_reader_raise(raw: bytes) -> None:
    text = decode(raw, "f")
    if isinstance(text, str):
        assert text.encode() == raw
        parse(text, "f")
    else:
        assert text.line >= 1
        assert text.column >= 1


@pytest.mark.slow
@settings(max_examples=120, deadline=None)
@given(_VALUES, st.sampled_from([None, '"', "'"]), st.sampled_from([None, True, False]))
def test_what_another_library_dumped_is_read_back_the_same(value: Value, style: str | None, flow: bool | None) -> None:
    dumped = yaml.safe_dump(value, default_style=style, default_flow_style=flow)
    document = parse(dumped, "f")
    assert document.value == value
    assert [problem for problem in document.problems if problem.code != "unquoted"] == []  # N and y, by some readers


@pytest.mark.slow
def test_a_file_holds_at_most_so_many_values() -> None:
    assert parse("- a\n" * 19_000, "x.yaml").problems == []
    assert [problem.code for problem in parse("- a\n" * 20_001, "x.yaml").problems] == ["too-many-values"]
