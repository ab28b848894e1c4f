"""Documents to tables of terms: every text is read once, and every different word looked at once."""

from __future__ import annotations

from array import array

import numpy as np

from .documents import Document
from .fields import EXACT, SPELT, TEXTS, shown, texts, values
from .tables import Table, table
from .words import STOP_WORDS, folded, split, stem


class _Numbered(dict[str, int]):
    """Words with numbers in the order in which they were met."""

    def __missing__(self, word: str) -> int:
        number = self[word] = len(self)
        return number


class Gathered:
    """What is known of some documents, which are numbered as they come. Nothing is kept of a text but its words."""

    def __init__(self) -> None:
        self.shown: list[dict[str, object]] = []
        self._words = _Numbered()
        self._in_texts = {field: array("I") for field in TEXTS}
        self._sizes = {field: array("I") for field in TEXTS}
        self._values = {field: _Numbered() for field in EXACT}
        self._in_values = {field: array("I") for field in EXACT}
        self._holders = {field: array("I") for field in EXACT}

    def add(self, item: Document) -> None:
        """One more document."""
        for field, text in texts(item):
            found = split(text)
            self._in_texts[field].extend(map(self._words.__getitem__, found))
            self._sizes[field].append(len(found))
        for field, value in values(item):
            if value:
                self._in_values[field].append(self._values[field][value])
                self._holders[field].append(len(self.shown))
        self.shown.append(shown(item))

    def tables(self) -> dict[str, Table]:
        """The terms of every field."""
        made = {}
        for field in EXACT:
            names = [value.encode() for value in self._values[field]]
            made[field] = table(names, self._in_values[field], self._holders[field])
        spelt = [folded(word) for word in self._words]
        said = np.array([word not in STOP_WORDS for word in spelt], dtype=bool)
        stems, of_word = _grouped([stem(word) for word in spelt])
        everything = []
        for field in TEXTS:
            words, holders = self._words_of(field)
            everything.append((words, holders))
            counted = said[words]
            made[field] = table(stems, of_word[words[counted]], holders[counted])
        names, of_word = _grouped(spelt)
        told = np.array([len(word) > 2 for word in spelt], dtype=bool) & said
        words, holders = (np.concatenate(column) for column in zip(*everything, strict=True))
        made[SPELT] = table(names, of_word[words[told[words]]], holders[told[words]])
        return made

    def lengths(self) -> dict[str, np.ndarray]:
        """How many words that say something each document has in each field of text."""
        said = np.array([folded(word) not in STOP_WORDS for word in self._words], dtype=bool)
        found = {}
        for field in TEXTS:
            words, holders = self._words_of(field)
            found[field] = np.bincount(holders[said[words]], minlength=len(self.shown))
        return found

    def _words_of(self, field: str) -> tuple[np.ndarray, np.ndarray]:
        """The words of a field, and the document of each."""
        sizes = np.frombuffer(self._sizes[field], dtype=np.uint32)
        holders = np.repeat(np.arange(len(sizes), dtype=np.uint32), sizes)
        return np.frombuffer(self._in_texts[field], dtype=np.uint32), holders


def _grouped(words: list[str]) -> tuple[list[bytes], np.ndarray]:
    """The different words, and for each of `words` its place among them."""
    numbers = _Numbered()
    places = np.array([numbers[word] for word in words], dtype=np.uint32)
    return [word.encode() for word in numbers], places
