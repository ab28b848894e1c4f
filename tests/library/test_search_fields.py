"""What the index keeps of a record: its texts apart from each other, its whole values, and what a hit shows."""

from __future__ import annotations

from library.records.vocabulary import ResultType, Status, Trust
from library.search.documents import Document
from library.search.fields import stored, texts, values

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
    assert list(texts(BOOK)) == [
        ("title", "Fix Flaky Tests"),
        ("asked", "tests fail now and then\nred and green"),
        ("summary", "Find the cause."),
        ("body", "One.\nClaude Code\nAider"),
    ]


def test_whole_values_are_kept_for_filters_and_names_for_whoever_knows_one() -> None:
    assert sorted(values(BOOK)) == [
        ("agent", "aider"),
        ("agent", "claude-code"),
        ("category", "software"),
        ("id", "playbook/fix-flaky-tests"),
        ("job", "fix flaky tests"),
        ("named", "fix flaky tests"),
        ("named", "mend flaky tests"),
        ("proven", ""),
        ("status", "deprecated"),
        ("trust", "tested"),
        ("type", "playbook"),
    ]
    assert dict(values(BARE))["category"] == dict(values(BARE))["trust"] == ""


def test_a_hit_shows_what_its_row_needs() -> None:
    assert stored(BOOK) == {
        "id": "playbook/fix-flaky-tests",
        "shown": {
            "title": "Fix Flaky Tests",
            "summary": "Find the cause.",
            "url": "https://playbooks.example/playbooks/fix-flaky-tests/",
            "trust": "tested",
            "category": "software",
            "agents": ["claude-code", "aider"],
            "status": "deprecated",
            "proven": False,
        },
    }
    assert stored(BARE)["shown"] == {
        "title": "A lesson",
        "summary": "S.",
        "url": "https://playbooks.example/lessons/a-lesson/",
        "trust": None,
        "category": None,
        "agents": [],
        "status": "active",
        "proven": False,
    }
