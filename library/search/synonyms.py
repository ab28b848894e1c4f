"""What words of a question mean: what editors say in `content/synonyms.yaml`."""

from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import NamedTuple

from .words import STOP_WORDS, spelt, stem

LONGEST = 6
"""A phrase of more words is not looked for."""


class Meanings(NamedTuple):
    """What is meant by a phrase: both as stems with a space between. `said` are the words of all phrases as spelt."""

    meant: Mapping[str, Sequence[str]]
    said: frozenset[str]

    def of(self, phrase: Sequence[str]) -> dict[str, float]:
        """The stems that are meant beside those of a question, each with its weight."""
        found = {word for run in _runs(phrase) for word in self.meant.get(run, ())}
        return dict.fromkeys(sorted(found - set(phrase)), 1.0)


def meanings_of(pairs: Iterable[tuple[Sequence[str], Sequence[str]]]) -> Meanings:
    """The meanings of pairs of what is said and what is meant: the phrases of each."""
    meant: dict[str, set[str]] = defaultdict(set)
    said: set[str] = set()
    for phrases, others in pairs:
        words = {word for phrase in others for word in phrase_of(phrase)}
        for phrase in phrases:
            meant[" ".join(phrase_of(phrase))] |= words
            said.update(word for word, _, _ in spelt(phrase))
    return Meanings({phrase: sorted(words) for phrase, words in sorted(meant.items())}, frozenset(said))


def phrase_of(text: str) -> tuple[str, ...]:
    """The stems of a text in their order."""
    return tuple(stem(word) for word, _, _ in spelt(text) if word not in STOP_WORDS)


def _runs(words: Sequence[str]) -> Iterator[str]:
    """Every run of words that could be a phrase."""
    for start in range(len(words)):
        for end in range(start + 1, min(len(words), start + LONGEST) + 1):
            yield " ".join(words[start:end])
