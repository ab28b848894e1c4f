"""One look over all texts of a record: in which of them a pattern is met at all, so that the others are left alone."""

from __future__ import annotations

import re
from bisect import bisect_right
from collections.abc import Sequence
from itertools import accumulate


def met(pattern: re.Pattern[str], texts: Sequence[str]) -> list[int]:
    """The numbers of the texts in which `pattern` is met, in order.

    They are searched as the lines of one text, so it is for patterns that match no line's end and look beyond none:
    to those each text is as it is alone.
    """
    places = [match.start() for match in pattern.finditer("\n".join(texts))]
    if not places:
        return []
    ends = list(accumulate([len(text) + 1 for text in texts]))
    return sorted({bisect_right(ends, place) for place in places})
