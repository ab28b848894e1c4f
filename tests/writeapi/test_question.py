"""A query string becomes a question, or everything that is wrong with it is told at once."""

from __future__ import annotations

from typing import Any

import pytest

from library.records.vocabulary import Profile, ResultType, Trust
from library.search.query import DEFAULT_LIMIT, LONGEST_NAME, MAX_LIMIT, MAX_QUERY, Question
from writeapi.api.live import read_question
from writeapi.api.wire import ApiError


def asked(**values: str) -> Question:
    return read_question({name: [value] for name, value in values.items()})


def refused(arguments: dict[str, list[str]]) -> list[tuple[str, str, str]]:
    with pytest.raises(ApiError) as error:
        read_question(arguments)
    assert (error.value.kind.slug, error.value.detail) == ("invalid", "The query cannot be answered as it is.")
    return [(found.pointer, found.code, found.detail) for found in error.value.errors]


def test_the_limits_are_those_of_the_interface() -> None:
    assert (DEFAULT_LIMIT, MAX_LIMIT, MAX_QUERY, LONGEST_NAME) == (10, 50, 8_000, 128)


def test_every_filter_is_taken() -> None:
    assert asked(q=" flaky ") == Question("flaky", None, None, None, None, 10, Profile.BEST)
    assert asked(
        q="flaky", type="lesson", agent="x", category="y", min_trust="tested", limit="7", profile="fast"
    ) == Question("flaky", ResultType.LESSON, "x", "y", Trust.TESTED, 7, Profile.FAST)
    empty = dict.fromkeys(("type", "agent", "category", "min_trust", "profile"), "")
    assert asked(q="flaky", **empty) == asked(q="flaky")


@pytest.mark.parametrize("limit", ["1", "50", "00050"])
def test_a_limit_within_its_bounds_is_taken(limit: str) -> None:
    assert asked(q="x", limit=limit).limit == int(limit)


@pytest.mark.parametrize(
    ("limit", "code"),
    [
        ("", "empty"),
        ("0", "greater-than-equal"),
        ("51", "less-than-equal"),
        ("-1", "greater-than-equal"),
        *((text, "whole-number") for text in ("1.5", "x", "²", "1_0")),
    ],
)
def test_a_limit_beyond_its_bounds_is_refused(limit: str, code: str) -> None:
    assert [found[:2] for found in refused({"q": ["x"], "limit": [limit]})] == [("/limit", code)]


def test_no_question_is_refused_for_its_length() -> None:
    assert len(asked(q="x" * 10_000).text) == 10_000


def test_everything_that_is_wrong_is_told_at_once() -> None:
    arguments: dict[str, Any] = {"q": ["a", "b"], "type": ["x"], "min_trust": ["y"], "profile": ["z"], "a/b~": ["1"]}
    found = refused(arguments)
    assert found == [
        ("/type", "not-allowed", "must be one of 'playbook', 'lesson', 'agent' or 'task'"),
        ("/min_trust", "not-allowed", "must be one of 'reported', 'corroborated', 'tested' or 'confirmed'"),
        ("/profile", "not-allowed", "must be one of 'best' or 'fast'"),
        (
            "/a~1b~0",
            "unknown-key",
            "is not a known key; known are q, type, agent, category, min_trust, proven, limit, profile",
        ),
        ("/q", "repeated", "stands more than once; give it once"),
    ]
    assert [(pointer, code) for pointer, code, _ in refused({"q": [" "]})] == [("/q", "missing-field")]
    assert [(pointer, code) for pointer, code, _ in refused({})] == [("/q", "missing-field")]
