"""What is asked on a terminal for a new record: the question, the answers that fit, and those that are asked again."""

from __future__ import annotations

from pathlib import Path

import click
import pytest
from click.testing import CliRunner

from library.content.new import SHOWN, TypedValue, asked, fields_of, file_of, refusal
from library.problems import UsageError
from library.records.fields import is_list, words_of
from library.records.models import Playbook
from tests.builders import AGENT, BOOK, put, write_content

FIELDS = fields_of("playbook")


@pytest.fixture
def content(tmp_path: Path) -> Path:
    return write_content(tmp_path)


def agents(content: Path, count: int) -> None:
    """So many agents, in all."""
    for number in range(1, count):
        put(content, f"agents/agent-{number:02}.yaml", AGENT)


def dialogue(content: Path, field: str, typed: str) -> tuple[TypedValue | None, str]:
    """The answer to one question, and everything that was said, for what somebody types."""
    answers: list[TypedValue] = []

    @click.command
    def ask() -> None:
        answers.append(asked(content, "playbook", field))

    result = CliRunner().invoke(ask, input=typed)
    return (answers[0] if answers else None), result.stderr


def test_a_question_tells_the_field_its_meaning_and_a_few_choices(content: Path) -> None:
    assert dialogue(content, "difficulty", "\n") == (
        "",
        "difficulty: What the reader has to know beforehand [beginner, intermediate, advanced] (Enter: later): \n",
    )
    assert dialogue(content, "risk_note", "It is.\n") == (
        "It is.",
        "risk note: The reason for the risk (Enter: later): It is.\n",
    )


@pytest.mark.parametrize("count", [SHOWN, SHOWN + 1])
def test_only_a_few_choices_are_shown(content: Path, count: int) -> None:
    agents(content, count)
    answer, said = dialogue(content, "agents", "\n")
    assert answer == []
    assert ("agent-11" in said) is (count == SHOWN)
    assert "several with commas between them" in said


def test_what_is_there_not_is_told_with_what_is_near_and_asked_again(content: Path) -> None:
    agents(content, 4)
    answer, said = dialogue(content, "agents", "agent 2\n claude-code , agent-02,\n")
    assert answer == ["claude-code", "agent-02"]
    assert "Error: there is no agent 'agent 2'; the nearest are agent-02, " in said


def test_a_name_is_needed(content: Path) -> None:
    answer, said = dialogue(content, "title", " \nTune a piano\n")
    assert answer == "Tune a piano"
    assert said.count("Error: it is needed") == 1
    assert "later" not in said


def test_words_can_fill_what_is_no_list_of_records_and_is_not_for_later() -> None:
    assert [name for name in Playbook.model_fields if name not in FIELDS] == [
        *("minutes", "inputs", "variants", "needs", "steps", "failures", "evidence", "references", "tested"),
        "tried_with",
        *("updated", "contributors", "status", "status_reason", "replaced_by", "aliases"),
    ]
    assert {name for name, info in FIELDS.items() if is_list(info)} == {
        *("agents", "human_checkpoints", "related", "tags", "asked")
    }
    assert words_of(FIELDS["risk"]) == ["low", "medium", "high"]
    assert words_of(fields_of("agent")["kind"]) == ["cli", "ide", "cloud", "assistant", "framework"]
    assert words_of(FIELDS["title"]) == words_of(FIELDS["agents"]) == []


def test_what_an_answer_may_not_be_is_told_with_the_mend(content: Path) -> None:
    def told(field: str, answer: TypedValue) -> str:
        return refusal(content, "playbook", field, answer)

    assert told("title", "A") == told("tags", ["new"]) == ""
    assert (
        told("task", "fix-flaky")
        == f"there is no task 'fix-flaky'; the nearest is {BOOK}; to make it: playbooks new task"
    )
    assert told("risk_note", " ").startswith("is empty")
    assert told("agents", ["x", "y"]).count("there is no agent") == 2


@pytest.mark.parametrize(
    ("slug", "told"),
    [
        ("Not A Slug", "--slug: must be 1-64"),
        ("a" * 65, "--slug: must be 1-64"),
        ("index", "is reserved"),
        ("con", "is reserved"),
        (BOOK, "is there already"),
    ],
)
def test_a_file_needs_a_name_that_is_free(content: Path, slug: str, told: str) -> None:
    with pytest.raises(UsageError, match=told):
        file_of(content, "playbook", "A title", slug)
    assert file_of(content, "playbook", "A title", "a" * 64) == f"playbooks/{'a' * 64}.yaml"
    assert file_of(content, "playbook", "Tune a piano!") == "playbooks/tune-a-piano.yaml"
    with pytest.raises(UsageError, match="no slug can be made of"):
        file_of(content, "playbook", "...")


def test_a_category_has_its_own_file(content: Path) -> None:
    assert refusal(content, "task", "category", "softwear") == (
        "there is no category 'softwear'; the nearest is software; known are software;"
        " categories.yaml has room for more"
    )
    assert refusal(content, "task", "category", "qqq") == (
        "there is no category 'qqq'; known are software; categories.yaml has room for more"
    )
    assert refusal(content, "task", "category", "software") == ""
