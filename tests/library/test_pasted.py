"""Long texts: what is dropped of them, and that the question in their middle is found."""

from __future__ import annotations

from itertools import combinations, islice

import pytest

from library.search.index import update_index
from library.search.meaning import LONG, SEGMENTS, STEMS, QuestionReader
from library.search.query import MAX_QUERY, Question, SearchEngine
from library.search.words import sentences
from tests.library.test_search import DOCUMENTS, slugs

TRACEBACK = """Traceback (most recent call last):
  File "/srv/app/main.py", line 88, in run
    result = handler(event)
KeyError: 'body'
    at next (/app/node_modules/express/lib/router/route.js:144:13)
2026-03-02T10:11:43.1020Z flaky at 0x7f2a41 and 9f1c2ab1 in src/a/b.py, see https://ci.example/run/7
- OS: Windows 11
### Environment
"""


@pytest.fixture(scope="module")
def engine(tmp_path_factory: pytest.TempPathFactory) -> SearchEngine:
    folder = tmp_path_factory.mktemp("pasted")
    update_index(folder, DOCUMENTS, fresh=True)
    return SearchEngine(folder)


def read(engine: SearchEngine, text: str) -> tuple[dict[str, float], ...]:
    """The parts of what a text means to an engine."""
    reader: QuestionReader = engine._reader
    return reader.read(text, typing=False).parts


def test_what_says_nothing_of_the_job_is_dropped() -> None:
    said = " ".join(" ".join(sentences(TRACEBACK)).split())
    assert said == "Traceback KeyError: 'body' flaky at and in , see"


DIFF = """diff of it
index 3b18e51..9daeafb 100644
@@ -21,7 +21,9 @@ def refund(order):
-    gateway.refund(order)
+    gateway.settle(order)
- a point of a list
-5 degrees
"""


@pytest.mark.parametrize(
    ("text", "left"),
    [
        ("java.lang.NullPointerException in com.acme.cart.Price.amount()", "NullPointerException in amount()"),
        ("node.js and www.example. Then e.g. this", "node.js and www.example Then e.g this"),
        (DIFF, "diff of it - a point of a list"),
    ],
)
def test_of_code_that_was_pasted_the_last_names_are_left(text: str, left: str) -> None:
    assert " ".join(" ".join(sentences(text)).split()) == left


def test_a_question_is_found_behind_a_log_and_before_what_an_agent_is_told(engine: SearchEngine) -> None:
    frame = "You are an agent. " + " ".join(f"Word{n} thing{n} other{n} more{n}." for n in range(20))
    for text in (f"{TRACEBACK * 3}\nMerge several files of csv.", f"{frame} Merge several files of csv. {frame}"):
        assert slugs(engine.answer(Question(text)))[0] == "merge-csv"


def test_long_texts_are_read_by_sentences_and_short_ones_whole(engine: SearchEngine) -> None:
    short = "flaky " * LONG
    assert len(read(engine, short)) == 1
    assert len(read(engine, f"{short}. {short}. Old code, legacy code.")) == 2
    known = "flaky tests legacy code merge csv files stress green repair".split()
    many = " ".join(f"{' '.join(four)}." for four in islice(combinations(known, 4), SEGMENTS + 9))
    parts = read(engine, many)
    assert len(parts) == SEGMENTS
    assert len({word for part in parts for word in part if " " not in word}) <= STEMS


def test_a_line_that_a_log_repeats_says_no_more(engine: SearchEngine) -> None:
    log = "Retrying the tests, attempt failed again.\n" * 60
    assert slugs(engine.answer(Question(f"{log} Merge several csv files.")))[0] == "merge-csv"


def test_a_sentence_of_few_words_belongs_to_the_next(engine: SearchEngine) -> None:
    parts = read(engine, "Flaky. Old. " + "legacy code tests files. " * 4)
    assert set(parts[0]) >= {"flaki", "old", "legaci"}


def test_what_frames_a_task_counts_little(engine: SearchEngine) -> None:
    (part, *_) = read(engine, "agent flaky legacy code. " * 5)
    assert part["agent"] < part["flaki"] / 4


def test_only_so_much_is_read_and_said(engine: SearchEngine) -> None:
    told = engine.answer(Question("x" * MAX_QUERY + " flaky"))
    assert (told.total, told.notes) == (0, ("The question has 8,006 characters; the first 8,000 were read.",))
    assert engine.answer(Question("flaky ".rjust(MAX_QUERY))).notes is None
