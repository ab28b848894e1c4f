"""The compact index is written here: what Whoosh's postings say, as the bytes that ranking reads (BM25F).

Whoosh reads postings a term at a time; beside them it keeps what they were made of, which is read many times faster. A
test holds that both say the same. Documents are numbered by their ids in order, so that nothing depends on how the
index grew.

A file is a length in four bytes, so many bytes of JSON or of terms by lines, and numbers. Numbers of several bytes lie
in planes: the lowest byte of all, then the next of all; so the planes that say little shrink to nothing when they are
packed. `search.bin` names its parts: places in itself, or files beside it where there are many documents.
"""

import json
from array import array
from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from hashlib import blake2b
from itertools import pairwise
from typing import Any, NamedTuple
from zlib import crc32

import msgspec
import numpy as np
from numpy.typing import NDArray
from whoosh.util.numeric import byte_to_length, length_to_byte

from .compact import COEFFICIENTS, HEAD, JOB, NAMED, PER_SHOWN, STRONG, Ref
from .documents import FILTERS, SPELT, Indexed
from .words import FRAMING, NOISE, QUERY_STOP_WORDS, STOP_WORDS, Meanings, english

WEIGHTS = {"title": (3.0, 0.3), "asked": (4.0, 0.3), "summary": (2.0, 0.5), "body": (0.5, 0.75)}
"""Of each field how much a word in it counts, and how far the field's length is taken into account (`b`)."""

K1 = 1.2  # where a word that is repeated stops to count for more
FINEST, RAREST = 255, 65_535
MARKS = {"named": NAMED, "job": JOB}
SHARDED = 1_000  # of so many documents the parts are files of their own
PER_TERMS = 40  # about so many documents for each part of terms
SAYS = 30  # so many of a document's words are kept with it, where there is feedback: those that say most of it
Numbers = NDArray[np.int64]


class Terms(NamedTuple):
    """Of each term in order: its name, where its postings begin (`starts` ends with where the last end), and how rare
    it is in thousandths. Of each posting: the document, and how much the term says of it, from 1 to 255."""

    names: list[str]
    starts: Numbers
    rarities: Numbers
    documents: Numbers
    impacts: NDArray[np.uint8]


def compacted(items: Iterable[Indexed], meanings: Meanings) -> dict[str, bytes]:
    """The files by their names: every one the same for the same documents."""
    kept = sorted(items, key=lambda item: str(item["shown"]["id"]))
    terms, shown, size = terms_of(kept), [item["shown"] for item in kept], len(kept)
    spelt = sorted(Counter(word for item in kept for word in item[SPELT].split()).items())
    body, files = bytearray(), dict[str, bytes]()
    large, count = size >= SHARDED, 1
    if large:
        count = 1 << round(np.log2(size / PER_TERMS))
        shown = [item | {"says": says} for item, says in zip(shown, _saying(terms, size), strict=True)]

    def put(data: bytes, *, apart: bool = large) -> Ref:
        if not apart:
            body.extend(data)
            return len(body) - len(data), len(body)
        name = f"{blake2b(data, digest_size=8).hexdigest()}.bin"
        files[name] = data
        return name

    head = {
        "size": size,
        "rarest": int(_rarity(size, np.zeros(1))[0]),
        "large": large,
        "terms": [put(part) for part in _parts(terms, count)],
        "shown": [put(msgspec.json.encode(shown[at : at + PER_SHOWN])) for at in range(0, size, PER_SHOWN)],
        "words": put(_lines(word for word, _ in spelt) + _planes([holders for _, holders in spelt], 3)),
        "english": put("\n".join(sorted(english())).encode(), apart=True),
        "filters": {field: _steps(kept, field) for field in FILTERS},
        "means": meanings.meant,
        "said": sorted(meanings.said),
        "small": [sorted(STOP_WORDS), sorted(QUERY_STOP_WORDS - STOP_WORDS), sorted(FRAMING)],
        "noise": NOISE,
        "close": [COEFFICIENTS, STRONG],
    }
    return {HEAD: _lines([json.dumps(head, ensure_ascii=False, separators=(",", ":"))]) + body, **files}


def terms_of(kept: Sequence[Indexed]) -> Terms:
    """All terms of documents: the weighted counts of all fields are summed before they saturate.

    Whole names, and names of jobs, say no more than that they are there.
    """
    numbers: dict[str, int] = {}
    rows = []
    for field in (*WEIGHTS, *MARKS):
        terms, documents, counts = array("I"), array("I"), array("f")
        for document, item in enumerate(kept):
            found = Counter[str](item[field].split() if field in WEIGHTS else item[field])
            terms.extend(numbers.setdefault(MARKS.get(field, "") + word, len(numbers)) for word in found)
            documents.extend([document] * len(found))
            counts.extend(found.values())
        holders, weights = np.asarray(documents), np.asarray(counts)
        if field in WEIGHTS:
            weights = WEIGHTS[field][0] * weights / _norm(kept, field)[holders]
        rows.append((np.asarray(terms), holders, weights))
    names = sorted(numbers)
    rank = np.empty(len(names), np.int64)
    rank[[numbers[name] for name in names]] = np.arange(len(names))
    every, holders, weights = (np.concatenate(column) for column in zip(*rows, strict=True))
    keys = rank[every] * len(kept) + holders
    order = np.argsort(keys, kind="stable")
    first = np.flatnonzero(np.diff(keys[order], prepend=-1))
    sums = np.add.reduceat(weights[order], first) if len(first) else weights
    impacts = np.clip(np.rint(FINEST * sums / (K1 + sums)), 1, FINEST).astype(np.uint8)
    every, holders = np.divmod(keys[order][first], max(len(kept), 1))
    sizes = np.bincount(every, minlength=len(names))
    whole = _whole(names)
    impacts[whole[every]] = 1
    rarities = np.where(whole, 1, _rarity(len(kept), sizes))
    return Terms(names, np.concatenate([[0], np.cumsum(sizes)]), rarities, holders, impacts)


def _norm(kept: Sequence[Indexed], field: str) -> NDArray[np.float32]:
    """What divides a count in each document: 1 in one of middle length, more in a longer one. As fine as Whoosh's."""
    lengths = np.array([byte_to_length(length_to_byte(len(item[field].split()))) for item in kept], np.float32)
    mean, b = float(lengths.mean(dtype=np.float64)) if kept else 0.0, WEIGHTS[field][1]
    return (1 - b + b * lengths / (mean or 1.0)).astype(np.float32)


def _whole(names: Sequence[str]) -> NDArray[np.bool_]:
    return np.array([name.startswith((NAMED, JOB)) for name in names], np.bool_)


def _rarity(size: int, holders: NDArray[Any]) -> Numbers:
    idf = np.log(1 + (size - holders + 0.5) / (holders + 0.5)) * 1_000
    found: Numbers = np.clip(np.rint(idf), 1, RAREST).astype(np.int64)
    return found


def _saying(found: Terms, size: int) -> Iterator[dict[str, int]]:
    """Of each document the words that say most of it, and how much."""
    terms = np.repeat(np.arange(len(found.names)), np.diff(found.starts))
    says = found.impacts * found.rarities[terms]
    words = ~_whole(found.names)[terms]
    order = np.lexsort((terms, -says, found.documents))
    order = order[words[order]]
    for start, end in pairwise(np.searchsorted(found.documents[order], np.arange(size + 1))):
        yield {found.names[terms[at]]: int(says[at]) for at in order[start:end][:SAYS].tolist()}


def _steps(kept: Sequence[Indexed], field: str) -> Mapping[str, list[int]]:
    """Of each value the first document that has it, and the steps to each next one."""
    found: dict[str, list[int]] = defaultdict(list)
    for document, item in enumerate(kept):
        for value in item[field]:
            found[value].append(document)
    return {value: np.diff(found[value], prepend=0).tolist() for value in sorted(found)}


def _parts(found: Terms, count: int) -> Iterator[bytes]:
    """The parts of the terms: each part has those whose checksum leads to it."""
    parts = np.array([crc32(name.encode()) % count for name in found.names], np.int64)
    sizes, begins = np.diff(found.starts), found.starts[:-1]
    steps = np.diff(found.documents, prepend=0)
    steps[begins] = found.documents[begins]
    for number in range(count):
        here = parts == number
        every = np.repeat(here, sizes)
        names = _lines(found.names[at] for at in np.flatnonzero(here).tolist())
        numbers = _planes(sizes[here], 3), _planes(found.rarities[here], 2), _planes(steps[every], 3)
        yield b"".join((names, *numbers, found.impacts[every].tobytes()))


def _lines(lines: Iterable[str]) -> bytes:
    text = "\n".join(lines).encode()
    return len(text).to_bytes(4, "little") + text


def _planes(values: Sequence[int] | Numbers, count: int) -> bytes:
    return b"".join((np.asarray(values, np.int64) >> 8 * at & 255).astype(np.uint8).tobytes() for at in range(count))
