"""How long tests wait for other processes: long, because a machine may be busy; none waits longer than it must."""

from __future__ import annotations

import time
from collections.abc import Callable
from typing import TypeVar

Found_ = TypeVar("Found_")

PATIENCE = 60.0
"""Seconds after which another process has failed."""

AT_ONCE = 20.0
"""Seconds within which an answer was not waited for: far more than one takes, far less than a wait without an end."""


def until(look: Callable[[], Found_], what: str, every: float = 0.02) -> Found_:
    """What `look` finds, once it finds something. Raises `AssertionError` when patience is over."""
    ends = time.monotonic() + PATIENCE
    while not (found := look()):
        assert time.monotonic() < ends, f"{what}: never, in {PATIENCE:.0f} seconds"
        time.sleep(every)
    return found
