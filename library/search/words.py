"""Texts to words: split, folded, stemmed, without what says nothing; pasted texts to sentences; phrases to meanings."""

import json
import re
import unicodedata
from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from functools import cache, lru_cache
from importlib.resources import files
from typing import Any, NamedTuple

import msgspec.yaml
from whoosh.lang.snowball.english import EnglishStemmer

MAX_LENGTH = 40  # a longer word is no word that somebody types: it is cut
WORD = re.compile(r"\w+(?:\+\+|#)?")
_STEMMER = EnglishStemmer()
_LISTS: dict[str, str] = json.loads((files(__package__) / "english.json").read_text(encoding="utf-8"))
STOP_WORDS = frozenset(_LISTS["stop"].split())  # what no document is found by
QUERY_STOP_WORDS = STOP_WORDS | frozenset(_LISTS["query"].split())  # nor is a question about
MIN_COUNT = 40_000  # rarer words of the list of English are often misspellings themselves
LONGEST = 6  # a phrase of more words is not looked for
FRAMING = frozenset(_LISTS["framing"].split())  # what frames any task counts little

_NOISE: dict[str, Any] = msgspec.yaml.decode((files(__package__) / "noise.yaml").read_bytes())
NOISE = (rf"^[ \t]*(?:{'|'.join(_NOISE['lines'])})$", "|".join(_NOISE["words"]), _NOISE["end"])
"""Lines that say nothing, words that say nothing, and where a sentence ends: a browser reads by the same."""

_BREAKS = re.compile("\r\n?|[\u2028\u2029]")
_DROPPED = [re.compile(pattern, re.IGNORECASE | re.MULTILINE | re.ASCII) for pattern in NOISE[:2]]
_END = re.compile(NOISE[2])


@lru_cache(maxsize=200_000)
def stem(word: str) -> str:
    """The stem of a folded word, by Snowball's English rules."""
    found: str = _STEMMER.stem(word) if word.isalpha() else word
    return found[:MAX_LENGTH]


def spelt(text: str) -> list[str]:
    """The words of a text as they are spelt, folded."""
    return list(map(folded, WORD.findall(text)))


def normalised(text: str) -> str:
    """A title or a question in the form in which two of them are compared whole."""
    return " ".join(spelt(text))


def folded(word: str) -> str:
    """A word in small letters, without accents, in compatibility form."""
    word = word.lower()
    if word.isascii():
        return word
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


class Meanings(NamedTuple):
    """What is meant by a phrase: both as stems with a space between. `said` are the words of all phrases as spelt."""

    meant: Mapping[str, Sequence[str]]
    said: frozenset[str]

    def of(self, phrase: Sequence[str]) -> dict[str, float]:
        """The stems that are meant beside those of a question, each with its weight."""
        runs = (" ".join(phrase[at : at + size]) for at in range(len(phrase)) for size in range(1, LONGEST + 1))
        found = {word for run in runs for word in self.meant.get(run, ())}
        return dict.fromkeys(sorted(found - set(phrase)), 1.0)


def meanings_of(pairs: Iterable[tuple[Sequence[str], Sequence[str]]]) -> Meanings:
    """The meanings of pairs of what is said and what is meant: the phrases of each."""
    meant: dict[str, set[str]] = defaultdict(set)
    said: set[str] = set()
    for phrases, others in pairs:
        words = {word for phrase in others for word in phrase_of(phrase)}
        for phrase in phrases:
            meant[" ".join(phrase_of(phrase))] |= words
            said.update(spelt(phrase))
    return Meanings({phrase: sorted(words) for phrase, words in sorted(meant.items())}, frozenset(said))


def phrase_of(text: str) -> tuple[str, ...]:
    """The stems of a text in their order."""
    return tuple(stem(word) for word in spelt(text) if word not in STOP_WORDS)
