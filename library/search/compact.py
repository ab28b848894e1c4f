"""The compact index, read and ranked by: a word at a time; what the best documents say beside; whether one fits.

`postings` says how its bytes lie. Every sum is made in the order in which a browser makes it, so that both give the
same numbers to the last bit.
"""

import json
from bisect import bisect_left
from collections.abc import Mapping, Sequence
from functools import cache, cached_property, lru_cache
from pathlib import Path
from typing import Any, NamedTuple
from zlib import crc32

import msgspec
import numpy as np
from numpy.typing import NDArray

from .words import Meanings

HEAD = "search.bin"
PER_SHOWN = 64  # so many documents are shown by one part
NAMED, JOB = "=", "@"  # what stands before a whole name, and before the name of a job, where they are terms
FEEDBACK_DOCUMENTS, FEEDBACK_WORDS = 10, 20
FEEDBACK_WEIGHT = 0.3  # of the best of those words, where a word of the question counts 1
COEFFICIENTS = (-6.4, 3.19, 4.75, 2.76, 0.85)  # a constant, and of what `evidence` gives: from `tools.closeness`
STRONG = 168  # a word says at least so much of a document in whose title it stands, or in how people ask for it

Scores = NDArray[np.float64]
Ref = Sequence[int] | str  # where a part is: a place in the head, or a file
Mask = NDArray[np.bool_]  # a truth value for each document


class Posting(NamedTuple):
    """The documents that hold a term, in order; how much it says of each, from 1 to 255; and how rare it is."""

    documents: NDArray[Any]
    impacts: NDArray[np.uint8]
    idf: int


class _Part:
    """A part: its lines in order, and the numbers behind."""

    def __init__(self, data: bytes) -> None:
        end = 4 + int.from_bytes(data[:4], "little")
        self.lines = data[4:end].split(b"\n") if end > 4 else []
        self.rest = np.frombuffer(data, np.uint8)[end:]

    def numbers(self, size: int, count: int) -> NDArray[np.int64]:
        """The next numbers of so many bytes each."""
        found = np.zeros(size, np.int64)
        for at in range(count):
            found |= self.rest[size * at : size * (at + 1)].astype(np.int64) << 8 * at
        self.rest = self.rest[size * count :]
        return found


class _TermsPart(_Part):
    def __init__(self, data: bytes) -> None:
        super().__init__(data)
        sizes, self._idf = self.numbers(len(self.lines), 3), self.numbers(len(self.lines), 2)
        self._starts = np.concatenate([[0], np.cumsum(sizes)])
        sums = np.cumsum(self.numbers(int(self._starts[-1]), 3))  # of the steps of all terms
        before = np.concatenate([[0], sums])[self._starts[:-1]]
        self._documents = (sums - np.repeat(before, sizes)).astype(np.int32)

    def of(self, term: bytes) -> Posting | None:
        at = bisect_left(self.lines, term)
        if at == len(self.lines) or self.lines[at] != term:
            return None
        span = slice(self._starts[at], self._starts[at + 1])
        return Posting(self._documents[span], self.rest[span], int(self._idf[at]))


class Compact:
    """Reads the compact index in a folder. Threads may share one."""

    def __init__(self, place: Path) -> None:
        self._place = place
        data = (place / HEAD).read_bytes()
        end = 4 + int.from_bytes(data[:4], "little")
        self._head, self._body = json.loads(data[4:end]), data[end:]
        self.size: int = self._head["size"]
        self.rarest: int = self._head["rarest"]
        self.large: bool = self._head["large"]
        self.meanings = Meanings(self._head["means"], frozenset(self._head["said"]))
        self.having = lru_cache(maxsize=512)(self._having)
        self._terms = cache(lambda number: _TermsPart(self._part(self._head["terms"][number])))
        self._shown = cache(lambda at: msgspec.json.decode(self._part(self._head["shown"][at]), type=list[msgspec.Raw]))

    def _part(self, ref: Ref) -> bytes:
        return (self._place / ref).read_bytes() if isinstance(ref, str) else self._body[ref[0] : ref[1]]

    def of(self, term: str) -> Posting | None:
        """The postings of a term; None where no document holds it."""
        name = term.encode("utf-8", "surrogatepass")
        return self._terms(crc32(name) % len(self._head["terms"])).of(name)

    def stored(self, number: int) -> dict[str, Any]:
        """What is shown of a document."""
        found: dict[str, Any] = msgspec.json.decode(self._shown(number // PER_SHOWN)[number % PER_SHOWN])
        return found

    @cached_property
    def spelt(self) -> list[tuple[str, int]]:
        """Every word as it is spelt, in order, with the number of documents that hold it."""
        part = _Part(self._part(self._head["words"]))
        counts = part.numbers(len(part.lines), 3).tolist()
        return [(word.decode(), count) for word, count in zip(part.lines, counts, strict=True)]

    def _having(self, field: str, value: str) -> Mask:
        """Which documents have this value in a field that filters."""
        found = np.zeros(self.size, dtype=bool)
        found[np.cumsum(self.values(field).get(value, []), dtype=np.int64)] = True
        return found

    def values(self, field: str) -> dict[str, list[int]]:
        """The values of a field that filters, in order, each with the steps between its documents."""
        found: dict[str, list[int]] = self._head["filters"][field]
        return found


def of_words(index: Compact, words: Mapping[str, float]) -> Scores:
    """A score for each document by number, 0 where no word fits. `words` are stems with their weights."""
    found = np.zeros(index.size)
    for word, weight in words.items():
        if posting := index.of(word):
            found[posting.documents] += weight * posting.idf * posting.impacts
    return found


def of_parts(index: Compact, parts: Sequence[Mapping[str, float]]) -> Scores:
    """The root of the squares' sum over all parts: one that fits well counts more than many that fit a little."""
    if len(parts) == 1:
        return of_words(index, parts[0])
    total = np.zeros(index.size)
    for words in parts:
        found = of_words(index, words)
        total += found * found
    root: Scores = np.sqrt(total)
    return root


def with_feedback(index: Compact, words: Mapping[str, float], scores: Scores) -> Scores:
    """Better scores: once more, with the words that the best documents of the first round have in common.

    Pseudo-relevance feedback; Rocchio (1971) with the scores as weights. Documents that hold no word of the question
    get none. Of few documents the tenth best is about something else: there nothing is asked again.
    """
    near = near_top(scores, FEEDBACK_DOCUMENTS)
    best = near[np.argsort(-scores[near], kind="stable")][:FEEDBACK_DOCUMENTS]
    if not index.large or not len(best):
        return scores
    sums: dict[str, float] = {}
    for number in best.tolist():
        share = scores[number] / scores[best[0]]
        for word, weight in index.stored(number)["says"].items():
            sums[word] = sums.get(word, 0.0) + weight * share
    chosen = sorted(sums, key=lambda word: (-sums[word], word))[:FEEDBACK_WORDS]
    strongest = max(words.values()) * FEEDBACK_WEIGHT / sums[chosen[0]]
    again = scores + of_words(index, {word: sums[word] * strongest for word in chosen})
    again[scores <= 0] = 0
    return again


def near_top(scores: Scores, count: int) -> NDArray[np.intp]:
    """The numbers of the `count` documents with the highest scores above 0 and of all equal to the last, in order."""
    floor = np.partition(scores, len(scores) - count)[len(scores) - count] if 0 < count < len(scores) else 0.0
    return np.flatnonzero((scores >= floor) & (scores > 0))


def evidence(index: Compact, words: Mapping[str, float], unknown: int, number: int) -> tuple[float, ...]:
    """What speaks for a document: how much the question's words say of it, the shares of them in its title and `asked`,
    and anywhere, and how many were asked. A rare word is a larger share, and one that nothing holds the largest."""
    worth = strong = held = 0.0
    mass = float(unknown * index.rarest)
    for word in words:
        if posting := index.of(word):
            at = int(np.searchsorted(posting.documents, number))
            found = at < len(posting.documents) and posting.documents[at] == number
            impact = int(posting.impacts[at]) if found else 0
            mass += posting.idf
            worth += posting.idf * impact
            held += posting.idf if impact else 0
            strong += posting.idf if impact >= STRONG else 0
    whole = mass or 1.0
    return worth / whole / 255, strong / whole, held / whole, float(len(words) + unknown)


def is_close(numbers: Sequence[float]) -> bool:
    """Whether a document of which so much speaks is more likely one that was looked for than not."""
    constant, *weights = COEFFICIENTS
    for weight, value in zip(weights, numbers, strict=True):
        constant += weight * value
    return constant > 0
