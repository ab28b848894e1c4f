"""What words of a question mean: what editors say in `content/synonyms.yaml`."""

from collections import defaultdict
from collections.abc import Iterable, Iterator, Sequence

from .words import STOP_WORDS, spelt, stem

WEIGHT = 1.0
"""How much a word counts that the question means, beside one that it holds."""

LONGEST = 6
"""A phrase of more words is not looked for."""


class Meanings:
    """Pairs of what is said and what is meant: the phrases of each."""

    def __init__(self, pairs: Iterable[tuple[Sequence[str], Sequence[str]]]) -> None:
        self._meant: dict[tuple[str, ...], set[str]] = defaultdict(set)
        self._words: set[str] = set()
        for said, meant in pairs:
            words = {word for phrase in meant for word in phrase_of(phrase)}
            for phrase in said:
                self._meant[phrase_of(phrase)] |= words
                self._words.update(word for word, _, _ in spelt(phrase))

    def knows(self, word: str) -> bool:
        """Whether a word stands in a phrase: then it was not typed wrong."""
        return word in self._words

    def of(self, phrase: Sequence[str]) -> dict[str, float]:
        """The stems that are meant beside those of a question, each with its weight."""
        found = {word for run in _runs(phrase) for word in self._meant.get(run, ())}
        return dict.fromkeys(sorted(found - set(phrase)), WEIGHT)


def phrase_of(text: str) -> tuple[str, ...]:
    """The stems of a text in their order."""
    return tuple(stem(word) for word, _, _ in spelt(text) if word not in STOP_WORDS)


def _runs(words: Sequence[str]) -> Iterator[tuple[str, ...]]:
    """Every run of words that could be a phrase."""
    for start in range(len(words)):
        for end in range(start + 1, min(len(words), start + LONGEST) + 1):
            yield tuple(words[start:end])
