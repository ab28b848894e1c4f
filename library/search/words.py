"""Texts to words: split, folded, stemmed, without what says nothing; pasted texts to sentences; phrases to meanings."""

import json
import re
import unicodedata
from collections import defaultdict
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cache, cached_property, lru_cache
from importlib.resources import files
from typing import Any

import msgspec.yaml
from whoosh.lang import snowball, stopwords, two_letter_code

from ..records.vocabulary import Language

MAX_LENGTH = 40  # a longer word is no word that somebody types: it is cut
WORD = re.compile(r"\w+(?:\+\+|#)?")
_LISTS: dict[str, str] = json.loads((files(__package__) / "english.json").read_text(encoding="utf-8"))
MIN_COUNT = 40_000  # rarer words of the list of English are often misspellings themselves
LONGEST = 6  # a phrase of more words is not looked for
MEANT = 0.7  # what a word that synonyms name counts, where one that was asked counts 1
FRAMING = frozenset(_LISTS["framing"].split())  # what frames any task counts little

_NOISE: dict[str, Any] = msgspec.yaml.decode((files(__package__) / "noise.yaml").read_bytes())
NOISE = (rf"^[ \t]*(?:{'|'.join(_NOISE['lines'])})$", "|".join(_NOISE["words"]), _NOISE["end"])
"""Lines that say nothing, words that say nothing, and where a sentence ends: a browser reads by the same."""

_BREAKS = re.compile("\r\n?|[\u2028\u2029]")
_DROPPED = [re.compile(pattern, re.IGNORECASE | re.MULTILINE | re.ASCII) for pattern in NOISE[:2]]
_END = re.compile(NOISE[2])


@dataclass(frozen=True)
class Analyzer:
    """Reads words in one language. `more` are words that say nothing in a question, beside those of the language."""

    language: Language = Language.ENGLISH
    more: tuple[str, ...] = ()

    @cached_property
    def stop_words(self) -> frozenset[str]:
        """What no document is found by."""
        if self.language is Language.ENGLISH:
            return frozenset(_LISTS["stop"].split())
        return frozenset(map(self.folded, stopwords.stoplists.get(two_letter_code(self.language), ())))

    @cached_property
    def query_stop_words(self) -> frozenset[str]:
        """What a question is not about: these and more."""
        own = _LISTS["query"].split() if self.language is Language.ENGLISH else ()
        return self.stop_words.union(own, (word for text in self.more for word in self.spelt(text)))

    @cached_property
    def known(self) -> frozenset[str]:
        """The words that were not typed wrong, whether or not the library knows them."""
        return english() if self.language is Language.ENGLISH else frozenset()

    @cached_property
    def stem(self) -> Callable[[str], str]:
        """Gives the stem of a folded word, by Snowball's rules."""
        whole: Callable[[str], str] = snowball.classes[two_letter_code(self.language)]().stem

        @lru_cache(maxsize=200_000)
        def stem(word: str) -> str:
            try:
                found = whole(word) if word.isalpha() else word
            except IndexError:  # too short for what is looked for in it
                found = word
            return found[:MAX_LENGTH]

        return stem

    def roots(self, word: str) -> Sequence[str]:
        """The stem of a folded word, and that of the word without its accents where it is another."""
        own = self.stem(word)
        if word.isascii() or (other := self.stem(plain(word))) == own:
            return (own,)
        return own, other

    def folded(self, word: str) -> str:
        """A word in small letters and compatibility form; in English without accents."""
        word = word.lower()
        if word.isascii():
            return word
        return plain(word) if self.language is Language.ENGLISH else unicodedata.normalize("NFKC", word)

    def spelt(self, text: str) -> list[str]:
        """The words of a text as they are spelt, folded."""
        return WORD.findall(text.lower()) if text.isascii() else list(map(self.folded, WORD.findall(text)))

    def normalised(self, text: str) -> str:
        """A title or a question in the form in which two of them are compared whole."""
        return " ".join(self.spelt(text))

    def phrase_of(self, text: str) -> tuple[str, ...]:
        """The stems of a text in their order."""
        return tuple(self.stem(word) for word in self.spelt(text) if word not in self.stop_words)

    def meanings_of(self, pairs: Iterable[tuple[Sequence[str], Sequence[str]]]) -> "Meanings":
        """The meanings of pairs of what is said and what is meant: the phrases of each."""
        meant: dict[str, set[str]] = defaultdict(set)
        said: set[str] = set()
        for phrases, others in pairs:
            words = {word for phrase in others for word in self.phrase_of(phrase)}
            for phrase in phrases:
                meant[" ".join(self.phrase_of(phrase))] |= words
                said.update(self.spelt(phrase))
        return Meanings({phrase: sorted(words) for phrase, words in sorted(meant.items())}, frozenset(said))


def plain(word: str) -> str:
    """A word without accents, in compatibility form."""
    parts = unicodedata.normalize("NFKD", word.replace("ß", "ss"))
    return "".join(part for part in parts if unicodedata.category(part)[0] != "M") or word


@cache
def english() -> frozenset[str]:
    """The words of English: what is one was not typed wrong, whether or not the library knows it.

    About 68,000, from the frequency list of symspellpy (Google Books and SCOWL, MIT).
    """
    text = (files("symspellpy") / "frequency_dictionary_en_82_765.txt").read_text(encoding="utf-8-sig")
    pairs = (line.split(" ") for line in text.splitlines())
    return frozenset(word for word, count in pairs if int(count) >= MIN_COUNT)


def sentences(text: str) -> Iterator[str]:
    """The sentences of a pasted text."""
    text = _BREAKS.sub("\n", text)
    for pattern in _DROPPED:
        text = pattern.sub(" ", text)
    yield from _END.split(text)


@dataclass(frozen=True)
class Meanings:
    """What is meant by a phrase: both as stems with a space between. `said` are the words of all phrases as spelt."""

    meant: Mapping[str, Sequence[str]]
    said: frozenset[str]

    @cached_property
    def _begun(self) -> frozenset[str]:
        return frozenset(phrase.partition(" ")[0] for phrase in self.meant)

    def of(self, phrase: Sequence[str]) -> dict[str, float]:
        """The stems that are meant beside those of a question, each with its weight, less than what was asked."""
        begins = [at for at, word in enumerate(phrase) if word in self._begun]
        runs = (" ".join(phrase[at : at + size]) for at in begins for size in range(1, LONGEST + 1))
        return dict.fromkeys(sorted({word for run in runs for word in self.meant.get(run, ())} - {*phrase}), MEANT)


ENGLISH = Analyzer()
