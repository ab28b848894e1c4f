"""How well a ranking serves: nDCG@10 on a collection that people judged, for the same engines as the speeds.

`python -m benchmarks.search_quality DIR` with `docs.jsonl` {id, title, summary, body}, `queries.jsonl` {id, text} and
`qrels.json` {query: {document: grade}}; any grade above 0 is relevant.
"""

from __future__ import annotations

import argparse
import json
import math
import sys
import tempfile
from collections.abc import Callable, Iterable, Mapping, Sequence
from pathlib import Path
from typing import Any

from benchmarks.search_engines import both
from benchmarks.search_peers import BM25S, FTS5, WHOOSH, Ranked, peers
from library.records.vocabulary import ResultType
from library.search.documents import Document
from library.search.words import QUERY_STOP_WORDS, spelt

TARGETS = {
    "fast": {WHOOSH: 1.08, FTS5: 1.0, BM25S: 1.0},
    "best": {WHOOSH: 1.11, FTS5: 1.03, BM25S: 1.03},
}
"""How many times a peer's figure that of a profile has to be."""


def main() -> None:
    """Measure and print a table; end with 1 when a target is missed."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("collection", type=Path)
    sys.exit(not quality(parser.parse_args().collection))


def quality(collection: Path) -> bool:
    """Print every engine's mean nDCG@10 over all questions; whether the targets are met."""
    documents = [_document(json.loads(line)) for line in _lines(collection / "docs.jsonl")]
    queries = {item["id"]: item["text"] for item in map(json.loads, _lines(collection / "queries.jsonl"))}
    judged: dict[str, dict[str, int]] = json.loads((collection / "qrels.json").read_text(encoding="utf-8"))
    relevant = {name: {id_ for id_, grade in of.items() if grade > 0} for name, of in judged.items()}
    asked = {name: text for name, text in queries.items() if relevant.get(name)}
    print(f"{collection.name}: {len(documents):,} documents, {len(asked)} questions, mean nDCG@10")
    bare = {name: " ".join(w for w, _, _ in spelt(text) if w not in QUERY_STOP_WORDS) for name, text in asked.items()}
    found: dict[str, tuple[float, ...]] = {}
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        for number, engine in enumerate(peers()):
            place = folder / str(number)
            place.mkdir()
            engine.build(place, documents)
            engine.open(place)
            found[engine.name] = tuple(mean_ndcg(engine.top, texts, relevant) for texts in (asked, bare))
        mine = both()
        (folder / "ours").mkdir()
        mine[0].build(folder / "ours", documents)
        for ours in mine:
            ours.open(folder / "ours")
            found[str(ours.profile)] = (mean_ndcg(ours.whole, asked, relevant),)
    return _show(found)


def _show(found: Mapping[str, Sequence[float]]) -> bool:
    """The figures, then the targets with what was reached beside a peer's better figure; whether all are met."""
    print(f"  {'':<24} {'as asked':>9} {'without our stop words':>23}")
    for name, values in found.items():
        told = "".join(f"{value:{width}.4f}" for value, width in zip(values, (10, 24), strict=False))
        print(f"  {'ours, ' + name if name in TARGETS else name:<24}{told}")
    sound = True
    for profile, least in TARGETS.items():
        for peer, times in least.items():
            reached = found[profile][0] / max(found[peer])
            sound &= reached >= times
            print(
                f"  {profile} at least {times:.2f} x {peer}: {reached:.3f}, {'met' if reached >= times else 'missed'}"
            )
    return sound


def mean_ndcg(ask: Callable[[str], Ranked], queries: Mapping[str, str], relevant: Mapping[str, set[str]]) -> float:
    """The mean over all queries of the binary nDCG@10."""
    values = (ndcg([id_.partition("/")[2] for id_, _ in ask(text)], relevant[name]) for name, text in queries.items())
    return sum(values) / len(queries)


def ndcg(found: Iterable[str], relevant: set[str]) -> float:
    """1 when the first ten, or as many as there are, are relevant; a later place counts less by its logarithm."""
    gain = sum(1 / math.log2(place + 2) for place, id_ in enumerate(found) if id_ in relevant and place < 10)
    return gain / sum(1 / math.log2(place + 2) for place in range(min(10, len(relevant))))


def _document(item: Mapping[str, Any]) -> Document:
    texts = {name: item[name] for name in ("title", "summary", "body")}
    return Document(type=ResultType.PLAYBOOK, slug=item["id"], url="", **texts)


def _lines(path: Path) -> list[str]:
    return [line for line in path.read_text(encoding="utf-8").split("\n") if line.strip()]


if __name__ == "__main__":
    main()
