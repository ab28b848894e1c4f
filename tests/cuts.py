"""Where work may be cut off: at each of its calls that reach the disk, the database or another program."""

from __future__ import annotations

import sqlite3
import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from types import FrameType, ModuleType

LOOKED_AT = {"fsync", "rename", "replace", "mkdir", "unlink", "fork_exec", "commit", "execute"}


@contextmanager
def watched(look: Callable[[str, str], None]) -> Iterator[None]:
    """`look` is told the name of each such call, and the function of the product that it is made for, before it is."""

    def profile(frame: FrameType, event: str, function: object) -> None:
        name = getattr(function, "__name__", "")
        owner = getattr(function, "__self__", None)  # a text has a `replace` too
        if (
            event == "c_call"
            and name in LOOKED_AT
            and isinstance(owner, ModuleType | sqlite3.Connection | sqlite3.Cursor)
        ):
            at: FrameType | None = frame
            while at and not at.f_globals.get("__name__", "").startswith(("writeapi", "library")):
                at = at.f_back
            look(name, f"{at.f_code.co_qualname}:{at.f_lineno}" if at else "")

    sys.setprofile(profile)
    try:
        yield
    finally:
        sys.setprofile(None)
