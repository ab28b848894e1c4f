"""What tests of several rooms of the write API need."""

from __future__ import annotations

import pytest

from tests.writeapi.store.builders import StandingClock


@pytest.fixture
def clock() -> StandingClock:
    """A clock that a test sets."""
    return StandingClock()
