"""The file `synonyms.yaml`: what is wrong with one is told in its place, and what it says is searched for."""

from __future__ import annotations

from pathlib import Path

import pytest
from click.testing import CliRunner

import cli
from library.content import loading
from library.records.models import Synonym
from library.records.vocabulary import ResultType
from library.search.compact import Compact
from library.search.documents import Document
from library.search.index import update_index
from library.search.meaning import QuestionReader
from library.search.query import Question, SearchEngine
from tests.builders import TODAY, put, write_content
from tests.trees import built

GOOD = """\
# What people say.
synonyms:
  - words: [k8s, big red button]
    mean: [flaky tests]
"""


def problems(content: Path) -> list[str]:
    return [f"{problem.code} {problem.line}:{problem.column}" for problem in loading.check(content, TODAY)[1]]


def test_the_file_may_be_absent_and_a_good_one_has_no_problems(tmp_path: Path) -> None:
    content = write_content(tmp_path)
    assert problems(content) == []
    put(content, "synonyms.yaml", GOOD)
    assert problems(content) == []
    assert loading.load(content, TODAY).synonyms[0].words == ("k8s", "big red button")


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("synonyms:\n  - words: [a]\n", ["missing-field 2:5"]),
        ("synonyms:\n  - words: []\n    mean: [tests]\n", ["too-short 2:5"]),
        ("synonyms:\n  - word: [k8s]\n    mean: [tests]\n", ["unknown-key 2:5"]),
        ("synonyms:\n  - words: k8s\n    mean: [tests]\n", ["tuple-type 2:5"]),
        ("synonyms:\n  k8s: kubernetes\n", ["tuple-type 1:1"]),
        ("synonym: []\n", ["unknown-key 1:1"]),
        ("synonyms:\n  - words: [k8s\n", ["syntax 2:12"]),
        ("", ["empty 1:1"]),
    ],
)
def test_a_broken_file_is_told_of_in_its_place(text: str, expected: list[str], tmp_path: Path) -> None:
    content = write_content(tmp_path)
    put(content, "synonyms.yaml", text)
    assert problems(content) == expected


def test_fmt_writes_the_canonical_form_and_keeps_comments(tmp_path: Path) -> None:
    content = write_content(tmp_path)
    put(content, "synonyms.yaml", GOOD)
    command = ["fmt", "--content", str(content)]
    assert CliRunner().invoke(cli.main, [*command, "--check"]).exit_code == 1
    assert CliRunner().invoke(cli.main, command).exit_code == 0
    assert CliRunner().invoke(cli.main, [*command, "--check"]).exit_code == 0
    text = (content / "synonyms.yaml").read_text()
    assert "\n# What people say.\n" in text
    assert "      - big red button\n" in text


def test_a_phrase_that_stands_in_two_entries_means_both(tmp_path: Path) -> None:
    content = write_content(tmp_path)
    put(content, "synonyms.yaml", GOOD + "  - words: [k8s]\n    mean: [kubernetes]\n")
    assert problems(content) == []


@pytest.mark.slow
def test_what_it_says_is_searched_for_one_way_only(tmp_path: Path) -> None:
    content = write_content(tmp_path)
    put(content, "synonyms.yaml", GOOD)
    built(content, tmp_path / "site")
    engine = SearchEngine((tmp_path / "site").resolve().parent)
    for said in ("k8s", "the big red button"):
        assert engine.answer(Question(said)).items[0].slug == "fix-flaky-tests"
    assert engine.answer(Question("button")).total == 0
    put(content, "synonyms.yaml", GOOD.replace("k8s", "cluster"))
    built(content, tmp_path / "site")
    engine = SearchEngine((tmp_path / "site").resolve().parent)
    assert engine.answer(Question("cluster")).total > 0
    assert engine.answer(Question("k8s")).total == 0


def test_a_phrase_that_was_typed_wrong_means_the_same(tmp_path: Path) -> None:
    reader = a_reader(tmp_path)
    assert "flaki" in reader.read("exxcel sheet", typing=False).parts[0]


def a_reader(folder: Path) -> QuestionReader:
    """Knows a word that an index holds, and that an editor gave another meaning beside it."""
    document = Document(ResultType.PLAYBOOK, "merge", "Merge Excel sheets", "A summary.", "", "https://x.example/")
    update_index(folder, [document], fresh=True, synonyms=[Synonym(words=("excel",), mean=("flaky tests",))])
    return QuestionReader(Compact(folder / "index"))
