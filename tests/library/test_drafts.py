"""Drafts: what they may lack, what they may not hold, and what of others may name them."""

from __future__ import annotations

from pathlib import Path

import pytest

from library.content.loading import check, read_bytes, read_playbook
from library.problems import Problem
from library.rules.judgment import trial
from tests.builders import AGENT, BOOK, LESSON, PLAYBOOK, RUN, TASK, TODAY, a_library, prompt_of, titled, write_content
from tests.cli.test_commands import run

DRAFT = "status: draft\n"
OTHER = titled(PLAYBOOK, "Tune a piano")


def problems_of(folder: Path, **files: str) -> list[str]:
    named = {name.replace("__", "/").replace("_", "-") + ".yaml": body for name, body in files.items()}
    return [f"{problem.file} {problem.code}" for problem in check(write_content(folder, named), TODAY)[1]]


@pytest.mark.parametrize("kind", ["playbooks", "lessons", "tasks", "agents"])
def test_a_draft_may_lack_anything(tmp_path: Path, kind: str) -> None:
    library, problems = check(write_content(tmp_path, {f"{kind}/later.yaml": f'{DRAFT}title: "TODO"\nodd: x\n'}), TODAY)
    assert problems == []
    assert library.drafts == {f"{kind}/later.yaml"}
    assert "later" not in getattr(library, kind)


def test_what_is_left_to_do_is_known_with_its_place() -> None:
    reading = read_bytes(f'title: "TODO: a verb"\n{DRAFT}odd: x\n'.encode(), "playbooks/later.yaml", TODAY)
    assert (reading.draft, reading.record, reading.problems) == (True, None, [])
    told = {(problem.code, problem.field, problem.line) for problem in reading.left}
    assert {("to-be-written", "title", 1), ("unknown-key", "odd", 3), ("missing-field", "prompt", 1)} <= told
    assert "status" not in {problem.field for problem in reading.left}


def test_a_finished_draft_has_nothing_left() -> None:
    reading = read_bytes(f"{PLAYBOOK}{DRAFT}".encode(), f"playbooks/{BOOK}.yaml", TODAY)
    assert (reading.draft, reading.left) == (True, [])


@pytest.mark.parametrize("file", ["site.yaml", f"runs/{BOOK}/run_1.yaml"])
def test_what_people_do_not_write_is_never_a_draft(file: str) -> None:
    assert not read_bytes(DRAFT.encode(), file, TODAY).draft


@pytest.mark.parametrize(
    ("body", "code"),
    [
        (f"{DRAFT}summary: write to jane.doe@mail.com\n", "no-private-matter"),
        (f"{DRAFT}steps:\n  - odd: [jane.doe@mail.com]\n", "no-private-matter"),
        (f"{DRAFT}title: one\ntitle: two\n", "duplicate-key"),
        (f'{DRAFT}title: "one\n', "syntax"),
    ],
)
def test_a_draft_keeps_its_form_and_holds_nothing_private(tmp_path: Path, body: str, code: str) -> None:
    found = check(write_content(tmp_path, {"lessons/later.yaml": body}), TODAY)[1]
    assert [(problem.file, problem.code) for problem in found] == [("lessons/later.yaml", code)]
    assert "jane" not in found[0].message


def test_a_warning_is_none_of_a_draft(tmp_path: Path) -> None:
    assert problems_of(tmp_path, playbooks__later=f"{DRAFT}title: yes\nprompt: Short.\n") == []


def test_names_of_drafts_are_left_out_where_nothing_needs_them(tmp_path: Path) -> None:
    more = "related:\n  - later\nfailures:\n  - problem: P.\n    fix: F.\n    lesson: later\n"
    files = {
        "playbooks/later.yaml": DRAFT,
        "lessons/later.yaml": DRAFT,
        "lessons/known.yaml": LESSON.replace("  - fix", "  - later\n  - fix"),
        f"playbooks/{BOOK}.yaml": f"{PLAYBOOK}{more}",
        "playbooks/old.yaml": f"{OTHER}status: deprecated\nstatus_reason: Old.\nreplaced_by: later\n",
    }
    library, problems = check(write_content(tmp_path, files), TODAY)
    assert problems == []
    assert library.lessons["known"].playbooks == (BOOK,)
    assert library.playbooks[BOOK].related == ()
    assert library.playbooks[BOOK].failure_lessons == (None,)
    assert library.playbooks["old"].replaced_by is None
    assert read_playbook(tmp_path / "content", BOOK, TODAY).related == ("later",), "the file says what it says"


def test_a_draft_keeps_no_name_from_a_published_one(tmp_path: Path) -> None:
    assert (
        problems_of(tmp_path, playbooks__later=DRAFT, **{f"playbooks__{BOOK}": f"{PLAYBOOK}aliases: [later]\n"}) == []
    )


TESTED = (
    "tested:\n  - date: 2026-11-01\n    agent: later\n    outcome: worked\n    by: editor\n    version: 0a1b2c3d4e5f\n"
)


@pytest.mark.parametrize(
    ("draft", "file", "body", "place"),
    [
        ("tasks/later", "playbooks/x", OTHER.replace("task: fix-flaky-tests", "task: later"), "task"),
        ("agents/later", "playbooks/x", OTHER.replace("  - claude-code", "  - later"), "agents[0]"),
        ("agents/later", "playbooks/x", f"{OTHER}{TESTED}", "tested[0].agent"),
        ("agents/later", "lessons/x", f"{LESSON}agents:\n  - claude-code\n  - later\n", "agents[1]"),
        ("playbooks/later", "runs/later/run_1", RUN.replace("fix-flaky-tests", "later"), "playbook"),
    ],
)
def test_what_is_published_needs_no_draft(tmp_path: Path, draft: str, file: str, body: str, place: str) -> None:
    found = check(write_content(tmp_path, {f"{draft}.yaml": DRAFT, f"{file}.yaml": body}), TODAY)[1]
    assert [(item.file, item.code, item.field) for item in found] == [(f"{file}.yaml", "no-draft-is-needed", place)]
    assert "'later' is a draft" in found[0].message


def test_a_variants_agent_is_no_draft_where_a_playbook_is_for_any(tmp_path: Path) -> None:
    variant = f"variants:\n  - agent: later\n    prompt: {prompt_of('later')}\n"
    files = {
        "agents/any-agent.yaml": AGENT.replace("Claude Code", "Any agent"),
        "agents/later.yaml": DRAFT,
        "playbooks/x.yaml": OTHER.replace("- claude-code", "- any-agent") + variant,
    }
    found = check(write_content(tmp_path, files), TODAY)[1]
    assert [(item.code, item.field) for item in found] == [("no-draft-is-needed", "variants[0].agent")]


def test_a_task_without_a_playbook_may_be_a_draft_meanwhile(tmp_path: Path) -> None:
    assert problems_of(tmp_path, tasks__later=f"{TASK}") == ["tasks/later.yaml tasks-are-done-or-wanted"]
    assert problems_of(tmp_path / "again", tasks__later=f"{TASK}{DRAFT}", agents__later=f"{AGENT}{DRAFT}") == []


def test_nothing_is_published_as_a_draft() -> None:
    tried = trial(a_library(), {"lessons/new.yaml": f"{LESSON}{DRAFT}".encode()})
    assert [(problem.code, problem.pointer) for problem in tried.problems] == [("draft", ("status",))]
    assert isinstance(tried.problems[0], Problem)


@pytest.mark.parametrize("strict", [[], ["--strict"]])
def test_check_says_what_it_left_out_and_drafts_are_no_problem(tmp_path: Path, strict: list[str]) -> None:
    content = write_content(tmp_path, {"playbooks/later.yaml": DRAFT, "lessons/later.yaml": DRAFT})
    result = run("check", "--content", content, "--today", str(TODAY), *strict)
    assert result.exit_code == 0, result.output
    assert "2 drafts left out: lessons/later.yaml, playbooks/later.yaml" in result.output
