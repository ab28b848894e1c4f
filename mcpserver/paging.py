"""Opaque cursors: a page begins after the last thing of the page before it, whatever was built meanwhile."""

import base64
import binascii
from bisect import bisect_right
from collections.abc import Callable, Sequence
from typing import TypeVar

T = TypeVar("T")
PAGE = 50
_LONGEST = 400


class BadCursor(Exception):
    """A cursor that this list did not give."""


def page(
    items: Sequence[T], cursor: str | None, name: str, key: Callable[[T], str], size: int = PAGE
) -> tuple[Sequence[T], str | None]:
    """The items after the cursor, at most `size`, and the cursor of the next page; None at the end.

    `items` are ordered by `key`; `name` is the list's. Raises `BadCursor`.
    """
    start = 0 if cursor is None else bisect_right(items, _after(cursor, name), key=key)
    found = items[start : start + size]
    more = start + size < len(items)
    return found, _cursor(name, key(found[-1])) if found and more else None


def _cursor(name: str, after: str) -> str:
    return base64.urlsafe_b64encode(f"{name}\n{after}".encode()).decode("ascii").rstrip("=")


def _after(cursor: str, name: str) -> str:
    try:
        raw = base64.b64decode(cursor + "=" * (-len(cursor) % 4), altchars=b"-_", validate=True)
        told, gap, after = raw.decode("ascii").partition("\n")
    except (binascii.Error, UnicodeError, ValueError) as error:
        raise BadCursor from error
    if len(cursor) > _LONGEST or told != name or not gap:
        raise BadCursor
    return after
