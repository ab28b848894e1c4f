"""A content folder to a library: what is read, what is kept, where problems are placed, and what stops a build."""

from __future__ import annotations

from pathlib import Path

import pytest

from library.content import loading
from library.problems import ContentError, Problem, Severity, UsageError
from library.records.models import Playbook
from tests.builders import BOOK, LESSON, MINIMAL, PLAYBOOK, RUN, TASK, TODAY, put, titled, write_content


def test_the_minimal_content_has_no_problems(tmp_path: Path) -> None:
    library, problems = loading.check(write_content(tmp_path), TODAY)
    assert problems == []
    assert library.site.title == "Playbook Library"
    assert (list(library.playbooks), list(library.tasks), list(library.agents)) == ([BOOK], [BOOK], ["claude-code"])
    assert list(library.categories) == ["software"]
    assert library.today == TODAY


def test_every_kind_of_record_is_read_and_knows_its_file(tmp_path: Path) -> None:
    content = write_content(tmp_path, {"lessons/a.yaml": LESSON, f"runs/{BOOK}/2026-11_1.yaml": RUN})
    library = loading.load(content, TODAY)
    assert library.lessons["a"].file == "lessons/a.yaml"
    assert [run.file for run in library.runs[BOOK]] == [f"runs/{BOOK}/2026-11_1.yaml"]
    assert library.lessons_by_playbook[BOOK] == ("a",)


def test_runs_come_newest_first_and_withdrawn_ones_are_kept_apart(tmp_path: Path) -> None:
    runs = {
        f"runs/{BOOK}/a.yaml": RUN.replace("2026-11-10", "2026-11-09"),
        f"runs/{BOOK}/b.yaml": RUN,
        f"runs/{BOOK}/c.yaml": RUN,
        f"runs/{BOOK}/d.yaml": f"{RUN}status: withdrawn\n",
    }
    library = loading.load(write_content(tmp_path, runs), TODAY)
    assert [run.slug for run in library.runs[BOOK]] == ["b", "c", "d", "a"]
    assert [run.slug for run in library.approved_runs(BOOK)] == ["b", "c", "a"]
    assert library.approved_runs("unknown") == ()


def test_without_a_content_folder_there_is_a_sentence(tmp_path: Path) -> None:
    with pytest.raises(UsageError, match=r"there is no content folder at .*; name one with --content DIR"):
        loading.check(tmp_path / "nothing", TODAY)


def test_an_empty_folder_wants_its_two_files(tmp_path: Path) -> None:
    problems = loading.check(tmp_path, TODAY)[1]
    assert [(problem.file, problem.code) for problem in problems] == [
        ("categories.yaml", "missing-file"),
        ("site.yaml", "missing-file"),
    ]


@pytest.mark.parametrize("name", ["site.yaml", "categories.yaml"])
def test_a_missing_or_broken_top_file_is_told_once_and_everything_else_is_checked(tmp_path: Path, name: str) -> None:
    for number, body in enumerate((None, "- a list\n")):
        content = write_content(tmp_path / str(number), {name: body, "tasks/other.yaml": TASK})
        told = [(problem.file, problem.code) for problem in loading.check(content, TODAY)[1]]
        assert told == [
            (name, "not-a-mapping" if body else "missing-file"),
            ("tasks/other.yaml", "tasks-are-done-or-wanted"),
        ]


def test_a_mistake_in_one_file_is_not_told_again_by_those_that_name_it(tmp_path: Path) -> None:
    for number, broken in enumerate((f"tasks/{BOOK}.yaml", "agents/claude-code.yaml")):
        content = write_content(tmp_path / str(number), {broken: "name: a\n"})
        assert {problem.file for problem in loading.check(content, TODAY)[1]} == {broken}


def test_hidden_files_and_an_editors_copies_are_passed_over(tmp_path: Path) -> None:
    stray = {".gitkeep": "", "tasks/.hidden.yaml": "x", f"tasks/{BOOK}.yaml~": "x", ".git/config": "x"}
    assert loading.check(write_content(tmp_path, stray), TODAY)[1] == []


def test_all_problems_are_told_and_not_only_the_first(tmp_path: Path) -> None:
    body = (
        PLAYBOOK.replace("risk: low", "risk: none")
        .replace("  - claude-code", "  - Claude")
        .replace("cost: M", "cots: M")
    )
    content = write_content(tmp_path, {f"playbooks/{BOOK}.yaml": body, f"tasks/{BOOK}.yaml": "name: a\n"})
    told = [(problem.file.split("/")[0], problem.line, problem.code) for problem in loading.check(content, TODAY)[1]]
    assert told == [
        ("playbooks", 4, "slug"),
        ("playbooks", 9, "unknown-key"),
        ("playbooks", 10, "not-allowed"),
        ("tasks", 1, "missing-field"),
        ("tasks", 1, "missing-field"),
    ]


def test_load_refuses_errors_and_lets_warnings_by(tmp_path: Path) -> None:
    wrong = write_content(tmp_path / "a", {f"playbooks/{BOOK}.yaml": PLAYBOOK.replace("risk: low", "risk: none")})
    with pytest.raises(ContentError) as caught:
        loading.load(wrong, TODAY)
    assert [problem.code for problem in caught.value.problems] == ["not-allowed"]
    warned = write_content(tmp_path / "b", {f"playbooks/{BOOK}.yaml": PLAYBOOK.replace("Mostly tokens", "5")})
    assert loading.load(warned, TODAY).playbooks.keys() == {BOOK}
    assert [problem.severity for problem in loading.check(warned, TODAY)[1]] == [Severity.WARNING]


def test_problems_across_files_are_placed_at_the_value(tmp_path: Path) -> None:
    body = "# a comment\n\n" + PLAYBOOK.replace("updated:", "related: [a-book, b-book]\nupdated:")
    problems = loading.check(write_content(tmp_path, {f"playbooks/{BOOK}.yaml": body}), TODAY)[1]
    assert [(problem.pointer, problem.line, problem.column) for problem in problems] == [
        (("related", 0), 19, 11),
        (("related", 1), 19, 19),
    ]


def test_a_problem_of_the_whole_record_stands_where_the_record_begins() -> None:
    reading = loading.read_bytes(b"# a comment\n\nname: a\n", "tasks/a.yaml", TODAY)
    assert {(problem.line, problem.column) for problem in reading.problems} == {(3, 1)}


def test_progress_is_told_file_by_file(tmp_path: Path) -> None:
    told: list[tuple[int, int]] = []
    loading.check(write_content(tmp_path), TODAY, progress=lambda done, all_of: told.append((done, all_of)))
    assert told == [(number, len(MINIMAL)) for number in range(1, len(MINIMAL) + 1)]


def test_a_file_that_vanished_or_is_a_folder_is_a_problem(tmp_path: Path) -> None:
    content = write_content(tmp_path)
    assert [problem.code for problem in loading.read(content, "tasks/gone.yaml", TODAY).problems] == ["unreadable"]
    assert [problem.code for problem in loading.read(content, "tasks", TODAY).problems] == ["unreadable"]


def test_the_whole_playbook_is_read_again_when_asked_for(tmp_path: Path) -> None:
    content = write_content(tmp_path)
    book = loading.read_playbook(content, BOOK, TODAY)
    assert isinstance(book, Playbook)
    assert book.steps[0].title == "Reproduce it"
    put(content, f"playbooks/{BOOK}.yaml", "title: a\n")
    with pytest.raises(ContentError):
        loading.read_playbook(content, BOOK, TODAY)


def test_an_error_between_files_leaves_both_records_in_the_library(tmp_path: Path) -> None:
    content = write_content(tmp_path, {"playbooks/second.yaml": titled(PLAYBOOK, "Fixing the flaky test")})
    library, problems = loading.check(content, TODAY)
    assert [problem.code for problem in problems] == ["titles-differ"]
    assert isinstance(problems[0], Problem)
    assert library.playbooks.keys() == {BOOK, "second"}
