"""The quick validator takes nothing that a model's own refuses, and makes the same of what it takes."""

from __future__ import annotations

from pathlib import Path

import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st
from pydantic import BaseModel, ValidationError

from library import quick
from library.fields import (
    Brief,
    CalendarDate,
    Handle,
    Label,
    Line,
    LongText,
    Passage,
    ShortText,
    Slug,
    Text,
    Timestamp,
    Url,
    optional,
)
from library.loading import FILES, FOLDERS, TYPED
from library.models import Playbook
from library.yamlfile import parse
from tests.builders import PLAYBOOK

PROJECT = Path(__file__).resolve().parents[2]


class Kinds(BaseModel):
    """A field of every kind of text."""

    line: Line | None = optional()
    brief: Brief | None = optional()
    label: Label | None = optional()
    short: ShortText | None = optional()
    text: Text | None = optional()
    passage: Passage | None = optional()
    long: LongText | None = optional()
    slug: Slug | None = optional()
    handle: Handle | None = optional()
    url: Url | None = optional()
    day: CalendarDate | None = optional()
    moment: Timestamp | None = optional()
    lines: tuple[Line, ...] = ()


_HOSTILE = st.text(
    alphabet="ab0-_ \n\t\r\x00\x0b\x1c\x1f\x7f\x85\xa0\xad\u0301\u1680\u2003\u200b\u200c\u200d\u200e\u2028\u202e\u2060"
    "\u3000\ufeff\ufff0\uffff\U0001f600\U000e0001é字٣\ud800",
    max_size=8,
)
_ADDRESS = st.lists(
    st.sampled_from(
        [
            "http",
            "https",
            "http://a",
            "ftp",
            "javascript",
            "://",
            ":",
            "/",
            "a",
            "b.c",
            "@",
            "[",
            "]",
            "::1",
            "?",
            "#",
            " ",
            "%",
            "80",
            "x",
            "\\",
            "é",
        ]
    ),
    max_size=9,
).map("".join)
_DAY = st.sampled_from(["2026-11-20", "0000-01-01", "2026-02-30", "9999-12-31", "2026-1-1", "20261120", "1700000000"])
_MOMENT = st.sampled_from(["2026-11-20T10:00:00Z", "2026-11-20T10:00:00+02:00", "2026-11-20T25:00:00Z", "1700000000"])
_OTHER: st.SearchStrategy[object] = st.sampled_from(
    [None, 1, 1.5, True, "", [], {}, "a" * 39, "a" * 40, "a" * 64, "a" * 65, "a" * 200, "a" * 201]
)
_ONE = _HOSTILE | _ADDRESS | _DAY | _MOMENT | _OTHER | st.text(max_size=20)
_VALUES = st.dictionaries(
    st.sampled_from([*Kinds.model_fields, "other"]), _ONE | st.lists(_ONE, max_size=3), max_size=4
)


def own(value: object) -> Kinds | list[object]:
    """What the model's own validator says."""
    try:
        return Kinds.model_validate(value)
    except ValidationError as error:
        return list(error.errors(include_url=False))


def quickly(value: object) -> Kinds | list[object]:
    """What is said where the quick one is asked first."""
    try:
        return quick.from_values(Kinds, value)
    except ValidationError as error:
        return list(error.errors(include_url=False))


@pytest.mark.slow
@settings(max_examples=500, deadline=None)
@given(_ONE | st.lists(_ONE, max_size=3))
@example("http://a.b:0/c@d")
@example("1699920000")
@example("2026-11-20T00:00:00")
@example(" \t\n")
@example("a\tb")
@example("\x85a")
@example("\u3000")
@example("a-" * 19 + "ab")
@example("ftp://a/")
@example("http://a@b/")
@example("http:///a")
def test_what_is_said_of_a_value_is_what_the_models_own_validator_says(value: object) -> None:
    for name in (*Kinds.model_fields, "other"):
        expected, told = own({name: value}), quickly({name: value})
        assert repr(told) == repr(expected)
        if isinstance(expected, Kinds) and isinstance(told, Kinds):
            assert told == expected
            assert told.model_fields_set == expected.model_fields_set


@pytest.mark.slow
def test_no_character_is_taken_that_the_models_own_validator_refuses() -> None:
    seldom = [*range(0xD7F0, 0xD810), *range(0xFE00, 0x10010), *range(0xDFFF0, 0xE1010)]
    for number in [*range(0x3100), *seldom]:
        for value in (chr(number), f"a{chr(number)}b"):
            for name in ("line", "text"):
                try:
                    told = quick._quick(Kinds).validate_python({name: value})
                except ValidationError:
                    continue
                assert told == own({name: value}), hex(number)


@pytest.mark.parametrize(
    "value",
    [
        {"line": "A line, “quoted” – in any script: 字 é 😀"},
        {"text": "Two\n\tlines\n"},
        {"handle": "a-b", "slug": "a-1", "url": "https://example.com/a?b=c#d", "day": "2026-11-20"},
    ],
)
def test_ordinary_texts_are_taken_at_once(value: dict[str, object]) -> None:
    assert quick._quick(Kinds).validate_python(value) == Kinds.model_validate(value)


def test_every_kind_of_record_has_a_quick_validator() -> None:
    for model in (*FOLDERS.values(), *FILES.values()):
        with pytest.raises(ValidationError):
            quick._quick(model).validate_python({"unknown": 1})


def test_a_playbook_of_the_content_is_taken_at_once_and_read_back_from_json_the_same() -> None:
    for path in sorted((PROJECT / "content" / "playbooks").glob("*.yaml"))[:10]:
        value = parse(Path(path).read_text("utf-8"), path.name, typed=TYPED).value
        book = quick._quick(Playbook).validate_python(value)
        assert book == Playbook.model_validate(value)
        assert quick.from_json(Playbook, book.__pydantic_serializer__.to_json(book)) == book


def test_what_the_quick_one_refuses_may_be_right_all_the_same() -> None:
    value = parse(PLAYBOOK, "f", typed=TYPED).value
    assert isinstance(value, dict)
    right = {**value, "title": "क्\u200dष"}  # a joiner between letters is to be seen
    with pytest.raises(ValidationError):
        quick._quick(Playbook).validate_python(right)
    assert quick.from_values(Playbook, right).title == right["title"]
