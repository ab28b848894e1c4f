"""Text to the words that are indexed and asked for: split, folded, stemmed, and without what says nothing."""

import re
import unicodedata
from collections.abc import Iterator
from functools import lru_cache

from whoosh.lang.snowball.english import EnglishStemmer

MAX_LENGTH = 40
"""A longer word is no word that somebody types: it is cut."""

WORD = re.compile(r"\w+(?:\+\+|#)?")
_STEMMER = EnglishStemmer()

STOP_WORDS = frozenset(
    "a an and are as at be by for from has have if in is it may not of on or our that the this to us was we when will"
    " with yet you your".split()
)
"""What no document is found by."""

QUERY_STOP_WORDS = STOP_WORDS | frozenset(
    "about after again all also am any because been before being below between both but can cannot could did do does"
    " doing done down during each few further get gets getting give go had he her here hers him his how i into its"
    " just let like me more most my need needs no nor now off once only other out over own please s same she should so"
    " some such t than their them then there these they those through too under until up use using very want wants"
    " were what where which while who whom why would".split()
)
"""What a question is not about, however often it stands in documents."""


@lru_cache(maxsize=200_000)
def stem(word: str) -> str:
    """The stem of a folded word, by Snowball's English rules."""
    found: str = _STEMMER.stem(word) if word.isalpha() else word
    return found[:MAX_LENGTH]


def spelt(text: str) -> Iterator[tuple[str, int, int]]:
    """The words of a text as they are spelt, folded: (word, start, end) with offsets in characters."""
    for match in WORD.finditer(text):
        yield folded(match[0]), match.start(), match.end()


def normalised(text: str) -> str:
    """A title or a question in the form in which two of them are compared whole."""
    return " ".join(word for word, _, _ in spelt(text))


def folded(word: str) -> str:
    """A word in small letters, without accents, in compatibility form."""
    word = word.lower()
    if word.isascii():
        return word
    parts = unicodedata.normalize("NFKD", word.replace("ß", "ss"))
    return "".join(part for part in parts if unicodedata.category(part)[0] != "M") or word
