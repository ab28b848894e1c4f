"""What a question means: its words as stems with weights, those typed wrong mended, synonyms and beginnings added."""

from bisect import bisect_left
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property

from symspellpy import SymSpell, Verbosity

from .compact import Compact
from .words import FRAMING, MAX_LENGTH, Analyzer, sentences

LONG = 14  # a question of more words that say something is read so
STEMS, SEGMENTS = 32, 24  # so many words are kept of it, and so many sentences: those that say most
FRAME = 0.2  # so much counts a word that frames any task
FEW = 4  # a sentence of fewer words belongs to the next
SHORT = 4  # of a word of so many letters only one left out is mended, or two swapped; shorter ones are left alone
BEGINNINGS = 8  # so many known words may complete one that is being typed
REPEATS = 1.0  # a word that stands in a question `n` times counts `n * (REPEATS + 1) / (n + REPEATS)`: up to twice
SHORTEST = 3  # shorter words are not mended, as too many others are one letter away; these keep their first letter
Weighed = dict[str, float]  # stems with their weights


class Speller:
    """Knows words and how many documents hold each."""

    def __init__(self, words: Iterable[tuple[str, int]]) -> None:
        self.counts = dict(words)
        self._sorted = sorted(self.counts)
        self._near = SymSpell(max_dictionary_edit_distance=1)
        for word in self._sorted:
            if len(word) >= SHORTEST and not word.isdigit():
                self._near.create_dictionary_entry(word, self.counts[word])

    def nearest(self, word: str) -> str | None:
        """The known word within one edit (a letter more, fewer or other, or two swapped), if there is one.

        One with the same first letter comes before others, one that is likely before one that is not, and then the one
        that most documents hold.
        """
        if len(word) < SHORTEST or word.isdigit():
            return None
        near = [item.term for item in self._near.lookup(word, Verbosity.ALL)]
        if len(word) == SHORTEST:
            near = [found for found in near if found[0] == word[0]]
        ranked = sorted(near, key=lambda found: (-self.counts[found], found))
        return min(ranked, key=lambda found: (found[0] != word[0], not is_likely(word, found)), default=None)

    def mended(self, word: str) -> tuple[str, ...]:
        """The known words that one nothing knows was meant to be; empty when there is no guess."""
        if len(word) > MAX_LENGTH:
            return ()
        near = self.nearest(word)
        return (near,) if near else self.halves(word) or ()

    def beginning(self, start: str, most: int) -> list[str]:
        """Known words that begin so, those in most documents first."""
        at = bisect_left(self._sorted, start)
        found = [word for word in self._sorted[at : at + 50 * most] if word.startswith(start)]
        return sorted(found, key=lambda word: (-self.counts[word], word))[:most]

    def halves(self, word: str) -> tuple[str, str] | None:
        """Two words that several documents hold, written as one; the pair whose rarer word is least rare."""
        pairs = [(word[:at], word[at:]) for at in range(3, len(word) - 2)]
        known = [pair for pair in pairs if min(self.counts.get(part, 0) for part in pair) > 1]
        return max(known, key=lambda pair: min(self.counts[pair[0]], self.counts[pair[1]]), default=None)


def is_likely(word: str, meant: str) -> bool:
    """Whether a letter was left out or two were swapped: in one way, where 26 letters can be put in place of one."""
    return len(meant) == len(word) + 1 or sorted(meant) == sorted(word)


@dataclass(frozen=True, slots=True)
class Meaning:
    """Each part of a question as stems with their weights; those to be marked; the question as it may have been meant.

    What is suggested was searched for already, unless nothing of the question is known: then it is only offered.
    `unknown` is how many words of a short question nothing holds; `pasted` says that it is a long one.
    """

    parts: tuple[Weighed, ...]
    marked: frozenset[str]
    suggestion: str | None = None
    unknown: int = 0
    pasted: bool = False


class QuestionReader:
    """Reads questions with the words of one index. Threads may share one."""

    def __init__(self, index: Compact) -> None:
        self._index = index
        self._words = index.analyzer

    def read(self, text: str, *, typing: bool, in_time: Callable[[], None] = lambda: None) -> Meaning:
        """What a question means; with `typing` its last word may be the beginning of one.

        `in_time` is called at each word of a short question and each sentence of a long one, and may raise.
        """
        typed = self._words.spelt(text)
        asked = [word for word in typed if word not in self._words.query_stop_words]
        asked = asked or [word for word in typed if word not in self._words.stop_words]
        if len(asked) > LONG:
            return self._pasted(text, in_time)
        return self._short(text, typed, asked, in_time, typing=typing)

    def _pasted(self, text: str, in_time: Callable[[], None]) -> Meaning:
        """What a long text means: the words that say most, in the sentences that say most. Nothing is mended."""
        read: list[Weighed] = []
        for words in _joined(sentences(text), self._words):
            in_time()
            read.append(self._sentence(words))
        parts = [*{frozenset(part): part for part in read}.values()]  # a line that a log repeats says no more
        said: Weighed = {}
        for word, weight in (pair for part in parts for pair in part.items()):
            if most := self._index.most(word):
                said[word] = max(said.get(word, 0.0), weight * most)
        kept = set(sorted(said, key=lambda word: (-said[word], word))[:STEMS])
        found = [{word: weight for word, weight in part.items() if word in kept} for part in parts]
        strength = [sum(said[word] for word in part) for part in found]
        best = sorted(range(len(found)), key=lambda at: (-strength[at], at))[:SEGMENTS]
        return Meaning(tuple(found[at] for at in sorted(best)), frozenset(kept), pasted=True)

    def _sentence(self, words: Sequence[str]) -> Weighed:
        stems = [self._words.stem(word) for word in words]
        weights = self._weighed(filter(self._index.most, stems), stems)
        for word in FRAMING & weights.keys():
            weights[word] *= FRAME
        return weights

    def _weighed(self, known: Iterable[str], phrase: Sequence[str]) -> Weighed:
        """The stems of a question that are known, and what its phrases mean beside them."""
        counts = Counter(known)
        weights = {word: count * (REPEATS + 1) / (count + REPEATS) for word, count in counts.items()}
        return weights | self._index.meanings.of(phrase)

    def _short(
        self, text: str, typed: Sequence[str], asked: Sequence[str], in_time: Callable[[], None], *, typing: bool
    ) -> Meaning:
        unfinished = asked[-1] if typing and asked and text[-1:].isalnum() and typed[-1] == asked[-1] else ""
        completed = self._speller.beginning(unfinished, BEGINNINGS) if unfinished else ()
        begun = [self._words.stem(word) for word in completed]
        words: list[str] = []
        mended: dict[str, str] = {}
        unknown: set[str] = set()
        for word in asked:
            in_time()
            if self._index.of(self._words.stem(word)) or (word == unfinished and begun):
                words.append(self._words.stem(word))
            elif fixed := self._surely(word):
                mended[word] = " ".join(fixed)
                words += [self._words.stem(part) for part in fixed if part not in self._words.query_stop_words]
            elif word not in self._index.meanings.said:
                unknown.add(word)
        weights = self._weighed(words, self._words.phrase_of(" ".join(mended.get(word, word) for word in typed)))
        for word in begun:
            weights.setdefault(word, 0.5)
        if not weights:  # a word of English stands for itself, but here it leads nowhere
            mended = {word: " ".join(fixed) for word in asked if (fixed := self._speller.mended(word))}
        meant = " ".join(mended.get(word, word) for word in typed) if mended else None
        return Meaning((weights,), frozenset(weights), meant, len(unknown))

    def _surely(self, word: str) -> tuple[str, ...]:
        """What a word that nobody knows was meant to be, where the guess is good enough to be searched for.

        Short words are often names that the library does not hold: `seo` is not `set`, and `saml` is not `same`.
        """
        if word in self._words.known or word in self._index.meanings.said:
            return ()
        fixed = self._speller.mended(word)
        return fixed if len(word) > SHORT or (fixed and len(word) == SHORT and is_likely(word, fixed[0])) else ()

    @cached_property
    def _speller(self) -> Speller:
        return Speller(self._index.spelt)


def _joined(parts: Iterator[str], analyzer: Analyzer) -> Iterator[list[str]]:
    """The words of each sentence that say something; a short one is joined to the next."""
    held: list[str] = []
    for part in parts:
        held += [word for word in analyzer.spelt(part) if word not in analyzer.query_stop_words]
        if len(held) >= FEW:
            yield held
            held = []
    if held:
        yield held
