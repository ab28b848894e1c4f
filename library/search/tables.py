"""The terms of one field with the documents that hold each, as arrays: what segments are made of and read as."""

from bisect import bisect_left
from collections.abc import Iterable, Sequence
from typing import Any, NamedTuple

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


def table(
    terms: Sequence[bytes], numbers: NDArray[np.uint32], documents: NDArray[np.uint32], counts: NDArray[np.uint16]
) -> Table:
    """A table of occurrences: of each the place of its term in `terms`, its document, and how often it stands there.

    `terms` may be in any order, and a term may be said of a document several times.
    """
    order = sorted(range(len(terms)), key=terms.__getitem__)
    rank = np.empty(len(terms), dtype=np.uint64)
    rank[order] = np.arange(len(terms), dtype=np.uint64)
    every = rank[numbers]
    _push(every, documents, DOCUMENT_BITS)
    _push(every, counts, KIND_BITS + COUNT_BITS)
    every.sort()
    held = every >> np.uint64(KIND_BITS + COUNT_BITS)
    first = np.flatnonzero(np.concatenate([[True], held[1:] != held[:-1]])) if len(held) else held.astype(np.int64)
    sums = np.add.reduceat(counts_of(every), first) if len(held) else counts_of(every)
    found = _table([terms[at] for at in order], every[first])
    return found._replace(counts=np.minimum(sums, MOST))


def merged(parts: Iterable[tuple[Table, Numbers]]) -> Table:
    """One table of several, with the documents' new numbers; those with the number -1 are left out."""
    return _table(*packed([(part, numbers, 0) for part, numbers in parts]))


def packed(parts: Sequence[tuple[Table, Numbers, int]]) -> tuple[list[bytes], Packed]:
    """All terms in order, and all postings in the order of term, document and kind, each in one number."""
    terms = sorted({term for part, _, _ in parts for term in part.terms})
    place = {term: at for at, term in enumerate(terms)}
    every = np.empty(sum(len(part.documents) for part, _, _ in parts), dtype=np.uint64)
    end = 0
    for part, numbers, kind in parts:
        documents = numbers[part.documents]
        alive = documents >= 0
        here = every[end : end + int(alive.sum())]
        here[:] = np.array([place[term] for term in part.terms], dtype=np.uint64)[part.numbers[alive]]
        _push(here, documents[alive], DOCUMENT_BITS)
        _push(here, kind, KIND_BITS)
        _push(here, part.counts[alive], COUNT_BITS)
        end += len(here)
    every = every[:end]
    every.sort()
    return terms, every


def _push(every: Packed, values: NDArray[Any] | int, bits: int) -> None:
    """Put values below what is there, in so many bits."""
    every <<= np.uint64(bits)
    every |= np.asarray(values).astype(np.uint64)


def terms_of(every: Packed) -> Numbers:
    """The place of each posting's term."""
    return (every >> np.uint64(DOCUMENT_BITS + KIND_BITS + COUNT_BITS)).astype(np.int32)


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
