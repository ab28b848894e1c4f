"""Words that were typed wrong: the nearest known ones by symmetric deletion, and words that begin as typed.

Two words within one edit (a letter more, fewer, another, or two swapped) become the same when a letter is left out of
each; so the words of the index are kept by all their forms with one letter left out (Garbe's SymSpell).
"""

from array import array
from bisect import bisect_left
from collections.abc import Iterable, Iterator, Sequence
from zlib import crc32

import numpy as np
from numpy.typing import NDArray

SHORTEST = 3
"""Shorter words are not corrected: too many others are one letter away. These keep their first letter."""


class Speller:
    """Knows words and how many documents hold each."""

    def __init__(self, words: Iterable[tuple[str, int]]) -> None:
        self._counts = dict(words)
        self._sorted = sorted(self._counts)
        self._hashes, self._places = _hashed(self._sorted)

    def __contains__(self, word: str) -> bool:
        """Whether the word is known as it is."""
        return word in self._counts

    def nearest(self, word: str) -> str | None:
        """The known word within one edit that most documents hold; one with the same first letter before others."""
        if len(word) < SHORTEST or word.isdigit():
            return None
        near = {found for found in self._alike(word) if _one_edit(word, found)}
        if len(word) == SHORTEST:
            near = {found for found in near if found[0] == word[0]}
        return min(near, key=lambda found: (found[0] != word[0], -self._counts[found], found), default=None)

    def _alike(self, word: str) -> Iterator[str]:
        """The known words that share a form with this one, and perhaps others: forms are kept as numbers."""
        forms = np.array([_hash(form) for form in _forms(word)], dtype=np.uint32)
        starts, ends = (np.searchsorted(self._hashes, forms, side) for side in ("left", "right"))
        for start, end in zip(starts.tolist(), ends.tolist(), strict=True):
            yield from (self._sorted[place] for place in self._places[start:end].tolist())

    def beginning(self, start: str, most: int) -> list[str]:
        """Known words that begin so, those in most documents first."""
        at = bisect_left(self._sorted, start)
        found: list[str] = []
        while at < len(self._sorted) and self._sorted[at].startswith(start) and len(found) < 50 * most:
            found.append(self._sorted[at])
            at += 1
        return sorted(found, key=lambda word: (-self._counts[word], word))[:most]

    def halves(self, word: str) -> tuple[str, str] | None:
        """Two words that several documents hold, written as one; the pair whose rarer word is least rare."""
        pairs = [(word[:at], word[at:]) for at in range(3, len(word) - 2)]
        known = [pair for pair in pairs if min(self._counts.get(part, 0) for part in pair) > 1]
        return max(known, key=lambda pair: min(self._counts[pair[0]], self._counts[pair[1]]), default=None)


def _hashed(words: Sequence[str]) -> tuple[NDArray[np.uint32], NDArray[np.uint32]]:
    """The forms of all words as numbers, in order, and the place of the word of each."""
    hashes, places = array("I"), array("I")
    for place, word in enumerate(words):
        if len(word) >= SHORTEST and not word.isdigit():
            forms = _forms(word)
            hashes.extend(map(_hash, forms))
            places.extend([place] * len(forms))
    found = np.frombuffer(hashes, dtype=np.uint32)
    order = np.argsort(found, kind="stable")
    return found[order], np.frombuffer(places, dtype=np.uint32)[order]


def _hash(form: str) -> int:
    return crc32(form.encode("utf-8", "surrogatepass"))


def _forms(word: str) -> set[str]:
    """The word, and it without each of its letters."""
    return {word, *(word[:at] + word[at + 1 :] for at in range(len(word)))}


def _one_edit(one: str, other: str) -> bool:
    """Whether one letter more, fewer or other, or a swap of two that stand side by side, makes one the other."""
    if abs(len(one) - len(other)) > 1:
        return False
    at = next((i for i, (a, b) in enumerate(zip(one, other, strict=False)) if a != b), min(len(one), len(other)))
    tails = one[at + 1 :] == other[at + 1 :], one[at + 1 :] == other[at:], one[at:] == other[at + 1 :]
    swapped = one[at : at + 2] == other[at : at + 2][::-1] and one[at + 2 :] == other[at + 2 :]
    return any(tails) or swapped
