"""How long a text says that something takes, roughly: what a list needs in order to be sorted by time."""

from __future__ import annotations

import re

_WORDS = "one two three four five six seven eight nine ten eleven twelve".split()
_AMOUNTS = {word: float(number) for number, word in enumerate(_WORDS, 1)}
_AMOUNTS |= {"a": 1.0, "an": 1.0, "half a": 0.5, "half an": 0.5, "fifteen": 15.0, "twenty": 20.0, "thirty": 30.0}
_SOME = 3.0
"""What "a few" and a plain plural stand for."""

_AMOUNTS |= {"a few": _SOME, "few": _SOME, "several": _SOME, "a couple of": 2.0}
_UNITS = {"minute": 1, "hour": 60, "morning": 240, "afternoon": 240, "evening": 240, "day": 480, "weekend": 960}
_UNITS |= {"week": 2400, "sprint": 4800, "month": 9600, "year": 100_000}
"""In minutes of work: a day has eight hours, a week five days."""

_AMOUNT = r"\d{1,4}(?:\.\d+)?|" + "|".join(sorted(_AMOUNTS, key=len, reverse=True))
_DURATION = re.compile(
    rf"\b(?:(?P<least>{_AMOUNT})(?:\s*(?:-|–|to|or)\s*(?:{_AMOUNT}))?\s+)?(?P<unit>{'|'.join(_UNITS)})(?P<many>s?)\b",
    re.IGNORECASE,
)
_NOT_SAID = re.compile(r"\bno account\b[^.;]*", re.IGNORECASE)


def minutes(text: str) -> int | None:
    """The least of the first duration in a text, in minutes of work; None where it names none."""
    for found in _DURATION.finditer(_NOT_SAID.sub("", text)):
        if found["least"]:
            least = found["least"].lower()
            return round((_AMOUNTS.get(least) or float(least)) * _UNITS[found["unit"].lower()])
        if found["many"]:
            return round(_SOME * _UNITS[found["unit"].lower()])
    return None
