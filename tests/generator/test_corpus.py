"""The content that benchmarks are run on is what it says it is."""

from __future__ import annotations

from datetime import date
from pathlib import Path

import pytest

from benchmarks.corpus import SIZE, write_corpus
from library.content.loading import check
from library.problems import Severity
from library.records.models import Playbook
from tests.trees import tree

pytestmark = pytest.mark.slow


def test_the_corpus_has_no_errors_and_holds_all_fields_in_the_sizes_that_it_names(tmp_path: Path) -> None:
    content = write_corpus(tmp_path / "content", 200, runs=60)
    _, problems = check(content, date(2026, 11, 20))
    assert [problem for problem in problems if problem.severity is Severity.ERROR] == []
    texts = [path.read_text(encoding="utf-8") for path in sorted((content / "playbooks").iterdir())]
    assert len(set(texts)) == 200
    assert all(SIZE[0] <= len(text) <= SIZE[1] for text in texts)
    keys = {line.partition(":")[0] for text in texts for line in text.splitlines()}
    assert keys >= Playbook.model_fields.keys()


def test_the_same_seed_gives_the_same_bytes(tmp_path: Path) -> None:
    first, second = (write_corpus(tmp_path / name, 40, runs=10) for name in "ab")
    assert tree(first) == tree(second)
