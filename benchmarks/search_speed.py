"""How fast search ranks and answers beside its peers: each question asked of every engine in turn, again and again."""

from __future__ import annotations

import json
import multiprocessing
import statistics
import time
from collections.abc import Callable, Collection, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from benchmarks.search_corpus import documents, questions
from benchmarks.search_engines import Ours, both
from benchmarks.search_peers import BM25S, Engine, peers
from benchmarks.usage import timed
from library.search.documents import Document
from library.search.query import Question, SearchEngine, highlights
from library.search.words import stem

CHANGES = 5


@dataclass(slots=True)
class Speed:
    """What was measured of one engine, in seconds: of each question the median of the rounds."""

    name: str
    asked: list[float] = field(default_factory=list)
    build: float | None = None
    changes: list[float] = field(default_factory=list)

    def at(self, share: float) -> float:
        """The time within which this share of the questions is answered."""
        return sorted(self.asked)[min(len(self.asked) - 1, int(len(self.asked) * share))]


@dataclass(slots=True)
class Ready:
    """The engines over documents of one number, built and open."""

    folder: Path
    documents: list[Document]
    engines: list[tuple[Engine, Speed]]
    ours: tuple[Ours, Ours]


def ready(folder: Path, count: int, skip: Collection[str] = ()) -> Ready:
    """All engines but those to `skip` over `count` documents; what an earlier run left in `folder` is taken as is."""
    some = list(documents(count))
    mine = both()
    kinds: list[tuple[str, tuple[Engine, ...]]] = [(one.slug, (one,)) for one in peers() if one.slug not in skip]
    engines: list[tuple[Engine, Speed]] = []
    for slug, users in [*kinds, ("ours", mine)]:
        place = folder / str(count) / slug
        told = place / "built.json"
        if not told.exists():
            place.mkdir(parents=True)
            told.write_text(json.dumps({"seconds": timed(users[0].build, place, some)}), encoding="utf-8")
        for user in users:
            user.open(place)
            engines.append((user, Speed(user.name, build=json.loads(told.read_text(encoding="utf-8"))["seconds"])))
    for one in mine:
        one.engine.warm()
    return Ready(folder / str(count), some, engines, mine)


def speeds(ready: Ready, count: int, rounds: int) -> list[Speed]:
    """The times of `count` questions: ranking of every engine, then our whole answers."""
    asked = questions(count)
    for text in asked[:20]:
        for engine, _ in ready.engines:
            engine.top(text)
    wholes: list[tuple[Callable[[str], object], Speed]] = [
        (one.whole, Speed(f"{one.name}, whole answer")) for one in ready.ours
    ]
    works: list[tuple[Callable[[str], object], Speed]] = [(engine.top, speed) for engine, speed in ready.engines]
    for text in asked:
        turns = [[timed(work, text) for work, _ in works + wholes] for _ in range(rounds)]
        for (_, speed), values in zip(works + wholes, zip(*turns, strict=True), strict=True):
            speed.asked.append(statistics.median(values))
    return [speed for _, speed in works + wholes]


def changed(ready: Ready) -> None:
    """The time from one changed document to the first question that meets it; of ours until the index is in use."""
    fresh = list(documents(CHANGES, seed=9))
    for engine, speed in ready.engines:
        if engine.name != BM25S and engine is not ready.ours[1]:
            speed.changes = [timed(engine.change, document) for document in fresh]


def updated(ready: Ready) -> list[float]:
    """The seconds of `update_index` alone, for one changed document."""
    return [timed(ready.ours[0].update, document) for document in documents(CHANGES, seed=10)]


def parts(ready: Ready, count: int) -> dict[str, float]:
    """The median seconds of the facets of an answer, and of the highlights in ten summaries."""
    engine = ready.ours[0].engine
    asked = questions(count)
    matched = engine.having("trust", "tested") | engine.having("category", "software")
    facets = statistics.median(timed(engine.facets, matched) for _ in asked)
    marked: list[float] = []
    for text in asked:
        words, found = [stem(word) for word in text.split()], engine.answer(Question(text)).items
        marked.append(timed(lambda words=words, found=found: [list(highlights(hit.summary, words)) for hit in found]))
    return {"facets": facets, "highlights of ten": statistics.median(marked)}


def opening(folder: Path) -> dict[str, float]:
    """Seconds to open an index in a fresh process, to answer first and to warm; the megabytes that it then takes."""
    with multiprocessing.get_context("spawn").Pool(1) as pool:
        return pool.apply(_opening, (folder,))


def _opening(folder: Path) -> dict[str, float]:
    before = _megabytes()
    began = time.perf_counter()
    engine = SearchEngine(folder)
    opened = time.perf_counter()
    engine.answer(Question(questions(1)[0]))
    first = time.perf_counter()
    engine.warm()
    return {
        "open": opened - began,
        "first answer": first - opened,
        "warm": time.perf_counter() - first,
        "megabytes": _megabytes() - before,
        "peak": _megabytes("VmHWM") - before,
    }


def _megabytes(what: str = "VmRSS") -> float:
    """What this process holds in memory now, or with `VmHWM` has held at most."""
    status = Path("/proc/self/status").read_text(encoding="ascii")
    return int(status.partition(f"{what}:")[2].split()[0]) / 1024


def rows(told: Sequence[Speed], documents: int) -> list[dict[str, Any]]:
    """What there is to say of each engine: milliseconds, and documents a second."""
    return [
        {
            "name": one.name,
            "p50": one.at(0.5) * 1000,
            "p99": one.at(0.99) * 1000,
            "built": documents / one.build if one.build else None,
            "change": statistics.median(one.changes) * 1000 if one.changes else None,
        }
        for one in told
    ]
