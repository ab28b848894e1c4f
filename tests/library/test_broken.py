"""Every broken file is met with its problems, each in its place with a mend, and nothing ever raises."""

from __future__ import annotations

import ast
import os
import sys
import time
from pathlib import Path
from types import FrameType

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
    told: set[tuple[str, int]] = set()

    def look(frame: FrameType, event: str, value: object) -> None:
        """A generator that yields returns, for a profiler: from the line of its yield."""
        if event == "return" and isinstance(value, Problem):
            told.add((frame.f_code.co_filename, frame.f_lineno))

    for number, case in enumerate(EACH):
        content = write_content(tmp_path / str(number))
        _write(content, case)
        sys.setprofile(look)
        try:
            loading.check(content, TODAY)
        finally:
            sys.setprofile(None)
    assert [place for place in _yields() if not any((place[0], line) in told for line in range(*place[1:]))] == []


def _yields() -> list[tuple[str, int, int]]:
    """Each yield of a rule about content: its file, its first line and the line after its last."""
    functions = [
        (rule, node)
        for rule in sorted(Path(checks.__file__).parent.glob("*.py"))
        # the first hands them on, the others' are in test_judgment.py and tests/trials/test_rules.py
        if rule.name not in ("__init__.py", "merging.py", "trials.py")
        for node in ast.walk(ast.parse(rule.read_text()))
        if isinstance(node, ast.FunctionDef) and node.returns and ast.unparse(node.returns) == "Iterator[Problem]"
    ]
    return [
        (str(rule), node.lineno, (node.end_lineno or node.lineno) + 1)
        for rule, function in functions
        for node in ast.walk(function)
        if isinstance(node, ast.Yield)
    ]
