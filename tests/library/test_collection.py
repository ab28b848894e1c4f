"""The library in memory: every look-up in its order, and what it says of those that are not there."""

from __future__ import annotations

from tests.builders import a_lesson, a_library, a_run, a_task, an_agent, an_entry


def test_playbooks_are_looked_up_by_task_agent_and_category() -> None:
    library = a_library(
        [
            an_entry("b", agents=("aider",), contributors=("ada",)),
            an_entry("a", contributors=("ada", "bo")),
            an_entry("c", task="other"),
        ],
        agents=[an_agent(), an_agent("aider")],
        tasks=[a_task(), a_task("other", category="data")],
        categories=("software", "data"),
    )
    assert [book.slug for book in library.all_books] == ["a", "b", "c"]
    assert [book.slug for book in library.playbooks_by_task["fix-flaky-tests"]] == ["a", "b"]
    assert {agent: [book.slug for book in books] for agent, books in library.playbooks_by_agent.items()} == {
        "claude-code": ["a", "c"],
        "aider": ["b"],
    }
    assert [book.slug for book in library.playbooks_by_category["data"]] == ["c"]
    assert [task.slug for task in library.tasks_by_category["software"]] == ["fix-flaky-tests"]


def test_lessons_of_a_playbook_are_those_that_name_it_and_those_its_failures_name() -> None:
    library = a_library([an_entry(failure_lessons=("z", None, "a"))], lessons=[a_lesson("a"), a_lesson("m")])
    assert library.lessons_by_playbook["fix-flaky-tests"] == ("a", "m", "z")


def test_handles_are_those_who_wrote_or_whose_keyed_report_was_approved() -> None:
    runs = [
        a_run("a", by="cy"),
        a_run("b", reporter="a label"),
        a_run("c", by="dora", status="withdrawn"),
    ]
    lessons = [a_lesson(contributors=({"handle": "bo"},))]
    assert a_library([an_entry(contributors=("ada",))], runs=runs, lessons=lessons).handles == ("ada", "bo", "cy")


def test_all_approved_runs_come_newest_first_over_all_playbooks() -> None:
    runs = [
        a_run("a", reported="2026-11-01T00:00:00Z"),
        a_run("b", playbook="another-book", reported="2026-11-02T00:00:00Z"),
        a_run("c", status="withdrawn"),
    ]
    assert [run.slug for run in a_library(runs=runs).all_approved_runs] == ["b", "a"]


def test_a_record_is_there_when_its_file_is_readable_or_not() -> None:
    library = a_library()
    assert library.has("agents", "claude-code")
    assert not library.has("agents", "nobody")
