"""The compact index: the bytes that ranking reads, here and in a browser, made of nothing but Whoosh's postings.

A file is a length in four bytes, so many bytes of JSON or of terms by lines, and numbers. Numbers of several bytes lie
in planes: the lowest byte of all, then the next of all; so the planes that say little shrink to nothing when they are
packed. `search.bin` names its parts: places in itself, or files beside it where there are many documents.
"""

import json
from bisect import bisect_left
from collections.abc import Callable, Iterable, Sequence
from functools import cache, cached_property, lru_cache
from hashlib import blake2b
from pathlib import Path
from typing import Any, NamedTuple
from zlib import crc32

import msgspec
import numpy as np
from numpy.typing import NDArray

from .closeness import COEFFICIENTS, STRONG
from .english import english
from .fields import FILTERS
from .pasted import FRAMING, NOISE
from .postings import Postings
from .synonyms import Meanings
from .words import QUERY_STOP_WORDS, STOP_WORDS

HEAD = "search.bin"
SHARDED = 1_000
"""Of so many documents the parts are files of their own."""

PER_TERMS, PER_SHOWN = 40, 64
"""About so many documents for each part of terms, and so many are shown by one part."""

SAYS = 30
"""So many of a document's words are kept with it, where there is feedback: those that say most of it."""

_ITEMS = list[msgspec.Raw]

Ref = Sequence[int] | str
"""Where a part is: a place in the head, or a file."""


class Posting(NamedTuple):
    """The documents that hold a term, in order; how much it says of each, from 1 to 255; and how rare it is."""

    documents: NDArray[Any]
    impacts: NDArray[np.uint8]
    idf: int

    @property
    def most(self) -> int:
        """What it says of the document that it says most of."""
        return self.idf * int(self.impacts.max())


def compacted(found: Postings, meanings: Meanings) -> dict[str, bytes]:
    """The files by their names: every one the same for the same postings."""
    body, files = bytearray(), dict[str, bytes]()
    large = found.size >= SHARDED

    def put(data: bytes, *, apart: bool = large) -> Ref:
        if not apart:
            body.extend(data)
            return len(body) - len(data), len(body)
        name = f"{blake2b(data, digest_size=8).hexdigest()}.bin"
        files[name] = data
        return name

    count = 1 << max(0, round(np.log2(found.size / PER_TERMS))) if large else 1
    shown = [found.stored(number) for number in range(found.size)]
    if large:
        for item, says in zip(shown, found.saying(SAYS), strict=True):
            item["says"] = says
    words = found.spelt
    head = {
        "size": found.size,
        "rarest": found.rarest,
        "large": large,
        "terms": [put(part) for part in _terms(found, count)],
        "shown": [put(msgspec.json.encode(shown[at : at + PER_SHOWN])) for at in range(0, found.size, PER_SHOWN)],
        "words": put(_file(word for word, _ in words) + _planes(np.array([size for _, size in words], np.int64), 3)),
        "english": put("\n".join(sorted(english())).encode(), apart=True),
        "filters": {field: {value: found.steps(field, value) for value in found.values(field)} for field in FILTERS},
        "means": meanings.meant,
        "said": sorted(meanings.said),
        "small": [sorted(STOP_WORDS), sorted(QUERY_STOP_WORDS - STOP_WORDS), sorted(FRAMING)],
        "noise": NOISE,
        "close": [COEFFICIENTS, STRONG],
    }
    return {HEAD: _with_length(json.dumps(head, ensure_ascii=False, separators=(",", ":")).encode()) + body, **files}


def _terms(found: Postings, count: int) -> Iterable[bytes]:
    """The parts of the terms: each part has those whose checksum leads to it."""
    terms, starts, documents, impacts, idf = found.terms()
    part = np.array([crc32(term.encode()) % count for term in terms], dtype=np.int64)
    for number in range(count):
        here = np.flatnonzero(part == number)
        sizes = (starts[1:] - starts[:-1])[here]
        begins = np.concatenate([[0], np.cumsum(sizes)])
        every = np.arange(begins[-1]) - np.repeat(begins[:-1] - starts[:-1][here], sizes)
        steps = np.diff(documents[every], prepend=0)
        first = begins[:-1]
        steps[first] = documents[every][first]
        text = _file(terms[at] for at in here.tolist())
        yield b"".join((text, _planes(sizes, 3), _planes(idf[here], 2), _planes(steps, 3), impacts[every].tobytes()))


def _file(lines: Iterable[str]) -> bytes:
    return _with_length("\n".join(lines).encode())


def _with_length(text: bytes) -> bytes:
    return len(text).to_bytes(4, "little") + text


def _planes(values: NDArray[Any], count: int) -> bytes:
    return b"".join((values >> 8 * at & 255).astype(np.uint8).tobytes() for at in range(count))


class _Lines:
    """The first half of a part: lines in order, found by bisection; `rest` are the numbers behind."""

    def __init__(self, data: bytes) -> None:
        end = 4 + int.from_bytes(data[:4], "little")
        self._text, self.rest = data[4:end], np.frombuffer(data, np.uint8)[end:]
        ends = np.flatnonzero(np.frombuffer(self._text, np.uint8) == ord("\n"))
        self._ends = np.concatenate([[-1], ends, [len(self._text)]]).tolist()
        self.count = len(self._ends) - 1 if self._text else 0

    def __getitem__(self, at: int) -> bytes:
        return self._text[self._ends[at] + 1 : self._ends[at + 1]]

    def place(self, line: bytes) -> int | None:
        at = bisect_left(range(self.count), line, key=self.__getitem__)
        return at if at < self.count and self[at] == line else None

    def taken(self, size: int, count: int) -> NDArray[np.int64]:
        """The next numbers of so many bytes each."""
        planes, self.rest = self.rest[: size * count], self.rest[size * count :]
        powers = 8 * np.arange(count, dtype=np.int64)
        found: NDArray[np.int64] = (planes.reshape(count, size).astype(np.int64) << powers[:, None]).sum(axis=0)
        return found


class _Terms:
    """A part of the terms."""

    def __init__(self, data: bytes, size: int) -> None:
        self.lines = _Lines(data)
        sizes = self.lines.taken(self.lines.count, 3)
        self._idf = self.lines.taken(self.lines.count, 2)
        self._starts = np.concatenate([[0], np.cumsum(sizes)])
        total = int(self._starts[-1])
        sums = np.cumsum(self.lines.taken(total, 3))
        before = np.concatenate([[0], sums])[self._starts[:-1]]
        self._documents = (sums - np.repeat(before, sizes)).astype(np.uint16 if size <= 1 << 16 else np.int32)
        self._impacts = self.lines.rest

    def of(self, term: str) -> Posting | None:
        """The postings of a term."""
        at = self.lines.place(term.encode("utf-8", "surrogatepass"))
        if at is None:
            return None
        span = slice(self._starts[at], self._starts[at + 1])
        return Posting(self._documents[span], self._impacts[span], int(self._idf[at]))


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
        self.meanings = Meanings(self._head["means"], self._head["said"])
        self._terms = cache(lambda number: _Terms(self._part(self._head["terms"][number]), self.size))
        self.of: Callable[[str], Posting | None] = lru_cache(maxsize=10_000)(self._of)
        self._shown = cache(lambda number: msgspec.json.decode(self._part(self._head["shown"][number]), type=_ITEMS))

    def _part(self, ref: Ref) -> bytes:
        return (self._place / ref).read_bytes() if isinstance(ref, str) else self._body[ref[0] : ref[1]]

    def warm(self) -> None:
        """Read everything now."""
        for number in range(len(self._head["terms"])):
            self._terms(number)
        _ = self.spelt

    def _of(self, term: str) -> Posting | None:
        """The postings of a term; None where no document holds it."""
        checksum = crc32(term.encode("utf-8", "surrogatepass"))
        return self._terms(checksum % len(self._head["terms"])).of(term)

    def stored(self, number: int) -> dict[str, Any]:
        """What is shown of a document."""
        found: dict[str, Any] = msgspec.json.decode(self._shown(number // PER_SHOWN)[number % PER_SHOWN])
        return found

    def ids(self) -> list[str]:
        """The ids of all documents, in their order."""
        return [str(self.stored(number)["id"]) for number in range(self.size)]

    @cached_property
    def spelt(self) -> list[tuple[str, int]]:
        """Every word as it is spelt, in order, with the number of documents that hold it."""
        lines = _Lines(self._part(self._head["words"]))
        counts = lines.taken(lines.count, 3).tolist()
        return [(lines[at].decode(), count) for at, count in enumerate(counts)]

    def having(self, field: str, value: str) -> NDArray[np.bool_]:
        """Which documents have this value in a field that filters: a truth value for each."""
        found = np.zeros(self.size, dtype=bool)
        found[np.cumsum(self._head["filters"][field].get(value, []), dtype=np.int64)] = True
        return found

    def values(self, field: str) -> tuple[str, ...]:
        """The values of a field that filters, in order."""
        return tuple(self._head["filters"][field])
