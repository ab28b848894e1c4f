"""The compact index: how it is written from what Whoosh's postings say, and how it is read and ranked by (BM25F).

Whoosh reads postings a term at a time; beside them it keeps what they were made of, which is read many times faster. A
test holds that both say the same. Documents are numbered by their ids in order, so that nothing depends on how the
index grew. Every sum is made in the order in which a browser makes it, so that both give the same numbers.

A file is a length in four bytes, so many bytes of JSON or of terms by lines, and numbers. Numbers of several bytes lie
in planes: the lowest byte of all, then the next of all; so the planes that say little shrink to nothing when they are
packed. `search.bin` names its parts: places in itself, or files beside it where there are many documents.
"""

import itertools
import json
import math
import operator
from array import array
from bisect import bisect_left
from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from functools import cache, cached_property, lru_cache
from hashlib import blake2b
from pathlib import Path
from typing import Any, NamedTuple
from zlib import crc32

import msgspec
import numpy as np
from numpy.typing import NDArray
from whoosh.util.numeric import byte_to_length, length_to_byte

from ..records.vocabulary import Language
from .documents import FILTERS, SPELT, Indexed
from .words import FRAMING, NOISE, Analyzer, Meanings, english

HEAD = "search.bin"
PER_SHOWN = 32  # so many documents are shown by one part
NAMED, JOB = "=", "@"  # what stands before a whole name, and before the name of a job, where they are terms
FEEDBACK_DOCUMENTS, FEEDBACK_WORDS = 10, 20
FEEDBACK_WEIGHT = 0.3  # of the best of those words, where a word of the question counts 1
COEFFICIENTS = (-6.4, 3.19, 4.75, 2.76, 0.85)  # a constant, and of what `evidence` gives: from `tools.closeness`
STRONG = 168  # a word says at least so much of a document in whose title it stands, or in how people ask for it
WEIGHTS = {"title": (3.0, 0.3), "asked": (4.0, 0.3), "summary": (2.0, 0.5), "body": (0.5, 0.75)}
"""Of each field how much a word in it counts, and how far the field's length is taken into account (`b`)."""

K1 = 1.2  # where a word that is repeated stops to count for more
FINEST = 255
MARKS = {"named": NAMED, "job": JOB}
SHARDED = 1_000  # of so many documents the parts are files of their own
PER_TERMS = 20  # about so many documents for each part of terms
NONE = ord("0")  # the first sign of a line that begins with nothing of the one before it
SAYS = 20  # so many of a document's words are kept with it, where there is feedback: those that say most of it
COARSE = 10_000  # in which it is said how much

Scores = NDArray[np.float64]
Ref = Sequence[int] | str  # where a part is: a place in the head, or a file
Mask = NDArray[np.bool_]  # a truth value for each document
Numbers = NDArray[np.int64]


class Posting(NamedTuple):
    """The documents that hold a term, in order; how much it says of each, from 1 to 255; and how rare it is."""

    documents: NDArray[Any]
    impacts: NDArray[np.uint8]
    idf: int


class _Part:
    """A part: its lines in order, and the numbers behind."""

    def __init__(self, data: bytes) -> None:
        end = 4 + int.from_bytes(data[:4], "little")
        shortened = data[4:end].decode().split("\n") if end > 4 else ()
        self.lines = list(
            itertools.accumulate(shortened, lambda last, line: last[: ord(line[0]) - NONE] + line[1:], initial="")
        )[1:]
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
        sizes = self.numbers(len(self.lines), 3)
        self._starts = np.concatenate([[0], np.cumsum(sizes)])
        sums = np.cumsum(self.numbers(int(self._starts[-1]), 3))  # of the steps of all terms
        before = np.concatenate([[0], sums])[self._starts[:-1]]
        self._documents = (sums - np.repeat(before, sizes)).astype(np.int32)

    def of(self, term: str, size: int) -> Posting | None:
        at = bisect_left(self.lines, term)
        if at == len(self.lines) or self.lines[at] != term:
            return None
        start, end = self._starts[at : at + 2].tolist()
        return Posting(self._documents[start:end], self.rest[start:end], rarity(size, end - start))


class Compact:
    """Reads the compact index in a folder. Threads may share one."""

    def __init__(self, place: Path) -> None:
        self._place = place
        data = (place / HEAD).read_bytes()
        end = 4 + int.from_bytes(data[:4], "little")
        self._head, self._body = json.loads(data[4:end]), data[end:]
        self.size: int = self._head["size"]
        self.large: bool = self._head["large"]
        self.values: dict[str, dict[str, list[int]]] = self._head["filters"]
        """Of each field that filters its values in order, each with the steps between its documents."""
        self.analyzer = Analyzer(Language(self._head["language"]), tuple(self._head["small"][1]))
        self.meanings = Meanings(self._head["means"], frozenset(self._head["said"]))
        self.having = lru_cache(maxsize=512)(self._having)
        self.most = lru_cache(maxsize=50_000)(self._most)
        self._terms = cache(lambda number: _TermsPart(self._part(self._head["terms"][number])))
        self._shown = cache(lambda at: msgspec.json.decode(self._part(self._head["shown"][at]), type=list[msgspec.Raw]))

    def _part(self, ref: Ref) -> bytes:
        return (self._place / ref).read_bytes() if isinstance(ref, str) else self._body[ref[0] : ref[1]]

    def of(self, term: str) -> Posting | None:
        """The postings of a term; None where no document holds it."""
        return self._terms(crc32(term.encode("utf-8", "surrogatepass")) % len(self._head["terms"])).of(term, self.size)

    def _most(self, term: str) -> int:
        """The most that a term says of any document; 0 where none holds it."""
        posting = self.of(term)
        return posting.idf * int(posting.impacts.max()) if posting else 0

    def stored(self, number: int) -> dict[str, Any]:
        """What is shown of a document."""
        return msgspec.json.decode(self._shown(number // PER_SHOWN)[number % PER_SHOWN], type=dict[str, Any])

    @cached_property
    def spelt(self) -> list[tuple[str, int]]:
        """Every word as it is spelt, in order, with the number of documents that hold it."""
        part = _Part(self._part(self._head["words"]))
        counts = part.numbers(len(part.lines), 3).tolist()
        return list(zip(part.lines, counts, strict=True))

    def _having(self, field: str, value: str) -> Mask:
        """Which documents have this value in a field that filters."""
        found = np.zeros(self.size, dtype=bool)
        found[np.cumsum(self.values[field].get(value, []), dtype=np.int64)] = True
        return found


def of_words(index: Compact, words: Mapping[str, float]) -> Scores:
    """A score for each document by number, 0 where no word fits. `words` are stems with their weights."""
    found = np.zeros(index.size)
    for word, weight in words.items():
        if posting := index.of(word):
            found[posting.documents] += weight * posting.idf * posting.impacts
    return found


def of_parts(index: Compact, parts: Sequence[Mapping[str, float]]) -> Scores:
    """The root of the squares' sum over all parts: one that fits well counts more than many that fit a little."""
    total = np.zeros(index.size)
    for words in parts:
        found = of_words(index, words)
        total += found * found
    root: Scores = np.sqrt(total)
    return root


def with_feedback(index: Compact, words: Mapping[str, float], scores: Scores) -> Scores:
    """Better scores: once more, with the words that the best documents of the first round have in common.

    Pseudo-relevance feedback; Rocchio (1971) with the scores as weights. Documents that hold no word of the question
    get none. Of few documents the tenth best is about something else: there nothing is asked again.
    """
    near = near_top(scores, FEEDBACK_DOCUMENTS)
    best = near[np.argsort(-scores[near], kind="stable")][:FEEDBACK_DOCUMENTS]
    if not index.large or not len(best):
        return scores
    sums: dict[str, float] = {}
    for number in best.tolist():
        share = scores[number] / scores[best[0]]
        for word, weight in index.stored(number)["says"].items():
            sums[word] = sums.get(word, 0.0) + weight * share
    chosen = sorted(sums, key=lambda word: (-sums[word], word))[:FEEDBACK_WORDS]
    strongest = max(words.values()) * FEEDBACK_WEIGHT / sums[chosen[0]]
    again = scores + of_words(index, {word: sums[word] * strongest for word in chosen})
    again[scores <= 0] = 0
    return again


def near_top(scores: Scores, count: int) -> NDArray[np.intp]:
    """The numbers of the `count` documents with the highest scores above 0 and of all equal to the last, in order."""
    some = scores[scores > 0]  # among many that are equal a partition takes ten times as long
    floor = np.partition(some, len(some) - count)[len(some) - count] if 0 < count < len(some) else 0.0
    return np.flatnonzero((scores >= floor) & (scores > 0))


def evidence(index: Compact, words: Mapping[str, float], unknown: int, number: int) -> tuple[float, ...]:
    """What speaks for a document: how much the question's words say of it, the shares of them in its title and `asked`,
    and anywhere, and how many were asked. A rare word is a larger share, and one that nothing holds the largest."""
    worth = strong = held = 0.0
    mass = float(unknown * rarity(index.size, 0))
    for word in words:
        if posting := index.of(word):
            at = int(np.searchsorted(posting.documents, number))
            found = at < len(posting.documents) and posting.documents[at] == number
            impact = int(posting.impacts[at]) if found else 0
            mass += posting.idf
            worth += posting.idf * impact
            held += posting.idf if impact else 0
            strong += posting.idf if impact >= STRONG else 0
    whole = mass or 1.0
    return worth / whole / 255, strong / whole, held / whole, float(len(words) + unknown)


def is_close(numbers: Sequence[float]) -> bool:
    """Whether a document of which so much speaks is more likely one that was looked for than not."""
    constant, *weights = COEFFICIENTS
    return bool(sum(map(operator.mul, weights, numbers)) + constant > 0)


class Terms(NamedTuple):
    """Terms in order: names, where the postings of each begin and the last end, their documents, and their impacts."""

    names: list[str]
    starts: Numbers
    documents: Numbers
    impacts: NDArray[np.uint8]


def compacted(items: Iterable[Indexed], meanings: Meanings, analyzer: Analyzer) -> dict[str, bytes]:
    """The files by their names: every one the same for the same documents."""
    kept = sorted(items, key=lambda item: str(item["shown"]["id"]))
    terms, shown, size = terms_of(kept), [item["shown"] for item in kept], len(kept)
    spelt = sorted(Counter(itertools.chain.from_iterable(item[SPELT].split() for item in kept)).items())
    small = analyzer.stop_words, analyzer.query_stop_words - analyzer.stop_words, FRAMING
    body, files = bytearray(), dict[str, bytes]()
    large = size >= SHARDED
    count = 1 << round(math.log2(size / PER_TERMS)) if large else 1
    if large:
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
        "large": large,
        "terms": [put(part) for part in _parts(terms, count)],
        "shown": [put(msgspec.json.encode(shown[at : at + PER_SHOWN])) for at in range(0, size, PER_SHOWN)],
        "words": put(_lines(_shortened(word for word, _ in spelt)) + _planes([holders for _, holders in spelt], 3)),
        "known": put(_english() if analyzer.known else b"", apart=True),
        "filters": {field: _steps(kept, field) for field in FILTERS},
        "means": meanings.meant,
        "said": sorted(meanings.said),
        "language": analyzer.language,
        "small": list(map(sorted, small)),
        "noise": NOISE,
        "close": [COEFFICIENTS, STRONG],
    }
    return {HEAD: _lines([json.dumps(head, ensure_ascii=False, separators=(",", ":"))]) + body, **files}


@cache
def _english() -> bytes:
    return "\n".join(_shortened(sorted(english()))).encode()


def terms_of(kept: Sequence[Indexed]) -> Terms:
    """All terms of documents: the weighted counts of all fields are summed before they saturate."""
    numbers: dict[str, int] = defaultdict(itertools.count().__next__)  # in the order in which they are met
    size, keys, worths = len(kept), list[Numbers](), list[Scores]()
    for field, (weight, b) in WEIGHTS.items():  # at once: a third less time than by document, 10 KB of memory more
        words, ends = array("I"), [0]
        for item in kept:
            words.extend(map(numbers.__getitem__, item[field].split()))
            ends.append(len(words))
        counts = np.diff(ends)
        lengths = np.array([byte_to_length(length_to_byte(count)) for count in counts.tolist()], np.float64)
        scales = weight / (1 - b + b * lengths / ((lengths.mean() if size else 0.0) or 1.0))
        places = np.asarray(words, np.int64) * size + np.repeat(np.arange(size), counts)
        held, times = np.unique(places, return_counts=True)
        keys.append(held)
        worths.append(times * scales[held % (size or 1)])
    for field, mark in MARKS.items():
        marked = [numbers[mark + name] * size + at for at, item in enumerate(kept) for name in item[field]]
        keys.append(np.array(marked, np.int64))
        worths.append(np.ones(len(marked)))
    names = sorted(numbers)
    rank = np.argsort(np.array([numbers[name] for name in names], np.int64))
    number, at = np.divmod(np.concatenate(keys), size or 1)
    held, places = np.unique(rank[number] * size + at, return_inverse=True)
    said = np.bincount(places, np.concatenate(worths)).astype(np.float64)
    said = FINEST * said / (K1 + said)
    steps = np.exp2(np.maximum(np.frexp(said)[1] - 4, 0))  # four binary digits: they pack to five eighths of the bytes
    impacts = np.asarray(np.clip(np.rint(said / steps) * steps, 1, FINEST), np.uint8)
    return Terms(names, np.searchsorted(held, np.arange(len(names) + 1) * size), held % (size or 1), impacts)


def rarity(size: int, holders: int) -> int:
    """How rare a term is in thousandths, of `size` documents of which so many hold it. A browser reckons the same."""
    return max(1, round(math.log(1 + (size - holders + 0.5) / (holders + 0.5)) * 1_000))


def _saying(found: Terms, size: int) -> Iterator[dict[str, int]]:
    """Of each document the words that say most of it, and how much."""
    sizes = np.diff(found.starts)
    terms = np.repeat(np.arange(len(found.names)), sizes)
    says = found.impacts * np.repeat([rarity(size, holders) for holders in sizes.tolist()], sizes)
    words = np.array([not name.startswith((NAMED, JOB)) for name in found.names], np.bool_)[terms]
    order = np.lexsort((terms, -says, found.documents))
    order = order[words[order]]
    starts = np.searchsorted(found.documents[order], np.arange(size + 1))
    order = order[np.arange(len(order)) - np.repeat(starts[:-1], np.diff(starts)) < SAYS]
    much = np.maximum(1, says[order] // COARSE).tolist()
    pairs = zip(map(found.names.__getitem__, terms[order].tolist()), much, strict=True)
    for count in np.minimum(np.diff(starts), SAYS).tolist():
        yield dict(itertools.islice(pairs, count))


def _steps(kept: Sequence[Indexed], field: str) -> Mapping[str, list[int]]:
    """Of each value the first document that has it, and the steps to each next one."""
    found: dict[str, list[int]] = defaultdict(list)
    for document, item in enumerate(kept):
        for value in item[field]:
            found[value].append(document)
    return {value: np.diff(found[value], prepend=0).tolist() for value in sorted(found)}


def _parts(found: Terms, count: int) -> Iterator[bytes]:
    """The parts of the terms: each part has those whose checksum leads to it."""
    parts: list[list[int]] = [[] for _ in range(count)]
    for at, name in enumerate(found.names):
        parts[crc32(name.encode()) % count].append(at)
    sizes, begins = np.diff(found.starts), found.starts[:-1]
    steps = np.diff(found.documents, prepend=0)
    steps[begins] = found.documents[begins]
    for here in parts:
        names = _lines(_shortened(found.names[at] for at in here))
        spans = (np.arange(found.starts[at], found.starts[at + 1]) for at in here)
        every = np.concatenate([np.arange(0), *spans])
        yield b"".join((names, _planes(sizes[here], 3), _planes(steps[every], 3), found.impacts[every].tobytes()))


def _shortened(lines: Iterable[str]) -> Iterator[str]:
    """Lines in order, each without what the one before it begins with too: its first sign says how much that is."""
    last = ""
    for line in lines:
        same = sum(itertools.takewhile(bool, map(operator.eq, line, last)))
        yield chr(NONE + same) + line[same:]
        last = line


def _lines(lines: Iterable[str]) -> bytes:
    text = "\n".join(lines).encode()
    return len(text).to_bytes(4, "little") + text


def _planes(values: Sequence[int] | Numbers, count: int) -> bytes:
    return b"".join((np.asarray(values, np.int64) >> 8 * at & 255).astype(np.uint8).tobytes() for at in range(count))
