"""Ranking: a word at a time over arrays; what the best documents say beside a question's words; and whether one fits.

Every sum is made in the order in which a browser makes it, so that both give the same numbers to the last bit.
"""

from collections.abc import Mapping, Sequence

import numpy as np
from numpy.typing import NDArray

from .compact import Compact

FEEDBACK_DOCUMENTS = 10
FEEDBACK_WORDS = 20
FEEDBACK_WEIGHT = 0.3
"""How much the best word of the best documents counts, beside a word of the question that counts 1."""

COEFFICIENTS = (-6.4, 3.19, 4.75, 2.76, 0.85)
"""Fitted by `python -m tools.closeness`: of a constant, and of the numbers that `evidence` gives."""

STRONG = 168
"""A word says at least so much of a document in whose title it stands, or in how people ask for it."""

Scores = NDArray[np.float64]


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
