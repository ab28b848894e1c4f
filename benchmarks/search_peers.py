"""The peers that search is measured beside: Whoosh's own searcher, SQLite FTS5, tantivy and bm25s, each as its manual.

Each has the texts title, summary and body of a document and gives the ids and scores of the ten best for a question in
plain words, of which any may fit (OR). None drops words of a question beyond its own defaults.
"""

from __future__ import annotations

import re
import sqlite3
from collections.abc import Iterator, Sequence
from importlib.metadata import version
from pathlib import Path
from typing import Protocol

import bm25s
import tantivy
from whoosh.analysis import StemmingAnalyzer
from whoosh.fields import ID, TEXT, Schema
from whoosh.filedb.filestore import FileStorage
from whoosh.lang.snowball.english import EnglishStemmer
from whoosh.query import Or, Term

from library.search.documents import Document

BOOSTS = {"title": 3.0, "summary": 2.0, "body": 1.0}
COUNT = 10
WHOOSH = f"Whoosh {version('whoosh')}"
FTS5 = f"SQLite FTS5 {sqlite3.sqlite_version}"
TANTIVY = f"tantivy {version('tantivy')}"
BM25S = f"bm25s {version('bm25s')}"
Ranked = Sequence[tuple[str, float]]


class Engine(Protocol):
    """Something that is built from documents and ranks them for a question."""

    name: str
    slug: str

    def build(self, folder: Path, documents: Sequence[Document]) -> None:
        """Index the documents, durably where the engine has files."""

    def open(self, folder: Path) -> None:
        """Be ready for questions, from what `build` left."""

    def top(self, text: str) -> Ranked:
        """The ids and scores of the ten best documents, best first."""

    def change(self, document: Document) -> None:
        """Put one document in the place of the one with its id, so that the next question meets it."""


class WhooshItself:
    """Whoosh's own index and searcher: an Or of every token in every field, boosted, scored by its BM25F."""

    name = WHOOSH
    slug = "whoosh"

    def build(self, folder: Path, documents: Sequence[Document]) -> None:
        """One segment, no positions."""
        text = TEXT(StemmingAnalyzer(cachesize=200_000), phrase=False)
        schema = Schema(id=ID(stored=True, unique=True), title=text, summary=text, body=text)
        with FileStorage(str(folder)).create_index(schema).writer(limitmb=256) as writer:
            for item in documents:
                writer.add_document(id=item.id, **_texts(item))

    def open(self, folder: Path) -> None:
        """A searcher."""
        self._index = FileStorage(str(folder)).open_index()
        self._searcher = self._index.searcher()
        self._analyzer = self._index.schema["body"].analyzer

    def top(self, text: str) -> Ranked:
        """Or of terms, because its MultifieldParser may fail on plain words without positions."""
        tokens = [token.text for token in self._analyzer(text)]
        found = self._searcher.search(
            Or([Term(field, token, boost) for token in tokens for field, boost in BOOSTS.items()]), limit=COUNT
        )
        return [(hit["id"], hit.score) for hit in found]

    def change(self, document: Document) -> None:
        """Update, commit, and a fresh searcher."""
        with self._index.writer() as writer:
            writer.update_document(id=document.id, **_texts(document))
        self._searcher = self._searcher.refresh()


class Fts5:
    """SQLite FTS5 with Porter's stems, `bm25` with the boosts, sorted by its own `rank`."""

    name = FTS5
    slug = "fts5"
    _ASK = "SELECT id, rank FROM docs WHERE docs MATCH ? AND rank MATCH 'bm25(0, 3.0, 2.0, 1.0)' ORDER BY rank LIMIT 10"

    def build(self, folder: Path, documents: Sequence[Document]) -> None:
        """One transaction, then its `optimize`."""
        with sqlite3.connect(folder / "fts.db") as db:
            tokens = "tokenize = 'porter unicode61'"
            db.execute(f"CREATE VIRTUAL TABLE docs USING fts5(id UNINDEXED, title, summary, body, {tokens})")
            rows = ((number, item.id, *_texts(item).values()) for number, item in enumerate(documents))
            db.executemany("INSERT INTO docs(rowid, id, title, summary, body) VALUES (?, ?, ?, ?, ?)", rows)
            db.execute("INSERT INTO docs(docs) VALUES ('optimize')")
        db.close()

    def open(self, folder: Path) -> None:
        """A connection with a cache that holds the whole index."""
        self._db = sqlite3.connect(folder / "fts.db")
        self._db.execute("PRAGMA cache_size = -2000000")
        self._rows: dict[str, int] = dict(self._db.execute("SELECT id, rowid FROM docs").fetchall())

    def top(self, text: str) -> Ranked:
        """Every word quoted, joined by OR."""
        words = dict.fromkeys(re.findall(r"\w+", text.lower()))
        return self._db.execute(self._ASK, (" OR ".join(f'"{word}"' for word in words),)).fetchall()

    def change(self, document: Document) -> None:
        """One transaction."""
        with self._db:
            row = (*_texts(document).values(), self._rows[document.id])
            self._db.execute("UPDATE docs SET title = ?, summary = ?, body = ? WHERE rowid = ?", row)


class Tantivy:
    """tantivy (Rust) with its `en_stem` tokens and the boosts."""

    name = TANTIVY
    slug = "tantivy"

    def build(self, folder: Path, documents: Sequence[Document]) -> None:
        """One commit."""
        builder = tantivy.SchemaBuilder()
        builder.add_text_field("id", stored=True, tokenizer_name="raw")
        for field in BOOSTS:
            builder.add_text_field(field, tokenizer_name="en_stem", index_option="freq")
        index = tantivy.Index(builder.build(), path=str(folder))
        writer = index.writer(heap_size=256_000_000, num_threads=1)
        for item in documents:
            writer.add_document(tantivy.Document(id=item.id, **_texts(item)))
        writer.commit()
        writer.wait_merging_threads()

    def open(self, folder: Path) -> None:
        """A searcher."""
        self._index = tantivy.Index.open(str(folder))
        self._searcher = self._index.searcher()

    def top(self, text: str) -> Ranked:
        """Its own parser with words alone, any of which may fit; the ids are read from its store."""
        query = self._index.parse_query(" ".join(re.findall(r"\w+", text.lower())), list(BOOSTS), field_boosts=BOOSTS)
        hits = self._searcher.search(query, COUNT, count=False).hits
        return [(self._searcher.doc(address)["id"][0], score) for score, address in hits]

    def change(self, document: Document) -> None:
        """Delete, add, commit, and a fresh searcher."""
        writer = self._index.writer(heap_size=15_000_000, num_threads=1)
        writer.delete_documents("id", document.id)
        writer.add_document(tantivy.Document(id=document.id, **_texts(document)))
        writer.commit()
        writer.wait_merging_threads()
        self._index.reload()
        self._searcher = self._index.searcher()


class Bm25s:
    """bm25s (NumPy, scores made when it is built) over one text of each document, with Snowball's stems."""

    name = BM25S
    slug = "bm25s"

    def build(self, folder: Path, documents: Sequence[Document]) -> None:
        """The arrays, saved."""
        stems = _Stems()
        whole = ["\n".join(_texts(item).values()) for item in documents]
        tokens = bm25s.tokenize(whole, stopwords="en", stemmer=stems, show_progress=False)
        ranking = bm25s.BM25()
        ranking.index(tokens, show_progress=False)
        ranking.save(str(folder), corpus=None)
        (folder / "ids").write_text("\n".join(item.id for item in documents), encoding="utf-8")

    def open(self, folder: Path) -> None:
        """The arrays in memory."""
        self._stems = _Stems()
        self._ranking = bm25s.BM25.load(str(folder), load_corpus=False)
        self._ids = (folder / "ids").read_text(encoding="utf-8").split("\n")

    def top(self, text: str) -> Ranked:
        """Its tokens, its scores, its top."""
        tokens = bm25s.tokenize([text], stopwords="en", stemmer=self._stems, show_progress=False, return_ids=False)
        count = min(COUNT, len(self._ids))
        numbers, scores = self._ranking.retrieve(tokens, k=count, show_progress=False)
        return [(self._ids[int(number)], float(score)) for number, score in zip(numbers[0], scores[0], strict=True)]

    def change(self, document: Document) -> None:
        """It cannot: it is built again."""
        raise NotImplementedError


class _Stems:
    """Whoosh's Snowball under the name by which bm25s calls a stemmer; each word once."""

    def __init__(self) -> None:
        self._stem = EnglishStemmer().stem
        self._known: dict[str, str] = {}

    def __call__(self, words: Sequence[str]) -> list[str]:
        return [self._known.get(word) or self._known.setdefault(word, self._stem(word)) for word in words]


def peers() -> Iterator[Engine]:
    """All of them, new."""
    yield from (WhooshItself(), Fts5(), Tantivy(), Bm25s())


def _texts(item: Document) -> dict[str, str]:
    return {"title": item.title, "summary": item.summary, "body": item.body}
