"""How much the tests try: the short form at every change, with `PLAYBOOKS_LONG=1` the long one, every night."""

from __future__ import annotations

import os
from typing import TypeVar

Amount_ = TypeVar("Amount_")

LONG = bool(os.environ.get("PLAYBOOKS_LONG"))


def many(short: Amount_, long: Amount_) -> Amount_:
    """How many in the form that is asked for."""
    return long if LONG else short
