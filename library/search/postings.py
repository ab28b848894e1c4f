"""All that is asked of one index, as arrays: every word's documents and how much it says of each.

Documents are numbered by their ids in order, and deleted ones are left out, so that nothing depends on how the index
grew.
"""

import mmap
from collections import Counter
from functools import cached_property
from threading import RLock
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray
from whoosh.index import Index

from .fields import EXACT, SPELT, TEXTS
from .segments import read_lengths, read_sizes, read_table
from .tables import Numbers, Table, counts_of, documents_of, kinds_of, merged, packed, terms_of

Weights = NDArray[np.float32]

WEIGHTS = {"title": (3.0, 0.3), "asked": (4.0, 0.3), "summary": (2.0, 0.5), "body": (0.5, 0.75)}
"""Of each field how much a word in it counts, and how far the field's length is taken into account (`b`)."""

K1 = 1.2
"""Where a word that is repeated stops to count for more."""


class Posting(NamedTuple):
    """The documents that hold a word, by number, and what the word says of each (its BM25F share)."""

    ids: NDArray[Any]
    impacts: Weights


class Words(NamedTuple):
    """Every stem in order, and the postings of all of them: those of stem `n` are from `starts[n]` to `starts[n + 1]`.

    `held` are the documents, in the smallest numbers that fit.
    """

    stems: list[str]
    places: dict[str, int]
    starts: NDArray[np.int64]
    held: NDArray[Any]
    impacts: Weights


class Postings:
    """All words of one index. Whoosh reads files by position, so one thread at a time reads."""

    def __init__(self, index: Index) -> None:
        self._lock = RLock()
        self._leaves = [leaf for leaf, _ in index.reader().leaf_readers() if leaf.doc_count_all()]
        for leaf in self._leaves:  # Whoosh's copies of its files beside the maps of them, which are what is read
            leaf._terms._dbfile.file = leaf._terms._postfile.file = None
        self._parts = _numbered(self._leaves)
        self.size = sum(int((numbers >= 0).sum()) for numbers in self._parts)
        self._values = {field: self._table(field) for field in EXACT if field != "id"}
        self._places = np.zeros((self.size, 2), dtype=np.int32)
        for place, numbers in enumerate(self._parts):
            alive = np.flatnonzero(numbers >= 0)
            self._places[numbers[alive]] = np.column_stack([np.full(len(alive), place), alive])

    def settle(self) -> None:
        """Decode everything, and let go of the files but for what hits show."""
        _ = self.words, self.spelt
        with self._lock:
            for leaf in self._leaves:
                leaf._storage.a._source.madvise(mmap.MADV_DONTNEED)

    def of(self, word: str) -> Posting | None:
        """A stem's postings; None when no document holds it."""
        words = self.words
        place = words.places.get(word)
        if place is None:
            return None
        span = slice(words.starts[place], words.starts[place + 1])
        return Posting(words.held[span], words.impacts[span])

    def most(self, word: str) -> float:
        """What a stem says of the document that it says most of; 0 where no document holds it."""
        posting = self.of(word)
        return float(posting.impacts.max()) if posting else 0.0

    def stems(self) -> list[tuple[str, int]]:
        """Every stem, in order, with the number of documents that hold it."""
        every = zip(self.words.stems, np.diff(self.words.starts).tolist(), strict=True)
        return [(word, size) for word, size in every if " " not in word]

    @property
    def spelt(self) -> list[tuple[str, int]]:
        """Every word as it is spelt, in order, with the number of documents that hold it."""
        with self._lock:
            return self._spelt

    @cached_property
    def _spelt(self) -> list[tuple[str, int]]:
        found: Counter[bytes] = Counter()
        for leaf, part in zip(self._leaves, self._parts, strict=True):
            if leaf.has_deletions():
                alive = merged([(read_table(leaf, SPELT), part)])
                found.update(dict(zip(alive.terms, np.diff(alive.starts).tolist(), strict=True)))
            else:
                found.update(dict(read_sizes(leaf, SPELT)))
        return sorted((word.decode(), size) for word, size in found.items())

    def having(self, field: str, value: str) -> NDArray[np.bool_]:
        """Which documents have this value in a field that filters: a truth value for each."""
        found = np.zeros(self.size, dtype=bool)
        found[self._values[field].of(value.encode("utf-8", "surrogatepass"))] = True
        return found

    def values(self, field: str) -> list[str]:
        """The values of a field that filters, in order."""
        return [value.decode() for value in self._values[field].terms]

    def stored(self, number: int) -> dict[str, Any]:
        """What is kept to be shown of a document."""
        place, inner = self._places[number].tolist()
        with self._lock:
            found: dict[str, Any] = self._leaves[place].stored_fields(inner)
        return found

    @property
    def words(self) -> Words:
        """All stems with their postings, decoded once."""
        with self._lock:
            return self._words

    @cached_property
    def _words(self) -> Words:
        """BM25F: the weighted counts of all fields are summed before they saturate."""
        pairs = [*zip(self._leaves, self._parts, strict=True)]
        tables = [(read_table(leaf, field), part, kind) for kind, field in enumerate(TEXTS) for leaf, part in pairs]
        names, every = packed(tables)
        del tables
        documents = documents_of(every)
        counted = counts_of(every).astype(np.float32)
        kinds = kinds_of(every)
        for kind, (field, norm) in enumerate(self._norms().items()):
            here = kinds == kind
            counted[here] = WEIGHTS[field][0] * counted[here] / norm[documents[here]]
        del kinds
        terms = terms_of(every)
        del every
        first = np.flatnonzero((np.diff(terms, prepend=-1) != 0) | (np.diff(documents, prepend=-1) != 0))
        sums = np.add.reduceat(counted, first) if len(first) else counted
        documents, sizes = documents[first], np.bincount(terms[first], minlength=len(names))
        idf = np.log(1 + (self.size - sizes + 0.5) / (sizes + 0.5))
        factor = (idf * (K1 + 1)).astype(np.float32)[terms[first]]
        held = documents.astype(np.uint16 if self.size <= 1 << 16 else np.int32)
        kept = [name.decode() for name, size in zip(names, sizes, strict=True) if size]
        starts = np.concatenate([[0], np.cumsum(sizes[sizes > 0])]).astype(np.int64)
        return Words(kept, {stem: at for at, stem in enumerate(kept)}, starts, held, factor * sums / (K1 + sums))

    def _norms(self) -> dict[str, Weights]:
        """Of each field what divides a count in each document: 1 in one of middle length, more in a longer one."""
        lengths = {field: np.zeros(self.size, dtype=np.float32) for field in TEXTS}
        for leaf, numbers in zip(self._leaves, self._parts, strict=True):
            for field, found in read_lengths(leaf).items():
                lengths[field][numbers[numbers >= 0]] = found[numbers >= 0]
        return {field: _norm(lengths[field], WEIGHTS[field][1]) for field in TEXTS}

    def _table(self, field: str) -> Table:
        with self._lock:
            return merged((read_table(leaf, field), part) for leaf, part in zip(self._leaves, self._parts, strict=True))


def _numbered(leaves: list[Any]) -> list[Numbers]:
    """For each segment the numbers of its documents by their ids, -1 for a deleted one."""
    names: list[tuple[bytes, int, int]] = []
    parts = []
    for place, leaf in enumerate(leaves):
        found = read_table(leaf, "id")
        parts.append(np.full(leaf.doc_count_all(), -1, dtype=np.int32))
        names += [
            (name, place, number)
            for name, number in zip(found.terms, found.documents.tolist(), strict=True)
            if not leaf.is_deleted(number)
        ]
    for new, (_, place, number) in enumerate(sorted(names)):
        parts[place][number] = new
    return parts


def _norm(lengths: Weights, b: float) -> Weights:
    mean = float(lengths.mean(dtype=np.float64)) if len(lengths) else 0.0
    return (1 - b + b * lengths / (mean or 1.0)).astype(np.float32)
