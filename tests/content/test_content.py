"""The real content: checked without a word, complete against what was gathered, trusted as the rule gives it."""

from __future__ import annotations

import json
import re
from datetime import UTC, datetime
from pathlib import Path

import pytest

from build.facts import Facts
from library.collection import Library
from library.gaps import gap_lines
from library.loading import check, read_playbook
from library.vocabulary import Trust
from tools.evidence_coverage import differences

PROJECT = Path(__file__).resolve().parents[2]
CONTENT = PROJECT / "content"
GATHERED = PROJECT.parent / "shared/evidence/evidence.jsonl"
TODAY = datetime.now(UTC).date()


@pytest.fixture(scope="module")
def library() -> Library:
    library, problems = check(CONTENT, TODAY)
    assert [str(problem) for problem in problems] == []
    return library


def test_there_is_a_playbook_for_every_job(library: Library) -> None:
    assert len(library.playbooks) >= 47
    assert len(library.lessons) >= 60
    assert set(library.playbooks_by_task) == set(library.tasks)
    assert all(library.tasks_by_category.get(slug) for slug in library.categories)


def test_trust_is_what_evidence_alone_gives(library: Library) -> None:
    facts = Facts(library, {})
    levels = [facts.verdict(slug).level for slug in library.playbooks]
    assert levels.count(Trust.CORROBORATED) > levels.count(Trust.REPORTED) > 0
    if not library.all_approved_runs:
        assert not any(level.reaches(Trust.TESTED) for level in levels)


def test_every_playbook_can_be_followed(library: Library) -> None:
    for slug in library.playbooks:
        book = read_playbook(CONTENT, slug, TODAY)
        assert 5 <= len(book.steps) <= 9, slug
        assert 3 <= len(book.failures) <= 6, slug
        assert book.evidence, slug
        assert "{{" in book.prompt, slug
        assert library.lessons_by_playbook[slug], slug


def test_every_lesson_touches_a_playbook_and_says_who_told_it(library: Library) -> None:
    touched = {lesson for lessons in library.lessons_by_playbook.values() for lesson in lessons}
    for slug, lesson in library.lessons.items():
        assert slug in touched, slug
        assert lesson.sources, slug


@pytest.mark.slow
@pytest.mark.skipif(not GATHERED.exists(), reason="the gathered accounts are not beside this checkout: not compared")
def test_every_gathered_account_stands_in_exactly_one_playbook() -> None:
    rows = [json.loads(line) for line in GATHERED.read_text(encoding="utf-8").splitlines() if line]
    assert list(differences(rows, CONTENT)) == []


def test_the_gaps_are_counted(library: Library) -> None:
    lines = list(gap_lines(library))
    heads = [line for line in lines if not line.startswith("  ")]
    counts = [int(line.rpartition(": ")[2]) for line in heads]
    assert len(lines) == len(heads) + sum(counts)
    assert all(re.fullmatch(r"[a-z ]+: \d+", line) for line in heads)
