"""A small library with every state in it: runs, aliases, deprecated and withdrawn playbooks, hostile text."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import Any

from library.content.formatting import canonical
from library.content.loading import read_playbook
from library.records.collection import version
from tests.builders import AGENT, BOOK, LESSON, TASK, TODAY, put, write_content

HOSTILE = (
    "<script>alert(1)</script> \"quoted\" 'single' & [x](https://example.com/?javascript:alert(1)) `a|b`"
    " {{ 7*7 }} {% raw %} ]]> --- # * _ ~"
)
"""Text that some rendition would obey if it did not escape."""
SHORT_HOSTILE = "<b>& {{ 7*7 }} ]]> --- # * _ ~"
"""The same for a field that does not hold so much."""

STEP = {"title": "Reproduce it", "detail": "Run the test a hundred times.", "check": "It failed at least once."}


def a_book(**changes: Any) -> dict[str, Any]:
    """A playbook's values as YAML gives them."""
    values: dict[str, Any] = {
        "title": "Fix flaky tests",
        "task": BOOK,
        "agents": ["claude-code"],
        "summary": "Find the cause of a flaky test, remove it.",
        "outcome": "A test suite that gives the same answer twice.",
        "difficulty": "intermediate",
        "time": "1-4 hours",
        "cost": "Mostly tokens",
        "risk": "low",
        "risk_note": "Only the code of tests changes.",
        "prompt": "Find out why the tests in {{repository}} are flaky.\n\nMend the cause.",
        "steps": [
            STEP,
            {
                "title": "Mend it",
                "detail": "One cause at a time:\n\n- order\n- time",
                "check": "`pytest` is green 100 times.",
            },
        ],
        "updated": "2026-11-01",
    }
    return {**values, **changes}


def everything_filled() -> dict[str, Any]:
    """A playbook with every field, some of them hostile."""
    return a_book(
        agents=["claude-code", "cursor"],
        risk="high",
        human_checkpoints=["Before step 2: a person reads the diff.", f"A person merges. ``{HOSTILE}``"],
        variants=[
            {"agent": "cursor", "prompt": "Open {{repository}} and look. ```\nfenced\n```", "note": "It has no shell."}
        ],
        needs=[
            {"name": "A runner", "kind": "tool", "note": "for `n` runs", "url": "https://example.com/runner"},
            {"name": "Logs", "kind": "data"},
        ],
        failures=[
            {
                "problem": "The stress run is green without the fix.",
                "fix": "Load the machine.",
                "lesson": "stress-run-is-green-without-the-fix-too",
            },
            {"problem": "Nothing fails.", "fix": "Wait."},
        ],
        evidence=[
            {
                "title": f"Account {number}",
                "url": f"https://site{number}.example/page",
                "platform": "blog",
                "agent": "Claude Code",
                "reported_outcome": "It went well.",
                "author": f"Author {number}",
                "date": "2026-01-02",
                "outcome": "worked" if number < 3 else "failed",
                "account": "first-hand",
            }
            for number in (1, 2, 3)
        ],
        references=[{"title": "Flaky tests", "url": "https://example.com/flaky", "checked": "2025-01-01"}],
        essence=f"Run it a hundred times, then mend the cause. ``{HOSTILE}``",
        minutes={"from": "20", "to": "90", "depends_on": f"How often it fails. ``{HOSTILE}``"},
        inputs=[
            {
                "name": "repository",
                "meaning": f"The folder. ``{HOSTILE}``",
                "example": f"app ``{HOSTILE}``",
                "where": f"Your disk. ``{HOSTILE}``",
                "default": "here",
                "secret": "true",
            }
        ],
        tried_with=[{"tool": f"pytest ``{HOSTILE}``", "version": f"9.2.0 ``{SHORT_HOSTILE}``"}],
        related=["write-tests"],
        tags=["testing", "ci"],
        contributors=[{"handle": "ada-l"}],
        aliases=["old-flaky"],
    )


def a_report(number: int, *, book_version: str, **changes: Any) -> dict[str, Any]:
    """A run report's values as YAML gives them."""
    values: dict[str, Any] = {
        "playbook": BOOK,
        "playbook_version": book_version,
        "agent": "claude-code",
        "agent_version": "2.1",
        "outcome": "worked",
        "duration_minutes": "30",
        "reporter": f"reporter-{number % 3}",
        "verified": "true",
        "contributor_since": "2026-01-01",
        "reported": f"2026-10-{number + 1:02d}T10:00:00Z",
    }
    return {**values, **changes}


def write_rich_content(folder: Path) -> Path:
    """The library with every state, without a problem in it."""
    content = write_content(folder)
    records: Mapping[str, dict[str, Any]] = {
        f"playbooks/{BOOK}.yaml": everything_filled(),
        "playbooks/write-tests.yaml": a_book(
            title="Write tests for old code", task="write-tests", tags=["testing"], no_trial=f"It needs ``{HOSTILE}``."
        ),
        "playbooks/gone.yaml": a_book(
            title="Do what must not be done", status="withdrawn", status_reason="It was unsafe.", replaced_by=BOOK
        ),
        "playbooks/older.yaml": a_book(
            title="Rerun until green", status="deprecated", status_reason="It hides the cause.", replaced_by=BOOK
        ),
        "tasks/nobody-yet.yaml": {
            "name": "Tune a piano",
            "category": "software",
            "summary": "By ear.",
            "wanted": "true",
            "requests": "2",
        },
    }
    for name, values in records.items():
        put(content, name, canonical(values, name))
    put(content, "tasks/write-tests.yaml", TASK.replace("Fix flaky tests", "Write tests"))
    put(content, "agents/cursor.yaml", AGENT.replace("Claude Code", "Cursor"))
    put(content, "lessons/stress-run-is-green-without-the-fix-too.yaml", LESSON.replace("handle: ada", "handle: ada-l"))
    current = version(read_playbook(content, BOOK, TODAY))
    changes: list[dict[str, Any]] = [{} for _ in range(7)]
    changes[1] = {"outcome": "failed", "what_changed": "nothing", "lesson": "Look first."}
    changes[2] = {"outcome": "worked_with_changes", "what_changed": HOSTILE}
    changes[5] = {"status": "withdrawn"}
    changes[6] = {
        "verified": "false",
        "reporter": "someone",
        "contributor_since": "2026-01-01",
        "playbook_version": "0" * 12,
    }
    for number, change in enumerate(changes):
        name = f"runs/{BOOK}/run-{number}.yaml"
        put(content, name, canonical(a_report(number, book_version=current, **change), name))
    return content
