"""What the index keeps of a record: its texts apart from each other, its whole values, and what a hit shows."""

from __future__ import annotations

from library.records.vocabulary import ResultType, Status, Trust
from library.search.documents import SPELT, TEXTS, VALUES, Document, indexed

BOOK = Document(
    type=ResultType.PLAYBOOK,
    slug="fix-flaky-tests",
    title="Fix Flaky Tests",
    summary="Find the cause.",
    body="One.",
    url="https://playbooks.example/playbooks/fix-flaky-tests/",
    trust=Trust.TESTED,
    category="software",
    agents=("claude-code", "aider"),
    names=("Claude Code", "Aider"),
    former=("mend-flaky-tests",),
    job="Fix flaky tests",
    asked=("tests fail now and then", "red and green"),
    status=Status.DEPRECATED,
)
BARE = Document(ResultType.LESSON, "a-lesson", "A lesson", "S.", "", "https://playbooks.example/lessons/a-lesson/")


def test_texts_that_stand_beside_each_other_do_not_run_together() -> None:
    assert {field: indexed(BOOK)[field] for field in TEXTS} == {
        "title": "fix flaki test",
        "asked": "test fail now then red green",
        "summary": "find caus",
        "body": "one claud code aider",
    }


def test_whole_values_are_kept_for_filters_and_names_for_whoever_knows_one() -> None:
    assert {field: indexed(BOOK)[field] for field in VALUES} == {
        "agent": ["aider", "claude-code"],
        "category": ["software"],
        "job": ["fix flaky tests"],
        "named": ["fix flaky tests", "mend flaky tests"],
        "proven": [],
        "status": ["deprecated"],
        "trust": ["tested"],
        "type": ["playbook"],
    }
    assert indexed(BOOK)[SPELT] == "aider cause claude code fail find fix flaky green now one red tests then"
    assert indexed(BARE)["category"] == indexed(BARE)["trust"] == []


def test_a_hit_shows_what_its_row_needs() -> None:
    assert indexed(BOOK)["shown"] == {
        "id": "playbook/fix-flaky-tests",
        "title": "Fix Flaky Tests",
        "summary": "Find the cause.",
        "url": "https://playbooks.example/playbooks/fix-flaky-tests/",
        "trust": "tested",
        "category": "software",
        "agents": ("claude-code", "aider"),
        "status": "deprecated",
        "proven": False,
    }
    assert indexed(BARE)["shown"] == {
        "id": "lesson/a-lesson",
        "title": "A lesson",
        "summary": "S.",
        "url": "https://playbooks.example/lessons/a-lesson/",
        "trust": None,
        "category": None,
        "agents": (),
        "status": "active",
        "proven": False,
    }
