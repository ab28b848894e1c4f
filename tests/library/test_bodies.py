"""Bodies of requests: each kind of text that is no JSON is refused with its reason, at both sides of each bound."""

from __future__ import annotations

import json

import pytest

from library.interface.bodies import (
    HIDDEN_KEY,
    LONGEST_KEY,
    MAX_BODY,
    MAX_DEPTH,
    MAX_DIGITS,
    MAX_VALUES,
    NotJson,
    parse,
    pointer,
    private_matter,
    repeatable,
)

MAIL = "ada" + "@" + "mail.museum"


def refusal(text: str | bytes) -> str:
    """Why a body is no JSON."""
    with pytest.raises(NotJson) as refused:
        parse(text.encode() if isinstance(text, str) else text)
    return str(refused.value)


def test_the_bounds_are_those_of_the_document() -> None:
    assert (MAX_BODY, MAX_DEPTH, MAX_VALUES, MAX_DIGITS) == (65_536, 32, 1_000, 300)


def test_values_of_every_kind_are_read() -> None:
    body = '{"a": [1, -2.5e3, true, null, "[{,\\"é"], "b": {}}'
    assert parse(body.encode()) == {"a": [1, -2500.0, True, None, '[{,"é'], "b": {}}


def test_many_values_are_taken_up_to_a_thousand() -> None:
    assert len(parse(json.dumps([0] * MAX_VALUES).encode())) == MAX_VALUES
    assert refusal(json.dumps([0] * (MAX_VALUES + 1))) == "The body holds more than 1,000 values."
    assert parse(json.dumps("," * 2_000).encode()) == "," * 2_000, "in a text a comma is one more character"


def test_a_body_is_nested_up_to_thirty_two_levels() -> None:
    deep = "[" * 31 + '{"a": 1}' + "]" * 31
    assert parse(deep.encode())
    assert refusal(f"[{deep}]") == "The body is nested more than 32 levels deep."
    assert parse(json.dumps(["[" * 100, "{" * 100]).encode())
    assert parse(json.dumps([[[]], [[]]] * 20).encode()), "what is closed does not count"


@pytest.mark.parametrize(
    ("body", "told"),
    [
        (b'"\xff"', "The body is not UTF-8: byte 1 cannot be read."),
        ('"\\ud800"', "The body holds half of a surrogate pair, which is no character."),
        ('{"a": 1, "a": 2}', 'The key "a" stands twice in one object.'),
        (f'{{"{MAIL}": 1, "{MAIL}": 2}}', f'The key "{HIDDEN_KEY}" stands twice in one object.'),
        ("NaN", "NaN is not a JSON number."),
        ("[-Infinity]", "-Infinity is not a JSON number."),
        ("1e999", "A number is too large to be held."),
        ("-1e999", "A number is too large to be held."),
        ("9" * 301, "A number is too large to be held."),
        ('{"a":\n 1,}', "The body is not JSON: "),
        ("", "The body is not JSON: Expecting value, line 1, column 1."),
    ],
)
def test_what_is_no_json_is_refused_with_its_reason(body: str | bytes, told: str) -> None:
    said = refusal(body)
    assert said.startswith(told)
    assert MAIL not in said


def test_the_place_of_a_mistake_is_told() -> None:
    with pytest.raises(NotJson) as refused:
        parse(b'{"a":\n  x}')
    assert (refused.value.line, refused.value.column) == (2, 3)
    with pytest.raises(NotJson) as refused:
        parse(b"NaN")
    assert (refused.value.line, refused.value.column) == (1, 1)


def test_a_number_of_three_hundred_digits_is_held() -> None:
    assert parse(b"9" * 300) == 10**300 - 1
    assert parse(b"1e308") == 1e308


def test_a_place_is_a_json_pointer_without_private_data() -> None:
    assert pointer(()) == ""
    assert pointer(("steps", 0, "a/b~c")) == "/steps/0/a~1b~0c"
    assert pointer(("x", MAIL)) == f"/x/{HIDDEN_KEY}"
    assert repeatable("k" * 65) == "k" * LONGEST_KEY
    assert repeatable("k" * 64) == "k" * 64


def test_private_matter_is_told_by_place_and_kind_once_each_in_keys_too() -> None:
    value = {"note": f"Write to {MAIL} or {MAIL}.", "deep": [{"a": "fine"}, {MAIL: "x"}], "number": 3}
    assert list(private_matter(value)) == [
        (("note",), "an e-mail address"),
        (("deep", 1, MAIL), "an e-mail address"),
    ]
    assert list(private_matter(["fine", None, 1.5])) == []
