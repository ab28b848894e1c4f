"""One look over all texts of a record finds whatever a look at each of them would find."""

from __future__ import annotations

import re

import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st

from library.rules import markdown, privacy
from library.rules.looking import met
from tests.library.privacy_set import SET

_PARTS = st.sampled_from(
    [
        "a", "1", "23", " ", "\n", "\t", "@", "-", "--", "=", "<", "`", "``", "~~", "]", ":", "(", "[", "!", "#", "/",
        "home/", "Users/", "\\", "pass", "W", "PASS=", "pwd", " dot ", "ſ", "ß", "İ", "\u200b", "\u0661", "\u2212",
        "at", "(at)", "x", "oxb-", "-----BEGIN", "ab12", "::", "\u0301", "\x1f", "\u2028", "\x0b", "_",
    ]
)  # fmt: skip
_TEXTS = st.lists(st.lists(_PARTS, max_size=8).map("".join) | st.sampled_from([item.text for item in SET]), max_size=6)


def test_the_texts_in_which_a_pattern_is_met_are_told_by_their_numbers() -> None:
    assert met(re.compile("b+"), ["a", "b", "", "a\nb b", "a", "bb"]) == [1, 3, 5]
    assert met(re.compile("b+"), []) == []


@pytest.mark.slow
@settings(max_examples=250, deadline=None)
@given(_TEXTS)
@example(["a", "=", ""])
@example(["Pass", "word"])
def test_every_text_in_which_something_private_is_found_is_a_suspect(texts: list[str]) -> None:
    suspects = privacy.suspects(texts)
    assert suspects == sorted(set(suspects))
    found = [number for number, text in enumerate(texts) if list(privacy.find(text))]
    assert set(found) <= set(suspects)


@pytest.mark.slow
@settings(max_examples=250, deadline=None)
@given(_TEXTS)
@example(["a\n-", "- \t", "=="])
def test_the_special_texts_are_those_that_are_special_alone(texts: list[str]) -> None:
    assert markdown.specials(texts) == [number for number, text in enumerate(texts) if markdown.is_special(text)]


@pytest.mark.slow
@settings(max_examples=100, deadline=None)
@given(st.sampled_from(privacy.TOKEN_SHAPES).flatmap(lambda shape: st.from_regex(shape.pattern, fullmatch=True)))
def test_whatever_has_the_shape_of_a_token_is_long_enough_to_be_looked_for(token: str) -> None:
    assert met(privacy._LONG, [token]) == [0]


@pytest.mark.slow
@settings(max_examples=100, deadline=None)
@given(st.sampled_from(privacy.FIGURE_SHAPES[1:]).flatmap(lambda shape: st.from_regex(shape.pattern, fullmatch=True)))
def test_whatever_is_accepted_as_a_number_has_figures_enough_to_be_looked_for(number: str) -> None:
    text = privacy.normalised(number)
    for shape in privacy.FIGURE_SHAPES[1:]:
        if any(shape.accept(match) for match in re.finditer(shape.pattern, text)):
            assert privacy._SEVEN.search(text)
