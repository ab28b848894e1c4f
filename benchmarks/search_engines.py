"""The engines that search is measured with: ours, Whoosh's own searcher, SQLite FTS5, tantivy and bm25s.

Each has the texts title, summary and body of a document and gives the ids and scores of the ten best for a question in
plain words, of which any may fit (OR); each as its manual says. None drops words beyond its own defaults.
"""

from __future__ import annotations

import re
import sqlite3
from collections.abc import Callable, Iterator, Sequence
from functools import cache, partial
from importlib.metadata import version
from pathlib import Path

import bm25s
import tantivy
from whoosh.analysis import StemmingAnalyzer
from whoosh.fields import ID, TEXT, Schema
from whoosh.filedb.filestore import FileStorage
from whoosh.lang.snowball.english import EnglishStemmer
from whoosh.query import Or, Term

from benchmarks.harness import timed
from library.records.vocabulary import Profile
from library.search.documents import Document
from library.search.index import update_index
from library.search.query import Question, SearchEngine

BOOSTS = {"title": 3.0, "summary": 2.0, "body": 1.0}
COUNT = 10
WHOOSH, TANTIVY, BM25S = (f"{name} {version(name.lower())}" for name in ("Whoosh", "tantivy", "bm25s"))
FTS5 = f"SQLite FTS5 {sqlite3.sqlite_version}"
FAST, BEST = (f"ours, {profile}" for profile in (Profile.FAST, Profile.BEST))
WHOLE = ", whole answer"
Documents = Sequence[Document]
Ranked = Sequence[tuple[str, float]]
Top = Callable[[str], Ranked]
"""The ids and scores of the ten best documents for a question, best first."""


def _texts(item: Document) -> dict[str, str]:
    return {"title": item.title, "summary": item.summary, "body": item.body}


def _words(text: str) -> list[str]:
    return re.findall(r"\w+", text.lower())


def _build_ours(folder: Path, documents: Documents) -> None:
    update_index(folder, documents, fresh=True)


def _open_ours(folder: Path) -> dict[str, Top]:
    """Ranking alone, as peers do it, misspellings mended; and the whole answer, with all that a page needs."""
    engine = SearchEngine(folder)
    engine.warm()

    def ranked(profile: Profile, text: str) -> Ranked:
        _, scores, best = engine.asked(Question(text, profile=profile, limit=COUNT))
        return [(found["id"], float(scores[number])) for number, found in best]

    def whole(profile: Profile, text: str) -> Ranked:
        items = engine.answer(Question(text, profile=profile, limit=COUNT)).items
        return [(f"{hit.type}/{hit.slug}", hit.score) for hit in items]

    kinds = {"": ranked, WHOLE: whole}
    return {f"ours, {profile}{end}": partial(top, profile) for end, top in kinds.items() for profile in Profile}


def _build_whoosh(folder: Path, documents: Documents) -> None:
    """One segment, no positions."""
    text = TEXT(StemmingAnalyzer(cachesize=200_000), phrase=False)
    schema = Schema(id=ID(stored=True, unique=True), title=text, summary=text, body=text)
    with FileStorage(str(folder)).create_index(schema).writer(limitmb=256) as writer:
        for item in documents:
            writer.add_document(id=item.id, **_texts(item))


def _open_whoosh(folder: Path) -> dict[str, Top]:
    """An Or of every token in every field, boosted, scored by its BM25F: its parser needs positions."""
    index = FileStorage(str(folder)).open_index()
    analyzer, searcher = index.schema["body"].analyzer, index.searcher()

    def top(text: str) -> Ranked:
        tokens = [token.text for token in analyzer(text)]
        terms = [Term(field, token, boost) for token in tokens for field, boost in BOOSTS.items()]
        return [(hit["id"], hit.score) for hit in searcher.search(Or(terms), limit=COUNT)]

    return {WHOOSH: top}


def _build_fts5(folder: Path, documents: Documents) -> None:
    """One transaction with Porter's stems, then its `optimize`."""
    with sqlite3.connect(folder / "fts.db") as db:
        tokens = "tokenize = 'porter unicode61'"
        db.execute(f"CREATE VIRTUAL TABLE docs USING fts5(id UNINDEXED, title, summary, body, {tokens})")
        rows = ((item.id, *_texts(item).values()) for item in documents)
        db.executemany("INSERT INTO docs(id, title, summary, body) VALUES (?, ?, ?, ?)", rows)
        db.execute("INSERT INTO docs(docs) VALUES ('optimize')")
    db.close()


def _open_fts5(folder: Path) -> dict[str, Top]:
    """Every word quoted, joined by OR; `bm25` with the boosts by its own `rank`; a cache that holds the whole index."""
    db = sqlite3.connect(folder / "fts.db")
    db.execute("PRAGMA cache_size = -2000000")
    ask = "SELECT id, rank FROM docs WHERE docs MATCH ? AND rank MATCH 'bm25(0, 3.0, 2.0, 1.0)' ORDER BY rank LIMIT 10"
    return {FTS5: lambda text: db.execute(ask, (" OR ".join(f'"{word}"' for word in set(_words(text))),)).fetchall()}


def _build_tantivy(folder: Path, documents: Documents) -> None:
    """One commit, its `en_stem` tokens."""
    builder = tantivy.SchemaBuilder()
    builder.add_text_field("id", stored=True, tokenizer_name="raw")
    for field in BOOSTS:
        builder.add_text_field(field, tokenizer_name="en_stem", index_option="freq")
    writer = tantivy.Index(builder.build(), path=str(folder)).writer(heap_size=256_000_000, num_threads=1)
    for item in documents:
        writer.add_document(tantivy.Document(id=item.id, **_texts(item)))
    writer.commit()
    writer.wait_merging_threads()


def _open_tantivy(folder: Path) -> dict[str, Top]:
    """Its own parser with words alone, the boosts; the ids are read from its store."""
    index = tantivy.Index.open(str(folder))
    searcher = index.searcher()

    def top(text: str) -> Ranked:
        query = index.parse_query(" ".join(_words(text)), list(BOOSTS), field_boosts=BOOSTS)
        hits = searcher.search(query, COUNT, count=False).hits
        return [(searcher.doc(address)["id"][0], score) for score, address in hits]

    return {TANTIVY: top}


@cache
def _stem(word: str, stemmer: EnglishStemmer = EnglishStemmer()) -> str:  # noqa: B008 - it keeps nothing
    stem: str = stemmer.stem(word)
    return stem


def _tokens(texts: Sequence[str]) -> list[list[str]]:
    """With Whoosh's Snowball; each word is stemmed once."""

    def stems(words: Sequence[str]) -> list[str]:
        return [_stem(word) for word in words]

    found: list[list[str]] = bm25s.tokenize(texts, stopwords="en", stemmer=stems, show_progress=False, return_ids=False)
    return found


def _build_bm25s(folder: Path, documents: Documents) -> None:
    """NumPy arrays of scores over one text of each document."""
    ranking = bm25s.BM25()
    ranking.index(_tokens(["\n".join(_texts(item).values()) for item in documents]), show_progress=False)
    ranking.save(str(folder), corpus=None)
    (folder / "ids").write_text("\n".join(item.id for item in documents), encoding="utf-8")


def _open_bm25s(folder: Path) -> dict[str, Top]:
    ranking = bm25s.BM25.load(str(folder), load_corpus=False)
    ids = (folder / "ids").read_text(encoding="utf-8").split("\n")

    def top(text: str) -> Ranked:
        numbers, scores = ranking.retrieve(_tokens([text]), k=min(COUNT, len(ids)), show_progress=False)
        return [(ids[int(number)], float(score)) for number, score in zip(numbers[0], scores[0], strict=True)]

    return {BM25S: top}


ENGINES: dict[str, tuple[Callable[[Path, Documents], None], Callable[[Path], dict[str, Top]]]] = {
    "ours": (_build_ours, _open_ours),
    "whoosh": (_build_whoosh, _open_whoosh),
    "fts5": (_build_fts5, _open_fts5),
    "tantivy": (_build_tantivy, _open_tantivy),
    "bm25s": (_build_bm25s, _open_bm25s),
}
"""How each indexes documents, durably where it has files, and what opens what that left."""


def opened(folder: Path, documents: Documents, skip: str = "") -> Iterator[tuple[dict[str, Top], float]]:
    """Each engine over the documents, and the seconds of its build; what an earlier run left in `folder` is taken."""
    for slug, (build, open_) in ENGINES.items():
        place, seconds = folder / slug, folder / f"{slug}.seconds"
        if slug not in skip.split(","):
            if not seconds.exists():
                place.mkdir(parents=True, exist_ok=True)
                seconds.write_text(str(timed(build, place, documents)), encoding="utf-8")
            yield open_(place), float(seconds.read_text(encoding="utf-8"))
