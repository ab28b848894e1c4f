"""The differences of two versions, told in words and in pieces from which both versions can be put together again."""

from __future__ import annotations

from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from library.content.changes import AROUND, MOST_WORDS, DescribedChange, Difference, differences
from library.content.history import Change

WORDS = st.lists(st.sampled_from(["a", "b", "c", " ", "\n"]), max_size=12).map("".join)


def of(before: dict[str, Any], after: dict[str, Any]) -> list[Difference]:
    return list(differences(before, after))


def words(before: dict[str, Any], after: dict[str, Any]) -> tuple[str, ...]:
    """What a list of changes says of this one."""
    change = Change("0" * 40, 1, 0, "Ada", "S", "a" * 40, "b" * 40)
    return DescribedChange(change, tuple(of(before, after))).words


def side(pieces: tuple[tuple[str, str], ...], other: str) -> str:
    """One of the two texts: all pieces but those of the other."""
    return "".join(text for kind, text in pieces if kind != other)


@pytest.mark.slow
@given(WORDS, WORDS)
def test_both_texts_can_be_read_from_the_pieces(old: str, new: str) -> None:
    if old == new:
        assert of({"cost": old}, {"cost": new}) == []
        return
    [one] = of({"cost": old}, {"cost": new})
    assert (side(one.pieces, "ins"), side(one.pieces, "del")) == (old, new)
    assert all(text for _, text in one.pieces)


def test_fields_are_told_in_the_order_of_the_new_version_and_lost_ones_last() -> None:
    found = of({"a": "1", "gone": "x", "b": "2"}, {"b": "3", "came": "y", "a": "4"})
    assert [(item.field, item.done) for item in found] == [
        ("b", "changed"),
        ("came", "added"),
        ("a", "changed"),
        ("gone", "removed"),
    ]
    assert of({"a": "1", "b": "2"}, {"b": "2", "a": "1"}) == []


@pytest.mark.parametrize(
    ("before", "after", "told"),
    [
        ({"cost": "a"}, {"cost": "b"}, ("Cost: changed",)),
        ({}, {"risk_note": "b"}, ("Risk note: added",)),
        ({"tags": ["a", "b"]}, {"tags": ["b", "a"]}, ("Tags: put in another order",)),
        ({"tags": ["a", "b"]}, {"tags": ["b", "a", "c"]}, ("Tags: 1 added, put in another order",)),
        ({"tags": ["a"]}, {"tags": ["b", "c"]}, ("Tags: 2 added, 1 removed",)),
        ({"tags": ["a"]}, {"tags": ["a", "b"]}, ("Tags: 1 added",)),
        ({"tags": ["a"]}, {}, ("Tags: 1 removed",)),
        (
            {"steps": [{"title": "A", "check": "x"}, {"title": "B", "check": "x"}]},
            {"steps": [{"title": "A", "check": "y"}, {"title": "C", "check": "x"}]},
            ("Steps: 1 added, 1 changed, 1 removed",),
        ),
    ],
)
def test_what_was_done_to_a_field_is_said_in_words(
    before: dict[str, Any], after: dict[str, Any], told: tuple[str, ...]
) -> None:
    assert words(before, after) == told


def test_items_of_one_name_are_known_by_their_number() -> None:
    same = {"title": "A", "check": "x"}
    found = of({"steps": [same, same]}, {"steps": [same, {**same, "check": "y"}, same]})
    assert [(item.name, item.done) for item in found] == [("Step: A", "changed"), ("Step: A", "added")]


@pytest.mark.parametrize(
    ("field", "item", "name"),
    [
        ("steps", {"title": "A"}, "Step: A"),
        ("failures", {"problem": "It hangs", "fix": "F"}, "Failure: It hangs"),
        ("human_checkpoints", "Before step 1", "Human checkpoint: Before step 1"),
        ("evidence", {"title": "T", "url": "U"}, "Public account: T"),
        ("references", {"url": "U"}, "Reference: U"),
        ("tags", "x" * 80, f"Tag: {'x' * 80}"),
        ("tags", f"{'x' * 70} yyyyyyyyyy", f"Tag: {'x' * 70}…"),
    ],
)
def test_an_item_is_called_by_what_it_is(field: str, item: Any, name: str) -> None:
    assert [one.name for one in of({}, {field: [item]})] == [name]


def test_an_item_that_came_or_went_shows_what_its_name_does_not() -> None:
    step = {"title": "A", "risk_note": "x"}
    assert of({}, {"steps": [step]})[0].pieces == (("ins", "Title: A\nRisk note: x"),)
    assert of({"steps": [step]}, {})[0].pieces == (("del", "Title: A\nRisk note: x"),)
    assert of({}, {"tags": ["a"]})[0].pieces == ()
    assert of({}, {"tags": [f"{'long ' * 30}end"]})[0].pieces == (("ins", f"{'long ' * 30}end"),)


def test_of_long_texts_only_what_stands_near_a_difference_is_shown() -> None:
    text = [f"w{number}" for number in range(200)]
    new = [*text]
    new[100] = "new"
    [one] = of({"prompt": " ".join(text)}, {"prompt": " ".join(new)})
    assert [kind for kind, _ in one.pieces] == ["gap", "same", "del", "ins", "same", "gap"]
    assert [len(piece.split()) for kind, piece in one.pieces if kind == "same"] == [AROUND, AROUND]


def test_very_long_texts_are_compared_by_lines() -> None:
    lines = [f"line {number} has words" for number in range(MOST_WORDS)]
    new = [*lines[:5], "line 5 had words", *lines[6:]]
    [one] = of({"prompt": "\n".join(lines)}, {"prompt": "\n".join(new)})
    assert [(kind, text) for kind, text in one.pieces if kind in ("del", "ins")] == [
        ("del", "line 5 has words\n"),
        ("ins", "line 5 had words\n"),
    ]
