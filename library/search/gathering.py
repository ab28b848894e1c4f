"""Documents to tables of terms: every text is read once, and every different word looked at once."""

from array import array
from collections import Counter
from collections.abc import Iterable, Iterator

import numpy as np
from numpy.typing import NDArray

from .documents import Document
from .fields import EXACT, FIELDS, SPELT, TEXTS, stored, texts, values
from .tables import MOST, Table, table
from .words import STOP_WORDS, folded, split, stem

Named = tuple[list[bytes], NDArray[np.uint32]]
"""Terms, and for each word the place of its term."""

Arrays = tuple[NDArray[np.uint32], NDArray[np.uint32], NDArray[np.uint16]]
"""Word, document and count of each occurrence."""


class _Numbered(dict[str, int]):
    """Words with numbers in the order in which they were met."""

    def __missing__(self, word: str) -> int:
        number = self[word] = len(self)
        return number


class Gathered:
    """What is known of some documents, which are numbered as they come. Nothing is kept of a text but its words."""

    def __init__(self) -> None:
        self.stored: list[dict[str, object]] = []
        self._words = _Numbered()
        self._in_texts = {field: _Occurrences() for field in TEXTS}
        self._values = {field: _Numbered() for field in EXACT}
        self._in_values = {field: array("I") for field in EXACT}
        self._holders = {field: array("I") for field in EXACT}

    def add(self, item: Document) -> None:
        """One more document."""
        for field, text in texts(item):
            found = Counter(split(text))
            self._in_texts[field].add(map(self._words.__getitem__, found), found.values(), len(found))
        for field, value in values(item):
            if value:
                self._in_values[field].append(self._values[field][value])
                self._holders[field].append(len(self.stored))
        self.stored.append(stored(item))

    def tables(self) -> Iterator[tuple[str, Table]]:
        """The terms of every field, in the order of the fields' names: one at a time, as they are large."""
        spelt = [folded(word) for word in self._words]
        said = np.array([word not in STOP_WORDS for word in spelt], dtype=bool)
        told = said & np.array([len(word) > 2 for word in spelt], dtype=bool)
        stems, spellings = _grouped([stem(word) for word in spelt]), _grouped(spelt)
        for field in FIELDS:
            if field in EXACT:
                names = [value.encode() for value in self._values[field]]
                numbers, holders = (np.frombuffer(kept[field], np.uint32) for kept in (self._in_values, self._holders))
                yield field, table(names, numbers, holders, np.ones(len(holders), np.uint16))
            elif field == SPELT:
                every = _table(spellings, told, [self._in_texts[text].arrays() for text in TEXTS])
                yield field, every._replace(counts=np.ones_like(every.counts))
            else:
                yield field, _table(stems, said, [self._in_texts[field].arrays()])

    def lengths(self) -> dict[str, NDArray[np.int64]]:
        """How many words that say something each document has in each field of text."""
        said = np.array([folded(word) not in STOP_WORDS for word in self._words], dtype=bool)
        found = {}
        for field in TEXTS:
            words, holders, counts = self._in_texts[field].arrays()
            lengths = np.bincount(holders, weights=counts * said[words], minlength=len(self.stored))
            found[field] = lengths.astype(np.int64)
        return found


class _Occurrences:
    """The different words of each document in one field, and how often each stands there."""

    def __init__(self) -> None:
        self._words, self._counts, self._sizes = array("I"), array("H"), array("I")

    def add(self, words: Iterable[int], counts: Iterable[int], size: int) -> None:
        """The next document: so many different words, none more often than is counted."""
        self._words.extend(words)
        self._counts.extend(min(count, MOST) for count in counts)
        self._sizes.append(size)

    def arrays(self) -> Arrays:
        """Word, document and count of each."""
        sizes = np.frombuffer(self._sizes, dtype=np.uint32)
        holders = np.repeat(np.arange(len(sizes), dtype=np.uint32), sizes)
        return np.frombuffer(self._words, dtype=np.uint32), holders, np.frombuffer(self._counts, dtype=np.uint16)


def _table(named: Named, kept: NDArray[np.bool_], parts: Iterable[Arrays]) -> Table:
    """The terms of words that are kept."""
    terms, of_word = named
    words, holders, counts = (np.concatenate(column) for column in zip(*parts, strict=True))
    here = kept[words]
    return table(terms, of_word[words[here]], holders[here], counts[here])


def _grouped(words: list[str]) -> Named:
    """The different words, and for each of `words` its place among them."""
    numbers = _Numbered()
    places = np.array([numbers[word] for word in words], dtype=np.uint32)
    return [word.encode() for word in numbers], places
