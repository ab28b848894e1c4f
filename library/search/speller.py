"""Words that were typed wrong: the nearest known ones, by SymSpell, and words that begin as typed."""

from bisect import bisect_left
from collections.abc import Iterable
from functools import cache
from importlib.resources import files

from symspellpy import SymSpell, Verbosity

MIN_COUNT = 40_000
"""Rarer words of the list of English are often misspellings themselves."""

SHORTEST = 3
"""Shorter words are not corrected: too many others are one letter away. These keep their first letter."""


@cache
def english() -> frozenset[str]:
    """The words of English: what is one was not typed wrong, whether or not the library knows it.

    About 68,000, from the frequency list of symspellpy (Google Books and SCOWL, MIT).
    """
    text = (files("symspellpy") / "frequency_dictionary_en_82_765.txt").read_text(encoding="utf-8-sig")
    pairs = (line.split(" ") for line in text.splitlines())
    return frozenset(word for word, count in pairs if int(count) >= MIN_COUNT)


class Speller:
    """Knows words and how many documents hold each."""

    def __init__(self, words: Iterable[tuple[str, int]]) -> None:
        self._counts = dict(words)
        self._sorted = sorted(self._counts)
        self._near = SymSpell(max_dictionary_edit_distance=1)
        for word in self._sorted:
            if len(word) >= SHORTEST and not word.isdigit():
                self._near.create_dictionary_entry(word, self._counts[word])

    def __contains__(self, word: str) -> bool:
        """Whether the word is known as it is."""
        return word in self._counts

    def nearest(self, word: str) -> str | None:
        """The known word within one edit (a letter more, fewer or other, or two swapped) that most documents hold.

        One with the same first letter comes before others.
        """
        if len(word) < SHORTEST or word.isdigit():
            return None
        near = [item.term for item in self._near.lookup(word, Verbosity.ALL)]
        if len(word) == SHORTEST:
            near = [found for found in near if found[0] == word[0]]
        return min(near, key=lambda found: (found[0] != word[0], -self._counts[found], found), default=None)

    def beginning(self, start: str, most: int) -> list[str]:
        """Known words that begin so, those in most documents first."""
        at = bisect_left(self._sorted, start)
        found = [word for word in self._sorted[at : at + 50 * most] if word.startswith(start)]
        return sorted(found, key=lambda word: (-self._counts[word], word))[:most]

    def halves(self, word: str) -> tuple[str, str] | None:
        """Two words that several documents hold, written as one; the pair whose rarer word is least rare."""
        pairs = [(word[:at], word[at:]) for at in range(3, len(word) - 2)]
        known = [pair for pair in pairs if min(self._counts.get(part, 0) for part in pair) > 1]
        return max(known, key=lambda pair: min(self._counts[pair[0]], self._counts[pair[1]]), default=None)
