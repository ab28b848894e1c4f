"""The compact index, read: the bytes that ranking reads, here and in a browser. `postings` says how they lie."""

import json
from bisect import bisect_left
from collections.abc import Sequence
from functools import cache, cached_property, lru_cache
from pathlib import Path
from typing import Any, NamedTuple
from zlib import crc32

import msgspec
import numpy as np
from numpy.typing import NDArray

from .synonyms import Meanings

HEAD = "search.bin"

PER_SHOWN = 64
"""So many documents are shown by one part."""

NAMED, JOB = "=", "@"
"""What stands before a whole name, and before the name of a job, where they are terms."""

Ref = Sequence[int] | str
"""Where a part is: a place in the head, or a file."""

Mask = NDArray[np.bool_]
"""A truth value for each document."""


class Posting(NamedTuple):
    """The documents that hold a term, in order; how much it says of each, from 1 to 255; and how rare it is."""

    documents: NDArray[Any]
    impacts: NDArray[np.uint8]
    idf: int


class _Part:
    """A part: its lines in order, and the numbers behind."""

    def __init__(self, data: bytes) -> None:
        end = 4 + int.from_bytes(data[:4], "little")
        self.lines = data[4:end].split(b"\n") if end > 4 else []
        self.rest = np.frombuffer(data, np.uint8)[end:]

    def numbers(self, size: int, count: int) -> NDArray[np.int64]:
        """The next numbers of so many bytes each."""
        found = np.zeros(size, np.int64)
        for at in range(count):
            found |= self.rest[size * at : size * (at + 1)].astype(np.int64) << 8 * at
        self.rest = self.rest[size * count :]
        return found


class _TermsPart(_Part):
    def __init__(self, data: bytes) -> None:
        super().__init__(data)
        sizes, self._idf = self.numbers(len(self.lines), 3), self.numbers(len(self.lines), 2)
        self._starts = np.concatenate([[0], np.cumsum(sizes)])
        sums = np.cumsum(self.numbers(int(self._starts[-1]), 3))  # of the steps of all terms
        before = np.concatenate([[0], sums])[self._starts[:-1]]
        self._documents = (sums - np.repeat(before, sizes)).astype(np.int32)

    def of(self, term: bytes) -> Posting | None:
        at = bisect_left(self.lines, term)
        if at == len(self.lines) or self.lines[at] != term:
            return None
        span = slice(self._starts[at], self._starts[at + 1])
        return Posting(self._documents[span], self.rest[span], int(self._idf[at]))


class Compact:
    """Reads the compact index in a folder. Threads may share one."""

    def __init__(self, place: Path) -> None:
        self._place = place
        data = (place / HEAD).read_bytes()
        end = 4 + int.from_bytes(data[:4], "little")
        self._head, self._body = json.loads(data[4:end]), data[end:]
        self.size: int = self._head["size"]
        self.rarest: int = self._head["rarest"]
        self.large: bool = self._head["large"]
        self.meanings = Meanings(self._head["means"], frozenset(self._head["said"]))
        self.having = lru_cache(maxsize=512)(self._having)
        self._terms = cache(lambda number: _TermsPart(self._part(self._head["terms"][number])))
        self._shown = cache(lambda at: msgspec.json.decode(self._part(self._head["shown"][at]), type=list[msgspec.Raw]))

    def _part(self, ref: Ref) -> bytes:
        return (self._place / ref).read_bytes() if isinstance(ref, str) else self._body[ref[0] : ref[1]]

    def warm(self) -> None:
        """Read everything now."""
        for number in range(len(self._head["terms"])):
            self._terms(number)
        _ = self.spelt

    def of(self, term: str) -> Posting | None:
        """The postings of a term; None where no document holds it."""
        name = term.encode("utf-8", "surrogatepass")
        return self._terms(crc32(name) % len(self._head["terms"])).of(name)

    def stored(self, number: int) -> dict[str, Any]:
        """What is shown of a document."""
        found: dict[str, Any] = msgspec.json.decode(self._shown(number // PER_SHOWN)[number % PER_SHOWN])
        return found

    @cached_property
    def spelt(self) -> list[tuple[str, int]]:
        """Every word as it is spelt, in order, with the number of documents that hold it."""
        part = _Part(self._part(self._head["words"]))
        counts = part.numbers(len(part.lines), 3).tolist()
        return [(word.decode(), count) for word, count in zip(part.lines, counts, strict=True)]

    def _having(self, field: str, value: str) -> Mask:
        """Which documents have this value in a field that filters."""
        found = np.zeros(self.size, dtype=bool)
        found[np.cumsum(self.values(field).get(value, []), dtype=np.int64)] = True
        return found

    def values(self, field: str) -> dict[str, list[int]]:
        """The values of a field that filters, in order, each with the steps between its documents."""
        found: dict[str, list[int]] = self._head["filters"][field]
        return found
