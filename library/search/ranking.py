"""Ranking: BM25F a word at a time over arrays, and what the best documents of a question say beside its own words."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import cached_property
from threading import Lock

import numpy as np
from numpy.typing import NDArray

from .postings import Postings, Weights, Words

REPEATS = 1.0
"""A word that stands in a question `n` times counts `n * (REPEATS + 1) / (n + REPEATS)`: up to twice."""

FEEDBACK_DOCUMENTS = 10
FEEDBACK_FROM = 1_000
"""Of fewer documents the tenth best is about something else."""

FEEDBACK_WORDS = 20
FEEDBACK_WEIGHT = 0.3
"""How much the best word of the best documents counts, beside a word of the question that counts 1."""

Scores = NDArray[np.float32]


class Ranker:
    """Scores the documents of one index. Threads may share one."""

    def __init__(self, postings: Postings) -> None:
        self._postings = postings
        self._lock = Lock()

    def scores(self, words: Mapping[str, float]) -> Scores:
        """A score for each document by number, 0 where no word fits. `words` are stems with their weights."""
        found = np.zeros(self._postings.size, dtype=np.float32)
        for word, weight in words.items():
            posting = self._postings.of(word)
            if posting is not None:
                found[posting.ids] += weight * posting.impacts
        return found

    def of_parts(self, parts: Sequence[Mapping[str, float]]) -> Scores:
        """The root of the squares' sum over all parts: one that fits well counts more than many that fit a little."""
        found = [self.scores(words) for words in parts] or [self.scores({})]
        return found[0] if len(found) == 1 else np.sqrt(np.sum(np.square(found), axis=0))

    def with_feedback(self, words: Mapping[str, float], scores: Scores) -> Scores:
        """Better scores: once more, with the words that the best documents of the first round have in common.

        Pseudo-relevance feedback; Rocchio (1971) with the scores as weights. Documents that hold no word of the
        question get none.
        """
        best = top(scores, FEEDBACK_DOCUMENTS)
        if self._postings.size < FEEDBACK_FROM or not len(best):
            return scores
        stems = self._postings.words.stems
        sums = np.zeros(len(stems), dtype=np.float32)
        for number in best:
            ids, impacts = self._forward.of(int(number))
            sums[ids] += impacts * (scores[number] / scores[best[0]])
        held = np.flatnonzero(sums)
        chosen = held[top(sums[held], FEEDBACK_WORDS)]
        strongest = max(words.values()) * FEEDBACK_WEIGHT / float(sums[chosen[0]])
        again = scores + self.scores({stems[i]: float(sums[i]) * strongest for i in chosen})
        again[scores <= 0] = 0
        return again

    def warm(self) -> None:
        """Decode every posting now, so that no question waits for it."""
        _ = self._forward

    @property
    def _forward(self) -> _Forward:
        with self._lock:
            return self._made

    @cached_property
    def _made(self) -> _Forward:
        return _Forward(self._postings.words, self._postings.size)


class _Forward:
    """The index the other way round: for each document its stems and their impacts."""

    def __init__(self, words: Words, size: int) -> None:
        self._words = words
        self._order = np.argsort(words.held, kind="stable").astype(np.uint32)
        self._starts = np.concatenate([[0], np.cumsum(np.bincount(words.held, minlength=size))])

    def of(self, number: int) -> tuple[NDArray[np.intp], Weights]:
        """A document's stems, by their places, and their impacts."""
        postings = self._order[self._starts[number] : self._starts[number + 1]]
        return np.searchsorted(self._words.starts, postings, side="right") - 1, self._words.impacts[postings]


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
