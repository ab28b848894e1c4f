"""The content that benchmarks are run on is what it says it is."""

from __future__ import annotations

import re
import subprocess
from collections import Counter
from datetime import date
from pathlib import Path
from statistics import mean

import pytest

from benchmarks.build import growth
from benchmarks.corpus import COMMITS, REAL, TAGS, commit_corpus, records, texts_of, write_corpus
from library.content.loading import check
from library.problems import Severity
from library.records.models import Playbook
from tests.trees import tree

pytestmark = pytest.mark.slow


def test_the_corpus_has_no_errors_and_playbooks_of_all_fields_as_long_as_real_ones(tmp_path: Path) -> None:
    content = write_corpus(tmp_path / "content", 200, runs=60)
    _, problems = check(content, date(2026, 11, 20))
    assert [problem for problem in problems if problem.severity is Severity.ERROR] == []
    files = [path.read_bytes() for path in sorted((content / "playbooks").iterdir())]
    assert len(set(files)) == 200
    # Runs on a trial stand in few real playbooks, and in none of the corpus.
    runs = re.compile(rb"(?ms)^tested:\n.*?(?=^\S)")
    real = mean(len(runs.sub(b"", path.read_bytes())) for path in (REAL / "playbooks").iterdir())
    assert 0.85 < mean(map(len, files)) / real < 1.15
    assert {key for file in files for key in texts_of(file)} >= Playbook.model_fields.keys()


def test_sentences_are_real_and_there_are_no_more_tags_in_a_larger_library() -> None:
    real = " ".join(" ".join(path.read_text(encoding="utf-8").split()) for path in REAL.rglob("*.yaml"))
    tags: Counter[str] = Counter()
    for name, record in records(1_200):
        if name.startswith("playbooks/"):
            tags.update(record["tags"])
            first = record["outcome"].partition(". ")[0]
            assert first in real, first
    assert len(tags) == TAGS


def test_the_same_seed_gives_the_same_bytes(tmp_path: Path) -> None:
    first, second = (write_corpus(tmp_path / name, 40, runs=10) for name in "ab")
    assert tree(first) == tree(second)


def test_the_corpus_has_a_history_that_ends_with_what_is_there(tmp_path: Path) -> None:
    content = write_corpus(tmp_path / "content", 200)
    commit_corpus(content)

    def git(*words: str) -> list[str]:
        done = subprocess.run(["git", *words], cwd=tmp_path, check=True, capture_output=True, text=True)
        return done.stdout.splitlines()

    assert len(git("log", "--format=%H")) == COMMITS
    assert git("status", "--porcelain") == []
    assert len(git("log", "--format=%H", "--", "content/playbooks")) == COMMITS
    times = Counter(git("log", "--format=", "--name-only", "--", "content/playbooks"))
    assert set(times.values()) == {1, 2}


def test_growth_is_told_as_the_exponent_of_each_stage(capsys: pytest.CaptureFixture[str]) -> None:
    growth({count: {"read": 2.0 * count, "plan": 0.001 * count**2, "check": 0.01} for count in (100, 1_000, 5_000)})
    rows = {line.split(" | ")[0]: line.strip(" |").rpartition("| ")[2] for line in capsys.readouterr().out.splitlines()}
    assert (rows["| read"], rows["| plan"], rows["| check"]) == ("1", "2", "-")
