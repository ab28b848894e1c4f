"""The words of English: what is one was not typed wrong, whether or not the library knows it."""

from functools import cache
from importlib.resources import files

MIN_COUNT = 40_000
"""Rarer words of the list are often misspellings themselves."""


@cache
def english() -> frozenset[str]:
    """About 68,000 words, from the frequency list of symspellpy (Google Books and SCOWL, MIT)."""
    text = (files("symspellpy") / "frequency_dictionary_en_82_765.txt").read_text(encoding="utf-8-sig")
    pairs = (line.split(" ") for line in text.splitlines())
    return frozenset(word for word, count in pairs if int(count) >= MIN_COUNT)
