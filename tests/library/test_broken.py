"""Every broken file is met with its problems, each in its place with a mend, and nothing ever raises."""

from __future__ import annotations

import os
import time
from pathlib import Path

import pytest

from library.content import loading
from library.problems import Problem, Severity
from library.rules import checks
from tests.broken.branches import ALONE, BRANCHES
from tests.broken.case import Case
from tests.broken.fields import FIELDS
from tests.broken.places import PLACES
from tests.broken.rules import RULES
from tests.broken.syntax import SYNTAX
from tests.broken.yields import met, unmet
from tests.builders import TODAY, put, write_content
from tests.waiting import AT_ONCE

CASES: tuple[Case, ...] = (*SYNTAX, *FIELDS, *RULES, *BRANCHES, *PLACES)
EACH: tuple[Case, ...] = (*CASES, *ALONE)


WARNINGS = frozenset(
    "prompts-have-a-good-length synonyms-can-be-met tasks-are-done-or-wanted sentences-are-our-own unquoted"
    " checks-are-not-hollow checks-can-be-observed tags-are-shared".split()
)
"""What keeps nobody from building; `variables-are-named` is the one code that may be either."""


def _write(content: Path, case: Case) -> None:
    for name, body in case.beside.items():
        put(content, name, body)
    if case.link is None:
        put(content, case.path, case.body)
    else:
        (content / case.path).parent.mkdir(parents=True, exist_ok=True)
        (content / case.path).symlink_to(case.link)


def _at(problem: Problem) -> str:
    return f"{problem.code} {problem.line}:{problem.column}"


@pytest.mark.parametrize("case", EACH, ids=[case.name for case in EACH])
def test_a_broken_file_gives_its_problems_and_no_others(case: Case, tmp_path: Path) -> None:
    content = write_content(tmp_path)
    _write(content, case)
    problems = loading.check(content, TODAY)[1]
    assert sorted(_at(problem) for problem in problems if problem.file == case.file) == sorted(case.expected)
    assert [str(problem) for problem in problems if problem.file not in (case.file, case.too)] == []
    mild = {problem.code for problem in problems if problem.severity is Severity.WARNING}
    severe = {problem.code for problem in problems if problem.severity is Severity.ERROR}
    either = {"variables-are-named"}
    assert (mild - WARNINGS - either, severe & WARNINGS) == (set(), set())
    told = "\n".join(str(problem) for problem in problems)
    assert [words for words in case.says if words not in told] == []
    assert not case.hides or case.hides not in told


@pytest.mark.slow
def test_all_broken_files_together_are_told_of_in_one_go(tmp_path: Path) -> None:
    content = write_content(tmp_path)
    for case in CASES:
        _write(content, case)
    before = time.monotonic()
    library, problems = loading.check(content, TODAY)
    assert time.monotonic() - before < AT_ONCE
    assert {case.file for case in CASES} <= {problem.file for problem in problems}
    for problem in problems:
        assert problem.file
        assert problem.line >= 1
        assert problem.column >= 1
        assert problem.message.strip()
        assert problem.code
        assert str(problem).isprintable()
    assert "fix-flaky-tests" in library.playbooks


def test_there_are_enough_cases_and_no_two_have_one_name_or_one_path() -> None:
    assert len(CASES) >= 60
    assert len({case.name for case in EACH}) == len(EACH)
    assert len({case.path for case in CASES}) == len(CASES)


def test_a_pipe_among_the_content_is_refused_and_never_waited_for(tmp_path: Path) -> None:
    content = write_content(tmp_path)
    os.mkfifo(content / "tasks" / "pipe.yaml")
    assert [str(problem) for problem in loading.check(content, TODAY)[1]] == [
        "tasks/pipe.yaml:1:1: error: is no ordinary file; move it out of the content [not-content]"
    ]


def test_a_file_name_that_is_no_unicode_is_told_of(tmp_path: Path) -> None:
    content = write_content(tmp_path)
    (content / os.fsdecode(b"tasks/\xff.yaml")).write_text("name: a\n")
    assert [f"{problem.file} {problem.code}" for problem in loading.check(content, TODAY)[1]] == [
        "tasks/\\udcff.yaml file-name"
    ]


@pytest.mark.slow
def test_every_yield_of_a_rule_has_a_broken_file(tmp_path: Path) -> None:
    places: set[tuple[str, int]] = set()
    for number, case in enumerate(EACH):
        content = write_content(tmp_path / str(number))
        _write(content, case)
        with met() as now:
            loading.check(content, TODAY)
        places |= now
    elsewhere = ("__init__.py", "merging.py", "trials.py")  # hands on; test_judgment.py; tests/trials/test_rules.py
    rules = sorted(Path(checks.__file__).parent.glob("*.py"))
    assert unmet((rule for rule in rules if rule.name not in elsewhere), places) == []
