"""All that Whoosh keeps of one index, as arrays: every word's documents and how much it says of each (BM25F).

Documents are numbered by their ids in order, and deleted ones are left out, so that nothing depends on how the index
grew.
"""

from collections.abc import Iterator
from functools import cached_property
from typing import Any

import numpy as np
from numpy.typing import NDArray
from whoosh.index import Index

from .fields import SPELT, TEXTS
from .segments import read_lengths, read_table
from .tables import Numbers, Table, counts_of, documents_of, kinds_of, merged, packed, terms_of

Weights = NDArray[np.float32]
Terms = tuple[list[str], NDArray[np.int64], Numbers, NDArray[np.uint8], NDArray[np.int64]]
"""Every term in order; where the postings of each begin, and where the last ones end; of each posting the document and
how much the term says of it, from 1 to 255; of each term how rare it is, in thousandths."""

WEIGHTS = {"title": (3.0, 0.3), "asked": (4.0, 0.3), "summary": (2.0, 0.5), "body": (0.5, 0.75)}
"""Of each field how much a word in it counts, and how far the field's length is taken into account (`b`)."""

K1 = 1.2
"""Where a word that is repeated stops to count for more."""

FINEST, RAREST = 255, 65_535

NAMED, JOB = "=", "@"
"""What stands before a whole name, and before the name of a job, where they are terms."""


class Postings:
    """All words of one index, read from Whoosh's files."""

    def __init__(self, index: Index) -> None:
        self._leaves = [leaf for leaf, _ in index.reader().leaf_readers() if leaf.doc_count_all()]
        self._parts = _numbered(self._leaves)
        self.size = sum(int((numbers >= 0).sum()) for numbers in self._parts)
        self._tables: dict[str, Table] = {}
        self._places = np.zeros((self.size, 2), dtype=np.int32)
        for place, numbers in enumerate(self._parts):
            alive = np.flatnonzero(numbers >= 0)
            self._places[numbers[alive]] = np.column_stack([np.full(len(alive), place), alive])

    def table(self, field: str) -> Table:
        """The terms of one field."""
        if field not in self._tables:
            parts = zip(self._leaves, self._parts, strict=True)
            self._tables[field] = merged((read_table(leaf, field), part) for leaf, part in parts)
        return self._tables[field]

    @property
    def spelt(self) -> list[tuple[str, int]]:
        """Every word as it is spelt, in order, with the number of documents that hold it."""
        found = self.table(SPELT)
        words = [word.decode() for word in found.terms]
        return sorted(zip(words, np.diff(found.starts).tolist(), strict=True))

    def values(self, field: str) -> list[str]:
        """The values of a field that filters, in order."""
        return [value.decode() for value in self.table(field).terms]

    def steps(self, field: str, value: str) -> list[int]:
        """The documents that have this value: the first, and the steps from each to the next."""
        steps: list[int] = np.diff(self.table(field).of(value.encode()), prepend=0).tolist()
        return steps

    def stored(self, number: int) -> dict[str, Any]:
        """What is kept to be shown of a document."""
        place, inner = self._places[number].tolist()
        kept = self._leaves[place].stored_fields(inner)
        return {"id": kept["id"], **kept["shown"]}

    def terms(self) -> Terms:
        """Every term: words, and whole names of records and jobs as they are in the fields of whole values."""
        every = [self._words, self._whole("named", NAMED), self._whole("job", JOB)]
        terms = [term for part in every for term in part[0]]
        order = sorted(range(len(terms)), key=lambda at: terms[at].encode())
        sizes = np.concatenate([np.diff(part[1]) for part in every])[order]
        before = np.concatenate([[0], np.cumsum([len(part[2]) for part in every])])
        begins = np.concatenate([part[1][:-1] + at for part, at in zip(every, before, strict=False)])[order]
        starts = np.concatenate([[0], np.cumsum(sizes)])
        places = np.arange(starts[-1]) - np.repeat(starts[:-1] - begins, sizes)
        documents, impacts = (np.concatenate([part[at] for part in every])[places] for at in (2, 3))
        idf = np.concatenate([part[4] for part in every])[order]
        return [terms[at] for at in order], starts, documents, impacts, idf

    def saying(self, most: int) -> Iterator[dict[str, int]]:
        """Of each document the words that say most of it, and how much."""
        terms, starts, documents, impacts, idf = self._words
        of = np.repeat(np.arange(len(terms)), np.diff(starts))
        weight = impacts * idf[of]
        order = np.lexsort((of, -weight, documents))
        ends = np.searchsorted(documents[order], np.arange(self.size + 1))
        for number in range(self.size):
            best = order[ends[number] : ends[number + 1]][:most].tolist()
            yield {terms[of[at]]: int(weight[at]) for at in best}

    @property
    def rarest(self) -> int:
        """How rare a word is that no document holds."""
        return int(_rarity(self.size, np.zeros(1, np.int64))[0])

    def _whole(self, field: str, mark: str) -> Terms:
        found = self.table(field)
        ones = np.ones(len(found.documents), np.uint8)
        names = [mark + term.decode() for term in found.terms]
        return names, found.starts, found.documents, ones, np.ones(len(names), np.int64)

    @cached_property
    def _words(self) -> Terms:
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
        terms = terms_of(every)
        del every, kinds
        first = np.flatnonzero((np.diff(terms, prepend=-1) != 0) | (np.diff(documents, prepend=-1) != 0))
        sums = np.add.reduceat(counted, first) if len(first) else counted
        sizes = np.bincount(terms[first], minlength=len(names))
        kept = [name.decode() for name, size in zip(names, sizes, strict=True) if size]
        sizes = sizes[sizes > 0]
        idf = _rarity(self.size, sizes)
        impacts = np.clip(np.rint(FINEST * sums / (K1 + sums)), 1, FINEST).astype(np.uint8)
        starts = np.concatenate([[0], np.cumsum(sizes)]).astype(np.int64)
        return kept, starts, documents[first], impacts, idf

    def _norms(self) -> dict[str, Weights]:
        """Of each field what divides a count in each document: 1 in one of middle length, more in a longer one."""
        lengths = {field: np.zeros(self.size, dtype=np.float32) for field in TEXTS}
        for leaf, numbers in zip(self._leaves, self._parts, strict=True):
            for field, found in read_lengths(leaf).items():
                lengths[field][numbers[numbers >= 0]] = found[numbers >= 0]
        return {field: _norm(lengths[field], WEIGHTS[field][1]) for field in TEXTS}


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


def _rarity(size: int, holders: NDArray[np.int64]) -> NDArray[np.int64]:
    idf = np.log(1 + (size - holders + 0.5) / (holders + 0.5)) * 1_000
    found: NDArray[np.int64] = np.clip(np.rint(idf), 1, RAREST).astype(np.int64)
    return found


def _norm(lengths: Weights, b: float) -> Weights:
    mean = float(lengths.mean(dtype=np.float64)) if len(lengths) else 0.0
    return (1 - b + b * lengths / (mean or 1.0)).astype(np.float32)
