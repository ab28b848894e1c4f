"""Search over a small index: filters, facets, order, highlights, suggestions, updates, damage and strange queries."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import count
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from library.interface.answers import SearchAnswer
from library.problems import LibraryError
from library.records.models import Synonym
from library.records.vocabulary import Profile, ResultType, Status, Trust
from library.search.documents import Document
from library.search.index import IndexUnusable, open_index, update_index
from library.search.query import SECONDS, Question, SearchEngine, TooLong, highlights
from library.search.words import ENGLISH


def a_document(slug: str, title: str, summary: str = "A summary.", **changes: Any) -> Document:
    """A playbook for the index, or what `type` says."""
    kind = changes.setdefault("type", ResultType.PLAYBOOK)
    values: dict[str, Any] = {"body": "", "url": f"https://playbooks.example/{kind}s/{slug}/"}
    if kind is ResultType.PLAYBOOK:
        values.update(trust=Trust.REPORTED, category="software", agents=("claude-code",))
    return Document(slug=slug, title=title, summary=summary, **{**values, **changes})


DOCUMENTS = (
    a_document("fix-flaky-tests", "Fix flaky tests", "Find why tests are flaky, and mend them.", trust=Trust.TESTED),
    a_document(
        "write-tests", "Write tests for legacy code", "Pin down what old code does.", agents=("aider", "claude-code")
    ),
    a_document(
        "merge-csv",
        "Merge CSV files",
        "One table of many files.",
        category="data",
        trust=Trust.CONFIRMED,
        body="Run the tests.",
    ),
    a_document(
        "fix-flaky-tests-old", "Mend flaky flaky tests tests", "Flaky tests, flaky tests.", status=Status.DEPRECATED
    ),
    a_document(
        "green-without-fix",
        "The stress run of one file is green",
        "Flaky tests under load.",
        type=ResultType.LESSON,
        agents=("aider",),
    ),
    a_document("claude-code", "Claude Code", "A coding agent.", type=ResultType.AGENT),
    a_document("fix-tests-job", "Repair tests", "Make tests pass.", type=ResultType.TASK, category="software"),
)
STRANGE = (
    '"',
    '"unclosed',
    "*:*",
    "AND",
    "OR NOT",
    "tests AND (",
    "title:",
    "a" * 10_000,
    "flaky " * 2_000,
    " ".join(f"word{number}" for number in range(2_000)),
    "the and of to",
    "",
    "   \n\t",
    "🙂",
    "🙂🙂 flaky",
    "اختبارات متقطعة",
    "\0",
    "fl\0aky",
    "(.*)+$",
    "[a-z]{1,9}",
    "../../etc/passwd",
    "ﬂaky",
    "\u202eyxalf",
    "\ud800",
    "x" * 29 + " " + "y" * 31,
    "%s %d {0}",
    "tests^99 ~2 [a TO z]",
)


@pytest.fixture(scope="module")
def engine(tmp_path_factory: pytest.TempPathFactory) -> SearchEngine:
    return an_engine(tmp_path_factory.mktemp("search"), DOCUMENTS)


def an_engine(folder: Path, documents: Sequence[Document]) -> SearchEngine:
    """An engine over a fresh index of these documents."""
    update_index(folder, documents, gone=(), fresh=True)
    return SearchEngine(folder)


def slugs(answer: SearchAnswer) -> list[str]:
    """What was found, in order."""
    return [item.slug for item in answer.items]


def test_a_query_finds_words_in_any_form_and_in_every_field(engine: SearchEngine) -> None:
    assert set(slugs(engine.answer(Question("testing")))) >= {
        "fix-flaky-tests",
        "write-tests",
        "merge-csv",
        "fix-tests-job",
    }
    assert slugs(engine.answer(Question("table"))) == ["merge-csv"]


def test_results_say_what_they_are(engine: SearchEngine) -> None:
    (book,) = engine.answer(Question("csv")).items
    assert (book.type, book.title, book.url) == (
        "playbook",
        "Merge CSV files",
        "https://playbooks.example/playbooks/merge-csv/",
    )
    assert (book.trust, book.category, book.agents) == (Trust.CONFIRMED, "data", ("claude-code",))
    (agent,) = engine.answer(Question("claude", type=ResultType.AGENT)).items
    assert (agent.trust, agent.category, agent.agents) == (None, None, None)


@pytest.mark.parametrize("kind", list(ResultType))
def test_the_type_filters(engine: SearchEngine, kind: ResultType) -> None:
    answer = engine.answer(Question("tests claude", type=kind))
    assert {item.type for item in answer.items} == {kind}
    assert answer.facets["type"] == {str(kind): answer.total}


def test_playbooks_for_any_agent_are_found_for_each_after_those_that_name_it(tmp_path: Path) -> None:
    def about(slug: str, title: str, *agents: str) -> Document:
        return a_document(slug, title, "Run the tests.", agents=agents)

    engine = an_engine(
        tmp_path,
        [
            about("first", "Tests, tests, tests", "any-agent"),
            about("second", "What runs them", "aider"),
            about("third", "Tests of another", "claude-code"),
            about("fourth", "Both kinds", "aider", "any-agent"),
        ],
    )
    found = engine.answer(Question("tests", agent="aider"))
    assert slugs(found) == ["fourth", "second", "first"]
    assert found.facets["agent"] == {"aider": 2, "any-agent": 2}
    assert slugs(engine.answer(Question("tests", agent="aider", limit=2))) == ["fourth", "second"]
    assert slugs(engine.answer(Question("tests", agent="any-agent"))) == ["first", "fourth"]
    assert slugs(engine.answer(Question("tests", agent="nobody"))) == []


def test_agent_and_category_filter_and_join(engine: SearchEngine) -> None:
    assert set(slugs(engine.answer(Question("tests", agent="aider")))) == {"write-tests", "green-without-fix"}
    assert slugs(engine.answer(Question("tests", category="data"))) == ["merge-csv"]
    assert slugs(engine.answer(Question("tests", agent="aider", category="data"))) == []
    assert slugs(engine.answer(Question("tests", agent="nobody"))) == []


def test_a_floor_of_trust_leaves_other_types_out_unless_the_type_says_so(engine: SearchEngine) -> None:
    assert set(slugs(engine.answer(Question("tests", min_trust=Trust.TESTED)))) == {"fix-flaky-tests", "merge-csv"}
    assert slugs(engine.answer(Question("tests", min_trust=Trust.CONFIRMED))) == ["merge-csv"]
    lowest = engine.answer(Question("tests", min_trust=Trust.REPORTED))
    assert {item.type for item in lowest.items} == {ResultType.PLAYBOOK}
    lessons = engine.answer(Question("tests", min_trust=Trust.CONFIRMED, type=ResultType.LESSON))
    assert slugs(lessons) == ["green-without-fix"]


def test_facets_count_all_hits_and_not_only_those_shown(engine: SearchEngine) -> None:
    answer = engine.answer(Question("tests", limit=1))
    assert (answer.total, len(answer.items)) == (6, 1)
    assert answer.facets == {
        "type": {"lesson": 1, "playbook": 4, "task": 1},
        "category": {"data": 1, "software": 4},
        "agent": {"aider": 2, "claude-code": 4},
        "trust": {"confirmed": 1, "reported": 2, "tested": 1},
        "proven": {},
    }


@pytest.mark.parametrize("text", ["Merge CSV files", " merge csv FILES ", "merge-csv", "merge csv"])
def test_the_exact_title_or_slug_comes_first(tmp_path: Path, text: str) -> None:
    rival = a_document(
        "rival", "Merge merge CSV CSV files files again", "Merge CSV files, merge CSV files.", body="merge csv files"
    )
    found = an_engine(tmp_path, [*DOCUMENTS, rival])
    assert slugs(found.answer(Question(text)))[0] == "merge-csv"


def test_what_is_not_to_be_followed_comes_last_unless_its_very_title_is_asked_for(engine: SearchEngine) -> None:
    assert slugs(engine.answer(Question("flaky tests")))[-1] == "fix-flaky-tests-old"
    assert slugs(engine.answer(Question("mend flaky flaky tests tests")))[0] == "fix-flaky-tests-old"


def test_scores_do_not_rise_among_followed_hits(engine: SearchEngine) -> None:
    scores = [item.score for item in engine.answer(Question("tests code")).items if item.slug != "fix-flaky-tests-old"]
    assert scores == sorted(scores, reverse=True)


def test_highlights_are_offsets_of_the_words_in_the_summary(engine: SearchEngine) -> None:
    hit = engine.answer(Question("flaky test")).items[0]
    assert [hit.summary[span.start : span.end] for span in hit.highlights] == ["tests", "flaky"]
    assert [
        (span.start, span.end) for span in highlights("🙂 Ünit tests", frozenset(ENGLISH.phrase_of("testing")), ENGLISH)
    ] == [(7, 12)]
    assert [
        (span.start, span.end) for span in highlights("Use node.js.", frozenset(ENGLISH.phrase_of("node.js")), ENGLISH)
    ] == [(4, 8), (9, 11)]


@pytest.mark.parametrize(
    ("typed", "meant"), [("flakky", "flaky"), ("mrege tbale", "merge table"), ("legcay", "legacy")]
)
def test_a_word_typed_wrong_is_mended_and_said(engine: SearchEngine, typed: str, meant: str) -> None:
    answer, right = engine.answer(Question(typed)), engine.answer(Question(meant))
    assert answer.suggestion == meant
    assert slugs(answer) == slugs(right) != []


def test_three_letters_are_mended_where_the_first_fits(engine: SearchEngine) -> None:
    assert engine.answer(Question("csx")).suggestion == "csv"
    assert engine.answer(Question("xsv")).suggestion is None


def test_a_last_word_that_begins_nothing_is_mended_while_it_is_typed(engine: SearchEngine) -> None:
    typed = engine.answer(Question("merge legcay", profile=Profile.FAST))
    assert typed.suggestion == "merge legacy"
    assert engine.answer(Question("merge lega", profile=Profile.FAST)).suggestion is None


def test_the_best_are_the_same_however_many_are_asked_for(engine: SearchEngine) -> None:
    whole = slugs(engine.answer(Question("flaky tests file")))
    assert len(whole) > 3
    assert [slugs(engine.answer(Question("flaky tests file", limit=n))) for n in (1, 2, 3)] == [
        whole[:1],
        whole[:2],
        whole[:3],
    ]


def test_a_word_of_english_that_nothing_knows_is_left_as_it_is_and_another_offered(engine: SearchEngine) -> None:
    answer = engine.answer(Question("flakey"))
    assert (answer.total, answer.suggestion) == (0, "flaky")
    assert engine.answer(Question("flakey tests")).suggestion is None
    assert engine.answer(Question("piano")).suggestion is None


def test_there_is_no_suggestion_when_something_was_found_or_nothing_is_near(engine: SearchEngine) -> None:
    assert engine.answer(Question("flaky")).suggestion is None
    assert engine.answer(Question("zzzzzzzz")).suggestion is None


def test_words_that_are_known_are_not_suggested_away(engine: SearchEngine) -> None:
    assert engine.answer(Question("tests", agent="nobody")).suggestion is None
    assert engine.answer(Question("repair", category="data")).suggestion is None
    assert engine.answer(Question("file", agent="nobody")).suggestion is None


def test_a_filter_that_nothing_has_is_named_with_the_nearest(engine: SearchEngine) -> None:
    assert engine.answer(Question("tests", agent="aider", category="data")).notes is None
    assert engine.answer(Question("zzzzzzzz", type=ResultType.AGENT, agent="aider")).notes is None
    assert engine.answer(Question("tests", agent="Claude-Cod", category="softwear")).notes == (
        "Nothing here has the agent “Claude-Cod”; did you mean 'claude-code'?",
        "Nothing here has the category “softwear”; did you mean 'software'?",
    )
    long = engine.answer(Question("tests", agent="z" * 10_000)).notes
    assert long == (f"Nothing here has the agent “{'z' * 128}”; others are aider, claude-code.",)


@pytest.mark.parametrize("name", ["codex", "Codex CLI", "OpenAI_Codex", "openai/codex@0.46"])
def test_a_filter_takes_what_an_agent_is_called_and_says_so(tmp_path: Path, name: str) -> None:
    called = {"openai-codex": ("Codex", "OpenAI Codex"), "roo-code": ("Roo Code", "Roo")}
    agents = [
        Document(
            ResultType.AGENT, slug, title, "It codes.", "", f"https://{slug}.example/", agents=(slug,), former=(alias,)
        )
        for slug, (title, alias) in called.items()
    ]
    update_index(tmp_path, agents, fresh=True)
    answer = SearchEngine(tmp_path).answer(Question("codes", agent=name))
    assert [hit.slug for hit in answer.items] == ["openai-codex"]
    assert answer.notes == (f"“{name}” is read as the agent “openai-codex”.",)


@pytest.mark.parametrize("text", STRANGE, ids=range(len(STRANGE)))
def test_no_strange_query_raises(engine: SearchEngine, text: str) -> None:
    answer = engine.answer(Question(text))
    assert answer.total >= len(answer.items)
    assert engine.answer(Question("tests", agent=text.strip() or None, category=text or None)).total in (0, 6)


def test_stop_words_alone_find_nothing(engine: SearchEngine) -> None:
    answer = engine.answer(Question("the and of to"))
    assert (answer.total, answer.items, answer.suggestion) == (0, (), None)
    assert answer.facets == {"type": {}, "category": {}, "agent": {}, "trust": {}, "proven": {}}


@pytest.mark.slow
@settings(max_examples=60, deadline=None)
@given(st.text(max_size=60))
def test_no_text_makes_the_engine_raise(engine: SearchEngine, text: str) -> None:
    answer = engine.answer(Question(text))
    for item in answer.items:
        assert all(0 <= span.start < span.end <= len(item.summary) for span in item.highlights)


def test_an_empty_library_is_searched_too(tmp_path: Path) -> None:
    answer = an_engine(tmp_path, ()).answer(Question("flaky tests"))
    assert (answer.total, answer.suggestion) == (0, None)


def test_an_update_adds_replaces_and_removes(tmp_path: Path) -> None:
    before = an_engine(tmp_path, DOCUMENTS)
    changed = a_document("merge-csv", "Join spreadsheets", "One table.")
    update_index(tmp_path, [changed, a_document("new", "Paint walls")], gone=["playbook/write-tests"], fresh=False)
    after = SearchEngine(tmp_path)
    assert slugs(after.answer(Question("spreadsheets"))) == ["merge-csv"]
    assert slugs(after.answer(Question("csv"))) == []
    assert slugs(after.answer(Question("walls"))) == ["new"]
    assert slugs(after.answer(Question("legacy"))) == []
    assert after.answer(Question("tests")).total == 4
    assert slugs(before.answer(Question("legacy"))) == ["write-tests"]


def test_many_updates_answer_as_one_build_of_the_same_documents(tmp_path: Path) -> None:
    (tmp_path / "a").mkdir()
    (tmp_path / "b").mkdir()
    update_index(tmp_path / "a", (), gone=(), fresh=True)
    for document in DOCUMENTS:
        update_index(tmp_path / "a", [document], gone=(), fresh=False)
    grown, fresh = SearchEngine(tmp_path / "a"), an_engine(tmp_path / "b", DOCUMENTS)
    for text in ("tests", "flaky", "claude code", "merge csv files"):
        assert set(slugs(grown.answer(Question(text)))) == set(slugs(fresh.answer(Question(text))))
    assert len(list((tmp_path / "a").glob("index-*"))) == 2


def test_an_update_without_changes_leaves_the_index_alone(tmp_path: Path) -> None:
    engine = an_engine(tmp_path, DOCUMENTS)
    update_index(tmp_path, (), gone=(), fresh=False)
    assert SearchEngine(tmp_path).place == engine.place


def test_a_fresh_index_is_made_beside_the_one_in_use(tmp_path: Path) -> None:
    before = an_engine(tmp_path, DOCUMENTS)
    after = an_engine(tmp_path, DOCUMENTS[:1])
    assert after.place != before.place
    assert before.place.is_dir()
    assert slugs(after.answer(Question("csv"))) == []
    assert slugs(before.answer(Question("csv"))) == ["merge-csv"]


def _files(folder: Path) -> list[Path]:
    return sorted(path for path in (folder / "index").resolve().iterdir() if path.suffix in (".trm", ".toc"))


@pytest.mark.parametrize("which", [0, -1])
def test_a_damaged_index_is_refused(tmp_path: Path, which: int) -> None:
    an_engine(tmp_path, DOCUMENTS)
    path = _files(tmp_path)[which]
    body = bytearray(path.read_bytes())
    body[len(body) // 2] ^= 1
    path.write_bytes(body)
    with pytest.raises(IndexUnusable, match="is damaged, or of another version; build again"):
        SearchEngine(tmp_path)


def test_an_index_with_a_file_too_few_or_too_many_is_refused(tmp_path: Path) -> None:
    an_engine(tmp_path, DOCUMENTS)
    stray = (tmp_path / "index").resolve() / "_MAIN_9.toc"
    stray.write_bytes(b"x")
    with pytest.raises(IndexUnusable):
        open_index(tmp_path)
    stray.unlink()
    open_index(tmp_path).close()
    _files(tmp_path)[0].unlink()
    with pytest.raises(IndexUnusable):
        open_index(tmp_path)


def test_a_missing_index_and_a_missing_seal_are_refused(tmp_path: Path) -> None:
    with pytest.raises(IndexUnusable, match="build first"):
        open_index(tmp_path)
    an_engine(tmp_path, DOCUMENTS)
    (tmp_path / "index" / "digest").write_bytes(b"\xff")
    with pytest.raises(LibraryError):
        open_index(tmp_path)
    (tmp_path / "index" / "digest").unlink()
    with pytest.raises(IndexUnusable):
        open_index(tmp_path)


@pytest.mark.parametrize("name", ["saml", "seo", "gpt", "cvs", "amqp"])
def test_short_names_that_the_library_does_not_hold_are_not_mended_away(engine: SearchEngine, name: str) -> None:
    alone, beside = engine.answer(Question(name)), engine.answer(Question(f"{name} flaky"))
    assert alone.total == 0
    assert slugs(beside) == slugs(engine.answer(Question("flaky")))


def test_a_word_of_the_synonyms_was_not_typed_wrong(tmp_path: Path) -> None:
    synonyms = [Synonym(words=("leggacy",), mean=("csv",))]
    update_index(tmp_path, DOCUMENTS, fresh=True, synonyms=synonyms)
    answer = SearchEngine(tmp_path).answer(Question("leggacy"))
    assert (slugs(answer), answer.suggestion) == (["merge-csv"], None)


def words_of(document: Document) -> set[str]:
    """The words that a reader sees of a record."""
    return set(f"{document.title} {document.summary}".lower().replace(".", "").replace(",", "").split())


def test_a_suggestion_is_made_of_whole_words(engine: SearchEngine) -> None:
    for typed in ("abl", "imgs", "stresse", "flakiy"):
        said = engine.answer(Question(typed)).suggestion
        assert said is None or all(
            word in " ".join(d.title + " " + d.summary for d in DOCUMENTS).lower() for word in said.split()
        )


@pytest.mark.parametrize("text", ["flaky unheard wrods", "Tests fail at random in the nightly run. " * 40])
def test_a_search_ends_in_its_time(engine: SearchEngine, text: str) -> None:
    seconds = count(0.0, SECONDS / 2)
    slow = SearchEngine(engine.place.parent, clock=lambda: next(seconds))
    with pytest.raises(TooLong, match="took more than 2 seconds"):
        slow.answer(Question(text))
    assert slugs(engine.answer(Question("flaky")))


def test_what_is_made_before_the_first_question_may_take_its_time(engine: SearchEngine) -> None:
    seconds = count(0.0, SECONDS)
    slow = SearchEngine(engine.place.parent, clock=lambda: next(seconds))
    slow.warm()
    assert slow._reader._speller.counts
