"""Whoosh's postings as arrays: every word's documents and how much it says of each, decoded once and kept."""

from __future__ import annotations

import math
from collections.abc import Iterator
from threading import RLock
from typing import Any

import numpy as np
from numpy.typing import NDArray
from whoosh.codec.whoosh3 import W3LeafMatcher
from whoosh.index import Index

from .fields import TEXTS

Numbers = NDArray[np.int32]
Weights = NDArray[np.float32]

WEIGHTS = {"title": (3.0, 0.3), "asked": (2.0, 0.3), "summary": (2.0, 0.5), "body": (1.0, 0.75)}
"""Of each field how much a word in it counts, and how far the field's length is taken into account (`b`)."""

K1 = 1.2
"""Where a word that is repeated stops to count for more."""


class Posting:
    """The documents that hold a word, by number, what the word says of each (its BM25F share), and its rarity."""

    __slots__ = ("idf", "ids", "impacts")

    def __init__(self, ids: Numbers, impacts: Weights, idf: float) -> None:
        self.ids = ids
        self.impacts = impacts
        self.idf = idf


class Postings:
    """All words of one index. Whoosh reads files by position, so one thread at a time decodes."""

    def __init__(self, index: Index) -> None:
        self.reader = index.reader()
        leaves = self.reader.leaf_readers()
        self._leaves: list[tuple[Any, int]] = [(leaf, base) for leaf, base in leaves if leaf.doc_count_all()]
        self._lock = RLock()
        self._known: dict[str, Posting | None] = {}
        self.size: int = self.reader.doc_count_all()
        self.alive = self._alive()
        self.count = int(self.alive.sum())
        self._norms = {field: self._norm(field, WEIGHTS[field][1]) for field in TEXTS}

    def of(self, word: str) -> Posting | None:
        """A stem's postings; None when no document holds it."""
        known = self._known.get(word, self)
        if known is self:
            with self._lock:
                known = self._known[word] = self._decoded(word)
        return known if isinstance(known, Posting) else None

    def stems(self) -> list[str]:
        """Every stem, in order; some may be of deleted documents only."""
        with self._lock:
            found = {word for field in TEXTS for word in self.reader.lexicon(field)}
        return sorted(word.decode() for word in found)

    def spelt(self) -> list[tuple[str, int]]:
        """Every word as it is spelt, in order, with the number of documents whose title or summary hold it."""
        with self._lock:
            words = [word.decode() for word in self.reader.lexicon("spelt")]
            return [(word, self.reader.doc_frequency("spelt", word)) for word in words]

    def having(self, field: str, value: str) -> NDArray[np.bool_]:
        """Which documents have this value in a field that filters: a truth value for each."""
        found = np.zeros(self.size, dtype=bool)
        with self._lock:
            for ids, _ in self._read(field, value.encode("utf-8", "surrogatepass")):
                found[ids] = True
        return found & self.alive

    def values(self, field: str) -> list[str]:
        """The values of a field that filters, in order."""
        with self._lock:
            return [value.decode() for value in self.reader.lexicon(field)]

    def stored(self, number: int) -> dict[str, Any]:
        """What is kept to be shown of a document."""
        with self._lock:
            found: dict[str, Any] = self.reader.stored_fields(number)
        return found

    def _decoded(self, word: str) -> Posting | None:
        """BM25F: the weighted counts of all fields are summed before they saturate."""
        term = word.encode("utf-8", "surrogatepass")
        sums = np.zeros(self.size, dtype=np.float32)
        for field in TEXTS:
            weight, norm = WEIGHTS[field][0], self._norms[field]
            for ids, counts in self._read(field, term):
                sums[ids] += weight * counts / norm[ids]
        sums[~self.alive] = 0
        ids = np.flatnonzero(sums).astype(np.int32)
        if not len(ids):
            return None
        idf = math.log(1 + (self.count - len(ids) + 0.5) / (len(ids) + 0.5))
        counted = sums[ids]
        return Posting(ids, (idf * (K1 + 1) * counted / (K1 + counted)).astype(np.float32), idf)

    def _read(self, field: str, term: bytes) -> Iterator[tuple[Numbers, Weights]]:
        """A term's documents and counts, a block at a time."""
        for leaf, base in self._leaves:
            if (field, term) not in leaf._terms:
                continue
            matcher = leaf._terms.matcher(field, term, leaf.schema[field].format)
            yield from ((ids + base, counts) for ids, counts in _blocks(matcher))

    def _alive(self) -> NDArray[np.bool_]:
        alive = np.zeros(self.size, dtype=bool)
        for leaf, base in self._leaves:
            alive[[base + number for number in leaf.all_doc_ids()]] = True
        return alive

    def _norm(self, field: str, b: float) -> Weights:
        """What divides a count in each document: 1 in one of middle length, more in a longer one."""
        lengths = np.zeros(self.size, dtype=np.float32)
        for leaf, base in self._leaves:
            length = leaf.doc_field_length
            all_of_leaf = range(leaf.doc_count_all())
            lengths[base : base + len(all_of_leaf)] = [length(number, field) or 0 for number in all_of_leaf]
        living = lengths[self.alive]
        mean = float(living.mean()) if len(living) else 0.0
        return (1 - b + b * lengths / (mean or 1.0)).astype(np.float32)


def _blocks(matcher: Any) -> Iterator[tuple[Numbers, Weights]]:  # noqa: ANN401 - Whoosh ships no types
    """The blocks of a posting list as arrays; Whoosh keeps a short list whole, and a long one in blocks on the disk."""
    blocks = isinstance(matcher, W3LeafMatcher)
    while matcher.is_active():
        matcher.id(), matcher.weight()  # each reads its half of the block
        counts = np.array(matcher._weights, dtype=np.float32)
        yield np.array(matcher._ids, dtype=np.int32), counts
        if not blocks:
            return
        matcher._next_block()
