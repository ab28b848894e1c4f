"""A Whoosh segment written in one go from tables, and read back as tables.

Whoosh's own writer takes one posting at a time, in Python; here each term's postings are one block of two arrays. The
format stays Whoosh's (codec W3), so that any Whoosh reads it.
"""

import hashlib
import os
import pickle
import struct
from array import array
from collections.abc import Iterable, Iterator, Mapping, Sequence
from io import BytesIO
from typing import Any

import numpy as np
from numpy.typing import NDArray
from whoosh.codec.whoosh3 import STORED_COLUMN, WHOOSH3_HEADER_MAGIC, W3Codec, W3Segment
from whoosh.filedb.filestore import FileStorage
from whoosh.filedb.filetables import OrderedHashWriter
from whoosh.util.numeric import byte_to_length, length_to_byte

from .fields import FIELDS, TEXTS
from .tables import Numbers, Table

Leaf = Any
"""A reader of one segment, of Whoosh, which ships no types."""

NAME = "MAIN"
_INFO = struct.Struct("!BfIBBfII")
"""W3TermInfo: inlined, weight of all, documents, shortest, longest, highest weight, first document, last one."""
_EXTENT = struct.Struct("!qi")
_NUMBER = struct.Struct("!H")
_SIZES = struct.Struct("!ii")
_LENGTH = struct.Struct("!i")
_LENGTHS = np.array([0, *(byte_to_length(byte) for byte in range(1, 256))], dtype=np.float32)

Lengths = Mapping[str, NDArray[Any]]


def write_segment(
    storage: FileStorage, tables: Iterable[tuple[str, Table]], lengths: Lengths, shown: Sequence[Mapping[str, object]]
) -> W3Segment:
    """Write documents as one segment and give what the table of contents needs.

    `tables` holds every field in the order of `FIELDS`.
    `shown` holds what is kept of each document, with its `id`. The name of the segment is made of the ids: a document
    lives in one segment only.
    """
    codec = W3Codec()
    ids = hashlib.blake2b("\n".join(str(kept["id"]) for kept in shown).encode(), digest_size=8).hexdigest()
    segment = W3Segment(codec, NAME, doccount=len(shown), segid=ids)
    rows = {field: bytes(map(length_to_byte, values.tolist())) for field, values in lengths.items()}
    segment._fieldlengths = {field: int(values.sum()) for field, values in lengths.items()}
    with storage.create_file(codec.column_filename(segment, "_stored")) as file:
        column = STORED_COLUMN.writer(file)
        for number, kept in enumerate(shown):
            column.add(number, kept)
        column.finish(len(shown))
    for field, row in rows.items():
        with storage.create_file(codec.column_filename(segment, f"_{field}_len")) as file:
            file.write(row)
    _write_terms(storage, segment, tables, rows)
    segment.create_compound_file(storage)
    return segment


def _write_terms(
    storage: FileStorage, segment: W3Segment, tables: Iterable[tuple[str, Table]], rows: Mapping[str, bytes]
) -> None:
    index = OrderedHashWriter(segment.create_file(storage, W3Codec.TERMS_EXT))
    index.extras["fieldmap"] = {field: number for number, field in enumerate(FIELDS)}
    with segment.create_file(storage, W3Codec.POSTS_EXT) as posts:
        at = 0
        for field, table in tables:
            prefix = _NUMBER.pack(FIELDS.index(field))
            row = np.frombuffer(rows[field], np.uint8) if field in rows else None
            for term, info, block in _terms(table, row):
                if block:
                    posts.write(block)
                    index.add(prefix + term, info + _EXTENT.pack(at, len(block)))
                    at += len(block)
                else:
                    index.add(prefix + term, info)
    index.close()


def _terms(table: Table, row: NDArray[np.uint8] | None) -> Iterator[tuple[bytes, bytes, bytes]]:
    """Each term, what is said of it, and its postings; those of one document alone stand in what is said."""
    if not table.terms:
        return
    begins = table.starts[:-1]
    documents, counts = table.documents, table.counts
    lengths = row[documents] if row is not None else np.zeros(len(documents), np.uint8)
    steps = np.diff(documents, prepend=0)
    steps[begins] = documents[begins]
    deltas, step = _smallest(steps)
    weights, weight = _smallest(counts)
    sums, most = np.add.reduceat(counts, begins).tolist(), np.maximum.reduceat(counts, begins).tolist()
    low, high = np.minimum.reduceat(lengths, begins).tolist(), np.maximum.reduceat(lengths, begins).tolist()
    first, last = documents[begins].tolist(), documents[table.starts[1:] - 1].tolist()
    starts = table.starts.tolist()
    for place, term in enumerate(table.terms):
        start, end = starts[place], starts[place + 1]
        size = end - start
        about = sums[place], size, low[place], high[place], most[place], first[place], last[place]
        info = _INFO.pack(size == 1, *about)
        if size == 1:
            yield term, info + pickle.dumps(((first[place],), (float(sums[place]),), (b"",)), 2), b""
            continue
        ids = array(step.char, deltas[start * step.itemsize : end * step.itemsize])
        held = array(weight.char, weights[start * weight.itemsize : end * weight.itemsize]) if most[place] > 1 else None
        data = pickle.dumps((ids, held, None), 4)
        head = pickle.dumps((size, last[place], float(most[place]), 0, low[place], high[place]), 2)
        yield term, info, b"".join((WHOOSH3_HEADER_MAGIC, _LENGTH.pack(-len(head) - len(data)), head, data))


def _smallest(values: Numbers) -> tuple[bytes, np.dtype[Any]]:
    """Numbers in as few bytes each as will do."""
    kind = np.min_scalar_type(int(values.max()))
    return values.astype(kind).tobytes(), kind


def read_table(leaf: Leaf, field: str) -> Table:
    """The terms of a field in one segment that `write_segment` wrote, deleted documents and all."""
    terms: list[bytes] = []
    sizes: list[int] = []
    steps: list[NDArray[Any]] = []
    counts: list[NDArray[Any]] = []
    posts = _posts(leaf, field)
    for term, about, inlined, size in _kept(leaf, field):
        if inlined:
            ids, weights, _ = pickle.loads(about)  # noqa: S301 - sealed by the build that wrote it
        else:
            posts.seek(len(WHOOSH3_HEADER_MAGIC) + _LENGTH.size, os.SEEK_CUR)
            pickle.load(posts)  # noqa: S301 - as above; what Whoosh wants to know of the block
            ids, weights, _ = pickle.load(posts)  # noqa: S301 - as above
        terms.append(term)
        sizes.append(size)
        steps.append(np.asarray(ids))
        counts.append(np.ones(size, np.uint8) if weights is None else np.asarray(weights))
    starts = np.concatenate([[0], np.cumsum(sizes)]).astype(np.int64)
    return Table(terms, starts, _summed(_joined(steps), starts), _joined(counts))


def _joined(parts: list[NDArray[Any]]) -> Numbers:
    return np.concatenate([np.zeros(0, np.uint8), *parts]).astype(np.int32)


def read_sizes(leaf: Leaf, field: str) -> Iterator[tuple[bytes, int]]:
    """The terms of a field in one segment, and how many documents hold each, deleted ones and all."""
    return ((term, size) for term, _, _, size in _kept(leaf, field))


def _kept(leaf: Leaf, field: str) -> Iterator[tuple[bytes, bytes, bool, int]]:
    """The terms of a field in order: each with where its postings are, or they themselves, and how many there are."""
    reader = leaf._terms
    number = reader._fieldmap.get(field)
    if number is None:
        return
    begins, ends = (reader._tindex.closest_key_pos(_NUMBER.pack(part)) for part in (number, number + 1))
    if begins is None:
        return
    data = reader._dbfile.get(begins, (reader._tindex.endofdata if ends is None else ends) - begins)
    at = 0
    while at < len(data):
        key, about = _SIZES.unpack_from(data, at)
        at += _SIZES.size
        middle, after = at + key, at + key + about
        inlined, _, size, *_ = _INFO.unpack_from(data, middle)
        yield data[at + _NUMBER.size : middle], data[middle + _INFO.size : after], inlined, size
        at = after


def _posts(leaf: Leaf, field: str) -> BytesIO:
    """The postings of a field: they follow one another in the order of its terms."""
    places = [_EXTENT.unpack(about) for _, about, inlined, _ in _kept(leaf, field) if not inlined]
    if not places:
        return BytesIO()
    begins, ends = places[0][0], sum(places[-1])
    return BytesIO(leaf._terms._postfile.get(begins, ends - begins))


def _summed(steps: Numbers, starts: NDArray[np.int64]) -> Numbers:
    """Documents from the steps between them: the first of each term stands for itself."""
    sums = np.cumsum(steps, dtype=np.int64)
    before = np.concatenate([[0], sums])[starts[:-1]]
    found: Numbers = (sums - np.repeat(before, np.diff(starts))).astype(np.int32)
    return found


def read_lengths(leaf: Leaf) -> dict[str, NDArray[np.float32]]:
    """Of each field of text how many words each document of a segment has, about."""
    found = {}
    for field in TEXTS:
        file, start, size = leaf._perdoc._get_column_file(f"_{field}_len")
        found[field] = _LENGTHS[np.frombuffer(file.get(start, size), np.uint8)]
    return found


def number_of(leaf: Leaf, name: str) -> int | None:
    """The number of a document by its id in one segment, deleted or not."""
    reader = leaf._terms
    about = reader._tindex.get(_NUMBER.pack(reader._fieldmap["id"]) + name.encode())
    return None if about is None else int(_INFO.unpack_from(about)[6])
