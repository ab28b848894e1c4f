"""What is asked on a terminal for a new record: the question, the answers that fit, and those that are asked again."""

from __future__ import annotations

from pathlib import Path

import click
import pytest
from click.testing import CliRunner

from library.content.new import SHOWN, Start, TypedValue, asked, fields_of, matching, parts_of, refusals, words_of
from library.problems import UsageError
from library.records.fields import is_list
from library.records.models import Playbook
from tests.builders import AGENT, BOOK, TODAY, put, write_content

FIELDS = fields_of("playbook")


@pytest.fixture
def start(tmp_path: Path) -> Start:
    return Start(write_content(tmp_path), "playbook", TODAY)


def agents(start: Start, count: int) -> None:
    """So many agents, in all."""
    for number in range(1, count):
        put(start.content, f"agents/agent-{number:02}.yaml", AGENT)


def dialogue(start: Start, field: str, typed: str) -> tuple[TypedValue | None, str]:
    """The answer to one question, and everything that was said, for what somebody types."""
    answers: list[TypedValue] = []

    @click.command
    def ask() -> None:
        answers.append(asked(start, field, FIELDS[field]))

    result = CliRunner().invoke(ask, input=typed)
    return (answers[0] if answers else None), result.stderr


@pytest.mark.parametrize(
    ("part", "found"),
    [
        ("bb-cc", ["bb-cc"]),
        ("BB CC", ["bb-cc"]),
        ("cc", ["bb-cc", "aa-cc", "cc-cc"]),
        ("cc aa", ["aa-cc"]),
        ("C-a", ["aa-cc"]),
        ("dd", []),
    ],
)
def test_a_choice_is_the_one_that_is_named_or_else_all_that_hold_each_word(part: str, found: list[str]) -> None:
    assert matching(part, ["bb-cc", "aa-cc", "cc-cc"]) == found


def test_a_question_tells_the_field_its_meaning_and_a_few_choices(start: Start) -> None:
    assert dialogue(start, "difficulty", "\n") == (
        "",
        "difficulty: What the reader has to know beforehand [beginner, intermediate, advanced] (Enter: later): \n",
    )
    assert dialogue(start, "risk_note", "It is.\n") == (
        "It is.",
        "risk note: The reason for the risk (Enter: later): It is.\n",
    )


@pytest.mark.parametrize("count", [SHOWN, SHOWN + 1])
def test_of_many_choices_none_is_shown_until_that_is_asked_for(start: Start, count: int) -> None:
    agents(start, count)
    answer, said = dialogue(start, "agents", "?\n\n")
    assert answer == ""
    question = said.split("\n")[0]
    assert ("agent-11" in question) is (count == SHOWN)
    assert (f"({count} are there: type a part of one, or ? for all)" in question) is (count > SHOWN)
    assert "several with commas between them" in question
    assert said.count("agent-11") == (3 if count == SHOWN else 1)


def test_a_part_is_filled_up_and_said_and_what_is_in_several_or_in_none_is_asked_again(start: Start) -> None:
    agents(start, 4)
    answer, said = dialogue(start, "agents", "agent\nnobody\n claude , agent 02,\n")
    assert answer == ["claude-code", "agent-02"]
    assert "Error: 'agent' is in several, say more of one: agent-01, agent-02, agent-03\n" in said
    assert "Error: there is no agent 'nobody'" in said
    assert said.endswith("agents: claude-code, agent-02\n")
    assert "agents: claude-code\n" not in dialogue(start, "agents", "claude-code\n")[1].split("claude-code\n", 1)[1]


def test_a_name_is_needed(start: Start) -> None:
    answer, said = dialogue(start, "title", " \nTune a piano\n")
    assert answer == "Tune a piano"
    assert said.count("Error: it is needed") == 1
    assert "later" not in said
    assert dialogue(start, "title", "?\n")[0] == "?", "where there is nothing to choose it is an answer"


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
    assert parts_of("a") == ["a"]
    assert parts_of(["a", "b"]) == ["a", "b"]


def test_what_an_answer_may_not_be_is_told_with_the_option_and_the_mend(start: Start) -> None:
    assert start.choices("task") == [BOOK]
    assert start.choices("title") == []
    told = refusals(start, {"title": "A", "task": "fix-flaky", "risk_note": " ", "tags": ["new"], "agents": ["x", "y"]})
    assert [line.split(":")[0] for line in told] == ["--task", "--risk-note", "--agents"]
    assert told[0].startswith(f"--task: there is no task 'fix-flaky'; the nearest is {BOOK}; to make it: playbooks new")
    assert told[0].endswith(f"--name 'Fix flaky' --content {start.content}")
    assert told[2].count("there is no agent") == 2
    assert "; there is no agent 'y'" in told[2]


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
def test_a_file_needs_a_name_that_is_free(start: Start, slug: str, told: str) -> None:
    with pytest.raises(UsageError, match=told):
        start.file_of("A title", slug)
    assert start.file_of("A title", "a" * 64) == f"playbooks/{'a' * 64}.yaml"
    assert start.file_of("Tune a piano!") == "playbooks/tune-a-piano.yaml"
    with pytest.raises(UsageError, match="no slug can be made of"):
        start.file_of("...")


def test_a_category_has_its_own_file(tmp_path: Path) -> None:
    start = Start(write_content(tmp_path), "task", TODAY)
    assert start.refusal("category", "softwear") == (
        "there is no category 'softwear'; the nearest is software; known are software;"
        " categories.yaml has room for more"
    )
    assert start.refusal("category", "qqq") == (
        "there is no category 'qqq'; known are software; categories.yaml has room for more"
    )
    assert start.refusal("category", "software") == ""
