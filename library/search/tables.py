"""The terms of one field with the documents that hold each, as arrays: what segments are made of and read as."""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Iterable, Sequence
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

Numbers = NDArray[np.int32]
Packed = NDArray[np.uint64]

TERM_BITS, DOCUMENT_BITS, KIND_BITS, COUNT_BITS = 26, 22, 2, 14
MOST = (1 << COUNT_BITS) - 1
"""A word that stands in a document more often counts so often."""


class Table(NamedTuple):
    """Terms in order, and their postings in the order of term and document: `starts` says where each term's begin."""

    terms: list[bytes]
    starts: NDArray[np.int64]
    documents: Numbers
    counts: Numbers

    def of(self, term: bytes) -> Numbers:
        """The documents that hold a term, in order."""
        at = bisect_left(self.terms, term)
        known = at < len(self.terms) and self.terms[at] == term
        return self.documents[self.starts[at] : self.starts[at + 1]] if known else self.documents[:0]

    @property
    def numbers(self) -> Numbers:
        """The place in `terms` of each posting's term."""
        return np.repeat(np.arange(len(self.terms), dtype=np.int32), np.diff(self.starts))


def table(terms: Sequence[bytes], numbers: Sequence[int], documents: Sequence[int]) -> Table:
    """A table of occurrences: of each the place of its term in `terms`, which may be in any order, and its document."""
    order = sorted(range(len(terms)), key=terms.__getitem__)
    rank = np.empty(len(terms), dtype=np.uint64)
    rank[order] = np.arange(len(terms), dtype=np.uint64)
    places = rank[np.asarray(numbers, dtype=np.int64)]
    packed = (places << np.uint64(DOCUMENT_BITS)) | np.asarray(documents, dtype=np.uint64)
    held, counts = np.unique(packed, return_counts=True)
    kept = (held << np.uint64(KIND_BITS + COUNT_BITS)) | np.minimum(counts, MOST).astype(np.uint64)
    return _table([terms[at] for at in order], kept)


def merged(parts: Iterable[tuple[Table, Numbers]]) -> Table:
    """One table of several, with the documents' new numbers; those with the number -1 are left out."""
    return _table(*packed([(part, numbers, 0) for part, numbers in parts]))


def packed(parts: Sequence[tuple[Table, Numbers, int]]) -> tuple[list[bytes], Packed]:
    """All terms in order, and all postings in the order of term, document and kind, each in one number."""
    terms = sorted({term for part, _, _ in parts for term in part.terms})
    place = {term: at for at, term in enumerate(terms)}
    found = [np.zeros(0, dtype=np.uint64)]
    for part, numbers, kind in parts:
        documents = numbers[part.documents]
        alive = documents >= 0
        places = np.array([place[term] for term in part.terms], dtype=np.uint64)[part.numbers]
        whole = (places << np.uint64(DOCUMENT_BITS)) | documents.astype(np.uint64)
        whole = (((whole << np.uint64(KIND_BITS)) | np.uint64(kind)) << np.uint64(COUNT_BITS)) | part.counts.astype(
            np.uint64
        )
        found.append(whole[alive])
    every = np.concatenate(found)
    every.sort()
    return terms, every


def terms_of(every: Packed) -> NDArray[np.int64]:
    """The place of each posting's term."""
    return (every >> np.uint64(DOCUMENT_BITS + KIND_BITS + COUNT_BITS)).astype(np.int64)


def documents_of(every: Packed) -> Numbers:
    """The document of each posting."""
    mask = np.uint64((1 << DOCUMENT_BITS) - 1)
    return ((every >> np.uint64(KIND_BITS + COUNT_BITS)) & mask).astype(np.int32)


def kinds_of(every: Packed) -> Numbers:
    """The kind of each posting."""
    return ((every >> np.uint64(COUNT_BITS)) & np.uint64((1 << KIND_BITS) - 1)).astype(np.int32)


def counts_of(every: Packed) -> Numbers:
    """How often the term stands there."""
    return (every & np.uint64(MOST)).astype(np.int32)


def _table(terms: list[bytes], every: Packed) -> Table:
    """A table without the terms that no document holds."""
    sizes = np.bincount(terms_of(every), minlength=len(terms)) if terms else np.zeros(0, dtype=np.int64)
    kept = [term for term, size in zip(terms, sizes, strict=True) if size]
    starts = np.concatenate([[0], np.cumsum(sizes[sizes > 0])]).astype(np.int64)
    return Table(kept, starts, documents_of(every), counts_of(every))
