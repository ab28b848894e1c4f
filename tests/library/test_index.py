"""The index as files: Whoosh reads what is written, growing piece by piece changes no answer, and damage is noticed."""

from __future__ import annotations

import json
import os
import tempfile
from collections import Counter
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from whoosh.query import And, Term
from whoosh.reading import IndexReader
from whoosh.util.numeric import byte_to_length, length_to_byte

from library.records.vocabulary import Profile, ResultType, Status, Trust
from library.search import index
from library.search.compact import Compact, compacted
from library.search.documents import FILTERS, TEXTS, VALUES, Document
from library.search.index import IndexUnusable, is_whole, open_index, update_index
from library.search.query import Question, SearchEngine
from library.search.words import ENGLISH, Meanings

WORDS = "flaky tests fail sometimes merge files café C++ node.js the of review release notes deploy tester".split()
QUESTIONS = (
    "flaky",
    "tests fail",
    "flakky tset",
    "merge fi",
    "cafe",
    "c++",
    "title 3",
    "playbook-2",
    "the of",
    "nothing",
)


def a_document(number: int, words: str) -> Document:
    """A playbook, or now and then something else."""
    kind = ResultType.LESSON if number % 5 == 4 else ResultType.PLAYBOOK
    return Document(
        type=kind,
        slug=f"{kind}-{number}",
        title=f"Title {number} {words}",
        summary=f"Summary: {words} {words}",
        body=f"{words}\n{number}",
        url=f"https://playbooks.example/{number}/",
        trust=Trust.REPORTED if kind is ResultType.PLAYBOOK else None,
        category="software" if number % 2 else "data",
        agents=("aider",) if number % 3 else (),
        asked=(words[::-1],),
        job="Merge files" if number % 3 else "",
        status=Status.DEPRECATED if number % 7 == 6 else Status.ACTIVE,
    )


def answers(folder: Path) -> list[dict[str, Any]]:
    """All that a reader can see of an index: the answers to every question, scores and suggestions too."""
    engine = SearchEngine(folder)
    return [
        engine.answer(Question(text, profile=profile, limit=50)).model_dump()
        for text in QUESTIONS
        for profile in Profile
    ]


texts = st.lists(st.sampled_from(WORDS), min_size=1, max_size=6).map(" ".join)
documents = st.builds(a_document, st.integers(0, 12), texts)
changes = st.lists(
    st.tuples(st.lists(documents, max_size=3, unique_by=lambda item: item.id), st.integers(0, 12)), max_size=14
)


@pytest.mark.slow
@settings(max_examples=30, deadline=None)
@given(st.lists(documents, max_size=9, unique_by=lambda item: item.id), changes)
def test_an_index_that_grew_answers_as_one_made_at_once(
    first: list[Document], later: list[tuple[list[Document], int]]
) -> None:
    held = {item.id: item for item in first}
    with tempfile.TemporaryDirectory() as name:
        grown, fresh = Path(name, "grown"), Path(name, "fresh")
        grown.mkdir()
        fresh.mkdir()
        update_index(grown, first, fresh=True)
        for added, number in later:
            gone = [f"{kind}/{kind}-{number}" for kind in ("playbook", "lesson")]
            held = {key: item for key, item in held.items() if key not in gone} | {item.id: item for item in added}
            update_index(grown, added, gone=gone)
        update_index(fresh, [*reversed(held.values())], fresh=True)
        assert answers(grown) == answers(fresh)


@pytest.mark.slow
def test_many_changes_leave_few_segments(tmp_path: Path) -> None:
    update_index(tmp_path, (), fresh=True)
    for number in range(24):
        update_index(tmp_path, [a_document(number, "flaky tests")])
    update_index(tmp_path, [], gone=[f"playbook/playbook-{number}" for number in range(10)])
    assert len(list((tmp_path / "index").resolve().glob("*.trm"))) <= 8
    assert SearchEngine(tmp_path).answer(Question("flaky")).total == 24 - 8
    with pytest.raises(IndexUnusable):
        open_index(tmp_path / "elsewhere")


def test_the_same_documents_make_the_same_files_whoosh_s_own_too(tmp_path: Path) -> None:
    def made(folder: Path) -> dict[str, bytes]:
        folder.mkdir()
        update_index(folder, [a_document(number, "flaky tests") for number in range(9)], fresh=True)
        update_index(folder, [a_document(3, "merge")], gone=["playbook/playbook-2", "playbook/playbook-1"])
        return {path.name: path.read_bytes() for path in (folder / "index").iterdir()}

    assert made(tmp_path / "one") == made(tmp_path / "other")


@pytest.fixture
def reader(tmp_path: Path) -> Iterator[IndexReader]:
    update_index(tmp_path, [a_document(number, "flaky tests of flaky files") for number in range(20)], fresh=True)
    update_index(tmp_path, [a_document(3, "merge")])
    with open_index(tmp_path).reader() as found:
        yield found


@pytest.mark.usefixtures("reader")
def test_whoosh_itself_searches_what_is_written(tmp_path: Path) -> None:
    with open_index(tmp_path).searcher() as searcher:
        found = searcher.search(And([Term("summary", "flaki"), Term("type", "lesson")]), limit=None)
        assert {hit["id"] for hit in found} == {f"lesson/lesson-{number}" for number in (4, 9, 14, 19)}


def test_whoosh_itself_reads_the_postings(reader: IndexReader) -> None:
    matcher = reader.postings("summary", "flaki")
    assert matcher.weight() == 4.0
    assert reader.doc_frequency("title", "titl") == 21  # of both segments, the deleted one too
    assert list(reader.field_terms("category")) == ["data", "software"]
    assert reader.doc_field_length(0, "summary") == 9
    assert reader.stored_fields(0)["id"] == "playbook/playbook-0"


def test_what_ranking_is_made_of_is_what_whooshs_postings_and_lengths_say(reader: IndexReader) -> None:
    said: dict[str, dict[str, Counter[str]]] = {}
    for leaf, _ in reader.leaf_readers():
        for field, term, number, weight, _ in leaf.iter_postings():
            held = said.setdefault(leaf.stored_fields(number)["id"], {})
            held.setdefault(field, Counter())[term.decode()] += int(weight)
    kept = {item["id"]: json.loads(item["kept"]) for item in reader.all_stored_fields()}
    assert len(kept) == 20
    assert said == {
        name: {field: Counter(item[field].split()) for field in TEXTS if item[field]}
        | {field: Counter(item[field]) for field in VALUES if item[field]}
        | {"id": Counter([name])}
        for name, item in kept.items()
    }
    for number, item in reader.iter_docs():
        for field in TEXTS:
            found = json.loads(item["kept"])[field]
            assert reader.doc_field_length(number, field) == byte_to_length(length_to_byte(len(found.split())))


def compact(folder: Path) -> dict[str, bytes]:
    """The files that ranking and browsers read."""
    return {path.name: path.read_bytes() for path in (folder / "index").glob("*.bin")}


def test_what_ranking_reads_is_made_of_whooshs_postings_alone(tmp_path: Path) -> None:
    some = [a_document(number, WORDS[number % len(WORDS)]) for number in range(40)]
    for name in ("one", "grown"):
        (tmp_path / name).mkdir()
    update_index(tmp_path / "one", some, fresh=True)
    for document in reversed(some):
        update_index(tmp_path / "grown", [document])
    assert compact(tmp_path / "grown") == compact(tmp_path / "one")
    with open_index(tmp_path / "grown").reader() as reader:
        kept = [json.loads(item["kept"]) for item in reader.all_stored_fields()]
    assert compacted(kept, Meanings({}, frozenset()), ENGLISH) == compact(tmp_path / "one")


def test_what_ranking_reads_says_what_whooshs_own_reader_says(tmp_path: Path) -> None:
    update_index(tmp_path, [a_document(number, WORDS[number % len(WORDS)]) for number in range(40)], fresh=True)
    index = Compact(tmp_path / "index")
    with open_index(tmp_path).reader() as reader:
        ids = [str(index.stored(number)["id"]) for number in range(index.size)]
        for field, term in ((name, term.decode()) for name in TEXTS for term in reader.lexicon(name)):
            matcher, held = reader.postings(field, term), set[str]()
            while matcher.is_active():
                held.add(str(reader.stored_fields(matcher.id())["id"]))
                matcher.next()
            posting = index.of(term)
            assert posting, term
            assert held <= {ids[number] for number in posting.documents.tolist()}, term
        for field in FILTERS:
            values = [value.decode() for value in reader.lexicon(field)]
            assert list(index.values[field]) == values


def test_damage_is_noticed_when_it_is_opened(tmp_path: Path) -> None:
    update_index(tmp_path, [a_document(1, "flaky")], fresh=True)
    path = next((tmp_path / "index").resolve().glob("*.trm"))
    known, body = path.stat(), bytearray(path.read_bytes())
    body[len(body) // 2] ^= 1
    path.write_bytes(body)
    os.utime(path, ns=(known.st_atime_ns, known.st_mtime_ns))
    assert not is_whole(tmp_path)
    with pytest.raises(IndexUnusable, match="is damaged, or of another version; build again"):
        open_index(tmp_path)


def test_an_index_of_another_form_is_unusable_and_not_empty(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    update_index(tmp_path, [a_document(1, "flaky")], fresh=True)
    monkeypatch.setattr(index, "FORM", b"another")
    assert not is_whole(tmp_path)
    with pytest.raises(IndexUnusable, match="of another version; build again"):
        SearchEngine(tmp_path)


@pytest.mark.parametrize("seal", [b"", b"[]", b"{}", b'{"a": 1}', b"\xff"])
def test_a_seal_that_says_nothing_is_no_seal(tmp_path: Path, seal: bytes) -> None:
    update_index(tmp_path, [a_document(1, "flaky")], fresh=True)
    (tmp_path / "index/digest").write_bytes(seal)
    assert not is_whole(tmp_path)
    with pytest.raises(IndexUnusable):
        open_index(tmp_path)
