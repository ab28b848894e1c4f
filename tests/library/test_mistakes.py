"""Fifty typical mistakes of contributors: each is told once, on its line, with what mends it."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

import pytest

from library.content import loading
from tests.broken.case import changed
from tests.builders import AGENT, BOOK, LESSON, PLAYBOOK, TODAY, put, titled, write_content

FILE = f"playbooks/{BOOK}.yaml"
_WHOLE = f"""\
{PLAYBOOK}evidence:
  - title: A day with it
    url: https://example.com/page
    platform: blog
    agent: Claude Code
    reported_outcome: It worked.
failures:
  - problem: It hangs.
    fix: Stop it.
    lesson: green-without-the-fix
human_checkpoints:
  - A person reads the change.
tags:
  - testing
related:
  - mend-slow-builds
"""
"""The playbook in which the mistakes are made: `evidence` is line 18, `failures` 24, `tags` 30, `related` 32."""
_AROUND = {
    FILE: _WHOLE,
    "agents/codex-cli.yaml": AGENT,
    "playbooks/mend-slow-builds.yaml": titled(PLAYBOOK, "Mend slow builds") + "aliases:\n  - speed-up-ci\n",
    "lessons/green-without-the-fix.yaml": LESSON,
}
_TOKEN = "ghp_" + "aB3dE5gH7jK9mN1pQ3sT5vW7yZ9bC1dE3fG5"  # looks like a key, and is one of nobody's


@dataclass(frozen=True)
class Mistake:
    """One change of a sound library, the line on which it must be told, and words of the mend.

    `old` becomes `new` in `file`, which is then renamed `to`; `told` is the file of the message where it is another.
    """

    name: str
    old: str
    new: str
    line: int
    mend: str
    file: str = FILE
    to: str = ""
    told: str = ""


_TASK_FILE, _LESSON_FILE = f"tasks/{BOOK}.yaml", "lessons/green-without-the-fix.yaml"
_CHECK = "check: It failed at least once."
_LOOK = "  - A person reads the change."

MISTAKES = (
    # dates
    Mistake("a date with full stops", "updated: 2026-11-01", "updated: 01.11.2026", 17, "YYYY-MM-DD"),
    Mistake("a date with slashes", "updated: 2026-11-01", "updated: 2026/11/01", 17, "YYYY-MM-DD"),
    Mistake("a year for a date", "platform: blog", "platform: blog\n    date: 2026", 22, "YYYY-MM-DD"),
    # kinds of values
    Mistake(
        "names with commas for a list",
        "agents:\n  - claude-code",
        "agents: codex-cli, claude-code",
        3,
        "one item a line",
    ),
    Mistake("two tags in one item", "  - testing", "  - testing, builds", 31, "a line of its own"),
    Mistake("a list for a text", "summary: Find", "summary:\n  - Find", 5, "write one text"),
    Mistake("steps that are no list", "  - title: Rep", "    title: Rep", 13, "after `- `"),
    Mistake(
        "an account that is only an address",
        "  - title: A day with it\n    url: https://example.com/page\n"
        "    platform: blog\n    agent: Claude Code\n    reported_outcome: It worked.",
        "  - https://example.com/page",
        19,
        "title, url, platform",
    ),
    Mistake("a colon in a checkpoint", _LOOK, "  - Before step 1: read it.", 29, "quotes"),
    Mistake("two categories", "category: software", "category: [software, data]", 2, "write one text", _TASK_FILE),
    Mistake("a list that was left empty", "tags:\n  - testing\n", "tags:\n", 30, "remove the key"),
    # YAML
    Mistake(
        "a colon in curly quotes",
        "summary: Find the cause of a flaky test, remove it.",
        "summary: “Find: it.”",
        5,
        "straight",
    ),
    Mistake("no colon after a key", "difficulty: inter", "difficulty inter", 7, "`key: value`"),
    Mistake("no space after a colon", "risk: low", "risk:low", 10, "`: `"),
    Mistake("no space after a dash", "  - claude-code", "  -claude-code", 3, "after `- `"),
    Mistake("a tab before a key", "    check: It", "\tcheck: It", 16, "two spaces"),
    Mistake("a word in quotes at the beginning", "title: Fix flaky", 'title: "Fix" flaky', 1, "all of it in quotes"),
    Mistake("an apostrophe in single quotes", "risk_note: Only", "risk_note: 'It's only' #", 11, "twice inside"),
    Mistake(
        "a quote that the next one closes",
        "cost: Mostly tokens\nrisk: low",
        'cost: "Mostly tokens\nrisk: "low"',
        9,
        "close it",
    ),
    Mistake("a single quote that is never closed", "cost: Mostly", "cost: 'Mostly", 9, "close it"),
    Mistake("a bracket that is never closed", "agents:\n  - claude-code", "agents: [claude-code", 3, "close it"),
    Mistake(
        "a merge that was left open",
        "risk: low\n",
        "<<<<<<< HEAD\nrisk: low\n=======\nrisk: high\n>>>>>>> theirs\n",
        10,
        "keep one side",
    ),
    Mistake("a key one column off in a step", "    detail: Run", "   detail: Run", 15, "indent it alike"),
    Mistake("a key deeper than its neighbours", "cost: Mostly", "  cost: Mostly", 9, "same column"),
    Mistake("a dash before a key", "updated: 2026", "- updated: 2026", 17, "keys none"),
    Mistake("a block that is not indented", "summary: Find", "summary: >-\nFind", 6, "indent"),
    Mistake("a text beside the sign of a block", "cost: Mostly", "cost: >- Mostly", 9, "on the next line"),
    Mistake("a text that begins with bold words", "risk_note: Only", "risk_note: **Only**", 11, "quotes"),
    Mistake("a text that begins with code", _CHECK, "check: `pytest` is green 100 times.", 16, "quotes"),
    Mistake("a text that begins with an at sign", _LOOK, "  - @lead reads the change.", 29, "quotes"),
    Mistake("a text that begins with a link", "summary: Find", "summary: [Find](https://example.com/) it", 5, "quotes"),
    Mistake("a text that begins with an input", "cost: Mostly", "cost: {{cost}} at most", 9, "quotes"),
    Mistake("a path with backslashes in double quotes", "detail: Run", 'detail: "Run C:\\work" #', 15, "single quotes"),
    Mistake("a number of an issue", "summary: Find", "summary: Find issue #12 and", 5, "put the text in quotes"),
    # keys and words
    Mistake("a misspelt key", "difficulty:", "dificulty:", 7, "did you mean 'difficulty'?"),
    Mistake("a key in the singular", "tags:", "tag:", 30, "did you mean 'tags'?"),
    Mistake("a slug typed by hand", "title: Fix", "slug: fix-flaky-tests\ntitle: Fix", 1, "remove it"),
    Mistake("trust typed by hand", "risk: low", "risk: low\ntrust: tested", 11, "remove it"),
    Mistake("a capital in a word of a closed set", "platform: blog", "platform: GitHub", 21, "did you mean 'github'?"),
    Mistake("another word for an outcome", "platform: blog", "platform: blog\n    outcome: success", 22, "'worked'"),
    Mistake("a single brace", "{{repository}}", "{repository}", 12, "write {{repository}}"),
    Mistake("blanks in an input", "{{repository}}", "{{ Repo Name }}", 12, "write {{repo_name}}"),
    # names of others
    Mistake("a task's name for its slug", "task: fix-flaky-tests", "task: Fix flaky tests", 2, "'fix-flaky-tests'"),
    Mistake("an agent's name in short", "  - claude-code", "  - codex", 4, "did you mean 'codex-cli'?"),
    Mistake("a misspelt lesson", "green-without-the", "green-without-a", 27, "did you mean 'green-without-the-fix'?"),
    Mistake("a playbook by its former slug", "  - mend-slow-builds", "  - speed-up-ci", 33, "mean 'mend-slow-builds'?"),
    Mistake(
        "a file that was renamed without an alias",
        "",
        "",
        5,
        "did you mean 'fix-flaky-test'?",
        FILE,
        "playbooks/fix-flaky-test.yaml",
        _LESSON_FILE,
    ),
    # files and addresses
    Mistake(
        "a folder in the singular",
        "",
        "",
        1,
        "did you mean 'agents'?",
        "agents/codex-cli.yaml",
        "agent/codex-cli.yaml",
        "agent",
    ),
    Mistake("an address without its scheme", "https://example.com/page", "example.com/page", 20, "https://"),
    Mistake("a key of an interface", "detail: Run", f"detail: Use {_TOKEN} and run", 15, "take it out"),
)


def test_there_are_fifty() -> None:
    assert len({mistake.name for mistake in MISTAKES}) == len(MISTAKES) == 50


def test_the_library_in_which_they_are_made_is_sound(tmp_path: Path) -> None:
    assert loading.check(write_content(tmp_path, _AROUND), TODAY)[1] == []


@pytest.mark.parametrize("mistake", MISTAKES, ids=[mistake.name for mistake in MISTAKES])
def test_a_mistake_is_one_message_on_its_line_with_the_mend(mistake: Mistake, tmp_path: Path) -> None:
    content = write_content(tmp_path, _AROUND)
    path = content / mistake.file
    if mistake.old:
        put(content, mistake.file, changed(path.read_text(), mistake.old, mistake.new))
    if mistake.to:
        put(content, mistake.to, path.read_text())
        path.unlink()
    [problem] = loading.check(content, TODAY)[1]
    assert (problem.file, problem.line) == (mistake.told or mistake.file, mistake.line)
    assert mistake.mend in problem.message
    assert _TOKEN not in str(problem)
