"""What a shape needs to be looked for at all stands in whatever has it: the looks before the search lose nothing."""

from __future__ import annotations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from library.rules import privacy


@pytest.mark.slow
@settings(max_examples=100, deadline=None)
@given(
    st.sampled_from([shape for shape in privacy.SHAPES if shape.when == "long"]).flatmap(
        lambda shape: st.from_regex(shape.pattern, fullmatch=True)
    )
)
def test_whatever_has_the_shape_of_a_token_is_long_enough_to_be_looked_for(token: str) -> None:
    assert privacy.PATTERNS["long"].search(token)
