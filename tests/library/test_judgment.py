"""The judgment before a merge: what it asks beyond `check`, where it says so, and that the desk judges by the same."""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import replace
from pathlib import Path

import pytest

from library.content.formatting import format_bytes
from library.content.loading import load, read_bytes
from library.problems import Severity
from library.records.trials import TrialSpec
from library.records.vocabulary import Status
from library.rules.checks import merge_rule_book
from library.rules.checks.merging import playbooks_are_tried_or_say_why_not
from library.rules.judgment import judged, trial
from tests.builders import (
    AGENT,
    BOOK,
    LESSON,
    MINIMAL,
    PLAYBOOK,
    PROMPT,
    RUN,
    TODAY,
    a_library,
    an_entry,
    complete,
    prompt_of,
    put,
    write_content,
)
from tests.cli.test_commands import run

FILE = f"playbooks/{BOOK}.yaml"
LESSON_FILE = "lessons/it-hangs.yaml"
WHOLE = complete(PLAYBOOK)
STEP = "  - title: Part {0}\n    detail: Do part {0}.\n    check: Part {0} is written down.\n"
FAILURE = "  - problem: Fault {0} is met.\n    fix: Mend fault {0}.\n"
EVIDENCE = WHOLE[WHOLE.index("evidence:\n") : WHOLE.index("updated:")]
TESTED = (
    "tested:\n  - date: 2026-11-01\n    agent: claude-code\n    outcome: worked\n    by: editor\n"
    "    version: 0a1b2c3d4e5f\n"
)
ESSENCE = next(line for line in WHOLE.splitlines(keepends=True) if line.startswith("essence:"))
UNTRIED = WHOLE[WHOLE.index("no_trial:") :]
INPUTS = WHOLE[WHOLE.index("inputs:\n") : WHOLE.index("steps:")]
NO_INPUT = WHOLE.replace("{{repository}}", "this repository").replace(INPUTS, "")


def shaped(files: Mapping[str, str]) -> dict[str, bytes]:
    """Files in their canonical form, so that only the rules speak."""
    found = {name: format_bytes(text.encode(), name) for name, text in files.items()}
    assert not [body for body in found.values() if isinstance(body, list)]
    return {name: body for name, body in found.items() if isinstance(body, bytes)}


def a_content(folder: Path, changes: Mapping[str, str]) -> Path:
    """The small content in canonical form, with a whole playbook, changed by path."""
    return write_content(folder, dict(shaped({**MINIMAL, FILE: WHOLE, **changes})))


def steps(number: int) -> str:
    """The whole playbook with so many steps."""
    first = WHOLE.index(STEP.format(2))
    return WHOLE[:first] + "".join(map(STEP.format, range(2, number + 1))) + WHOLE[WHOLE.index("failures:") :]


def failures(number: int) -> str:
    """The whole playbook with so many known failures."""
    told = "failures:\n" + "".join(map(FAILURE.format, range(1, number + 1)))
    return WHOLE[: WHOLE.index("failures:")] + (told if number else "") + WHOLE[WHOLE.index("evidence:") :]


FOR_ANY = WHOLE.replace("- claude-code", "- any-agent")
UNTOLD = {FILE: FOR_ANY.replace(EVIDENCE, ""), "agents/any-agent.yaml": AGENT.replace("Claude Code", "Any agent")}
"""A playbook for any agent of which nothing is told."""
BROKEN: Mapping[str, tuple[Mapping[str, str], str, str]] = {
    "four steps": ({FILE: steps(4)}, "steps-are-five-to-nine", "steps"),
    "ten steps": ({FILE: steps(10)}, "steps-are-five-to-nine", "steps[9]"),
    "two failures": ({FILE: failures(2)}, "failures-are-three-to-six", "failures"),
    "no failures": ({FILE: failures(0)}, "failures-are-three-to-six", "failures"),
    "seven failures": ({FILE: failures(7)}, "failures-are-three-to-six", "failures[6]"),
    "no input": ({FILE: NO_INPUT}, "prompts-take-an-input", "prompt"),
    "not in short": (
        {FILE: WHOLE.replace(ESSENCE, "")},
        "playbooks-say-themselves-in-short",
        "essence",
    ),
    "an input that nobody explains": (
        {FILE: WHOLE.replace("{{repository}}", "{{repository}} of {{owner}}")},
        "inputs-are-explained",
        "inputs",
    ),
    "no trial, and no word why": (
        {FILE: WHOLE.replace(UNTRIED, "")},
        "playbooks-are-tried-or-say-why-not",
        "no_trial",
    ),
    "nothing told": (UNTOLD, "playbooks-rest-on-something", "evidence"),
    "an agent that no account names": (
        {FILE: WHOLE.replace("    agent: Claude Code\n", "    agent: Claude (chat)\n")},
        "agents-have-accounts",
        "agents[0]",
    ),
    "a lesson of nothing": (
        {LESSON_FILE: LESSON.replace(f"playbooks:\n  - {BOOK}\n", "")},
        "lessons-touch-a-playbook",
        "playbooks",
    ),
    "a lesson of nobody": (
        {LESSON_FILE: LESSON.replace("contributors:\n  - handle: ada\n", "")},
        "lessons-say-who-told-them",
        "sources",
    ),
    "a warning": (
        {FILE: WHOLE.replace("It failed at least once.", "Ensure that it failed.")},
        "checks-are-not-hollow",
        "steps[0].check",
    ),
}
FINE: Mapping[str, Mapping[str, str]] = {
    "as it is": {},
    "nine steps": {FILE: steps(9)},
    "six failures": {FILE: failures(6)},
    "rests on a lesson": {**UNTOLD, LESSON_FILE: LESSON},
    "an agent that an account names in other words": {
        FILE: WHOLE.replace("    agent: Claude Code\n", "    agent: an editor, then CLAUDE-CODE (2.1)\n")
    },
    "one account by a model, for any agent": {**UNTOLD, FILE: FOR_ANY.replace("agent: Claude Code", "agent: Claude")},
    "a variant for another agent, where it is for any": {
        **UNTOLD,
        FILE: FOR_ANY.replace(
            "inputs:\n", f"variants:\n  - agent: claude-code\n    prompt: {prompt_of('another')}\ninputs:\n"
        ),
    },
    "a first test": {FILE: WHOLE.replace(EVIDENCE, TESTED)},
    "rests on a report": {
        FILE: WHOLE.replace(EVIDENCE, ""),
        f"runs/{BOOK}/run_{'a' * 26}.yaml": RUN + "status: approved\n",
    },
    "a lesson that a failure names": {
        FILE: WHOLE.replace("    fix: Mend fault 1.\n", "    fix: Mend fault 1.\n    lesson: it-hangs\n"),
        LESSON_FILE: LESSON.replace(f"playbooks:\n  - {BOOK}\n", ""),
    },
    "a lesson with a page": {
        LESSON_FILE: LESSON.replace("contributors:\n  - handle: ada\n", "")
        + "sources:\n  - title: A page\n    url: https://example.com/a-page\n"
    },
}


@pytest.mark.slow
@pytest.mark.parametrize(("changes", "code", "field"), BROKEN.values(), ids=BROKEN)
def test_each_rule_is_told_at_its_place_and_as_an_error(
    tmp_path: Path, changes: Mapping[str, str], code: str, field: str
) -> None:
    content = a_content(tmp_path, changes)
    _, problems = judged(content, TODAY)
    assert [(problem.code, problem.field, problem.severity) for problem in problems] == [(code, field, Severity.ERROR)]
    assert problems[0].file in changes
    assert "; " in problems[0].message, "what is wrong, and the mend"
    load(content, TODAY)  # a library all the same


@pytest.mark.parametrize("changes", FINE.values(), ids=FINE)
def test_what_is_honest_and_whole_passes(tmp_path: Path, changes: Mapping[str, str]) -> None:
    assert judged(a_content(tmp_path, changes), TODAY)[1] == []


@pytest.mark.slow
@pytest.mark.parametrize(("changes", "code", "field"), BROKEN.values(), ids=BROKEN)
def test_the_desk_judges_by_the_same(tmp_path: Path, changes: Mapping[str, str], code: str, field: str) -> None:
    content = a_content(tmp_path, {FILE: WHOLE.replace("title: Fix flaky", "title: Mend slow"), LESSON_FILE: LESSON})
    found = trial(load(content, TODAY), shaped(changes)).problems
    expected = [(code, field)] if code != "playbooks-rest-on-something" else []  # here it rests on the lesson
    assert [(problem.code, problem.field) for problem in found] == expected
    assert all(problem.line > 1 for problem in found)


def test_a_trial_takes_the_place_of_the_reason_for_none() -> None:
    spec = TrialSpec(playbook=BOOK, sentence="Do it.", done="It is done.", checks={"1": "true"})
    old = an_entry("d-old", status=Status.DEPRECATED)
    for reason, trials, told in (
        ("It needs weeks.", {BOOK: spec}, ["it has a trial; remove this"]),
        (None, {BOOK: spec}, []),
        ("It needs weeks.", {}, []),
    ):
        library = replace(a_library([an_entry(no_trial=reason), old]), trials=trials)
        assert [problem.message for problem in playbooks_are_tried_or_say_why_not(library)] == told


def test_every_rule_of_the_book_is_broken_here() -> None:
    assert {code for code, _ in merge_rule_book()} <= {code for _, code, _ in BROKEN.values()}
    assert all(sentence.endswith(".") for _, sentence in merge_rule_book())


@pytest.mark.slow
def test_all_is_told_at_once_in_every_format(tmp_path: Path) -> None:
    content = write_content(tmp_path, {LESSON_FILE: LESSON.replace("contributors:\n  - handle: ada\n", "")})
    expected = {
        *("steps-are-five-to-nine", "failures-are-three-to-six", "lessons-say-who-told-them", "canonical-form"),
        *("playbooks-say-themselves-in-short", "inputs-are-explained", "agents-have-accounts"),
        "playbooks-are-tried-or-say-why-not",
    }
    told = run("check", "--for-merge", "--content", content, "--format", "json")
    assert told.exit_code == 1
    assert {row["code"] for row in json.loads(told.stdout)} == expected
    assert {row["severity"] for row in json.loads(told.stdout)} == {"error"}
    for form in ("text", "github", "sarif"):
        output = run("check", "--for-merge", "--content", content, "--format", form).output
        assert [code for code in sorted(expected) if code not in output] == []
    assert run("check", "--strict", "--content", content).exit_code == 0


def test_the_form_is_told_at_the_first_line_that_differs(tmp_path: Path) -> None:
    content = a_content(tmp_path, {})
    text = (content / FILE).read_text()
    put(content, FILE, text.replace("difficulty: intermediate", "difficulty:   intermediate"))
    (problem,) = judged(content, TODAY)[1]
    assert (problem.code, text.splitlines()[problem.line - 1]) == ("canonical-form", "difficulty: intermediate")


def test_what_was_short_before_is_not_the_changes(tmp_path: Path) -> None:
    content = write_content(tmp_path)
    library = load(content, TODAY)
    body = PLAYBOOK.replace("Mostly tokens", "Some tokens").encode()
    assert {problem.code for problem in trial(library, {FILE: body}).problems} == {
        *("steps-are-five-to-nine", "failures-are-three-to-six"),
        *("playbooks-say-themselves-in-short", "inputs-are-explained"),
    }
    present = {FILE: PLAYBOOK.encode()}.get
    assert trial(library, {FILE: body}, present).problems == ()
    worse = body.replace(PROMPT.encode(), PROMPT.replace("{{repository}}", "this").encode())
    assert [problem.code for problem in trial(library, {FILE: worse}, present).problems] == ["prompts-take-an-input"]


def test_a_record_that_is_only_short_can_be_used_all_the_same() -> None:
    reading = read_bytes(PLAYBOOK.encode(), FILE, TODAY, for_merge=True)
    assert reading.record is not None
    assert reading.problems
