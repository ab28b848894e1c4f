"""Ranking: a word at a time over arrays, and what the best documents of a question say beside its own words.

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
    best = top(scores, FEEDBACK_DOCUMENTS)
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


def top(scores: Scores, count: int) -> NDArray[np.intp]:
    """The numbers of the documents with the highest scores above 0, best first; equal ones in their order."""
    near = near_top(scores, count)
    return near[np.argsort(-scores[near], kind="stable")][:count]


def near_top(scores: Scores, count: int) -> NDArray[np.intp]:
    """The numbers of the `count` documents with the highest scores above 0 and of all equal to the last, in order."""
    if not 0 < count < len(scores):
        return np.flatnonzero(scores > 0) if count else np.zeros(0, dtype=np.intp)
    floor = np.partition(scores, len(scores) - count)[len(scores) - count]
    return np.flatnonzero(scores >= floor) if floor > 0 else np.flatnonzero(scores > 0)
