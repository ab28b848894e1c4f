"""`playbooks new`: it asks or takes options, writes the canonical form, and check names what is still to be written."""

from __future__ import annotations

import os
import pty
import subprocess
import sys
from pathlib import Path

import pytest
from click.testing import CliRunner, Result

import cli
from tests.builders import BOOK, TODAY, put, write_content

PROJECT = Path(__file__).resolve().parents[2]
DAY = ("--today", TODAY.isoformat())


def run(content: Path, *arguments: str) -> Result:
    result = CliRunner().invoke(cli.main, [*arguments, "--content", str(content)])
    assert result.exception is None or isinstance(result.exception, SystemExit), result.exception
    return result


@pytest.fixture
def content(tmp_path: Path) -> Path:
    return write_content(tmp_path)


@pytest.mark.parametrize(
    ("kind", "options", "file"),
    [
        ("playbook", ["--title", "Tune a piano"], "playbooks/tune-a-piano.yaml"),
        ("lesson", ["--title", "The runner hangs"], "lessons/the-runner-hangs.yaml"),
        ("agent", ["--name", "Agent of Mine"], "agents/agent-of-mine.yaml"),
        ("task", ["--name", "Tune a piano"], "tasks/tune-a-piano.yaml"),
    ],
)
def test_a_record_begins_as_a_draft_in_canonical_form_and_all_that_is_missing_is_named(
    content: Path, kind: str, options: list[str], file: str
) -> None:
    assert run(content, "fmt").exit_code == 0
    began = run(content, "new", kind, *options, *DAY)
    assert began.exit_code == 0, began.output
    assert began.output.startswith(f"wrote {content / file}\n")
    assert f"1 draft left out: {file}" in run(content, "check", "--strict", *DAY).output
    assert run(content, "fmt", "--check").exit_code == 0
    text = (content / file).read_text()
    (content / file).write_text(text.replace("status: draft\n", ""))
    checked = run(content, "check", *DAY)
    assert checked.exit_code == 1
    named = [line for line in checked.output.splitlines() if "is still to be written: " in line]
    assert len(named) == text.count("TODO") == began.output.count("is still to be written") >= 2
    assert all(line.startswith(str(content / file)) and line.endswith("[to-be-written]") for line in named)


def test_options_fill_everything_that_words_can(content: Path) -> None:
    given = ["--title", "Tune a piano", "--task", BOOK, "--agents", "claude-code", "--difficulty", "beginner"]
    given += ["--summary", "S.", "--essence", "E.", "--outcome", "O.", "--time", "1 hour", "--cost", "1-2"]
    given += ["--no-trial", "N."]
    given += ["--risk", "low", "--risk-note", "None.", "--prompt", "Do it. " * 50, "--tags", "music", "--tags", "wood"]
    assert run(content, "new", "playbook", *given, *DAY).exit_code == 0
    text = (content / "playbooks/tune-a-piano.yaml").read_text()
    assert text.count("TODO") == 7, "a step and an input are to be written in the file"
    assert "tags:\n  - music\n  - wood\n" in text
    assert "updated: 2026-11-20\n" in text
    assert text.endswith("status: draft\nno_trial: N.\n")
    for invented in ("tested", "checked", "evidence", "contributors"):
        assert f"{invented}:" not in text


def test_a_lesson_of_options_alone_is_a_draft_until_it_says_who_told_of_it(content: Path) -> None:
    given = ["--title", "It hangs", "--problem", "It waits for a key.", "--fix", "Give it `--yes`."]
    began = run(content, "new", "lesson", *given, "--playbooks", BOOK, *DAY)
    file = content / "lessons/it-hangs.yaml"
    assert began.output.count("is still to be written") == file.read_text().count("TODO") == 2
    assert all("sources[0]" in line for line in began.output.splitlines() if "is still to be written" in line)
    assert "1 draft left out" in run(content, "check", *DAY).output
    text = file.read_text().replace("status: draft\n", "")
    file.write_text(f"{text.partition('sources:')[0]}contributors:\n  - handle: ada-l\n")
    told = run(content, "check", "--for-merge", *DAY).output
    assert "it-hangs.yaml" not in told
    assert "playbooks[0]" in run(content, "new", "lesson", *given, "--slug", "another", *DAY).output


def test_a_finished_record_passes(content: Path) -> None:
    given = ["--name", "Agent of Mine", "--vendor", "Me", "--url", "https://a.example/", "--summary", "It does."]
    assert run(content, "new", "agent", *given, *DAY).output == f"wrote {content / 'agents/agent-of-mine.yaml'}\n"
    assert run(content, "check", *DAY).exit_code == 0


def test_high_risk_wants_a_checkpoint(content: Path) -> None:
    assert run(content, "new", "playbook", "--title", "Sell a house", "--risk", "high", *DAY).exit_code == 0
    assert 'human_checkpoints:\n  - "TODO: ' in (content / "playbooks/sell-a-house.yaml").read_text()


@pytest.mark.parametrize(
    ("arguments", "says"),
    [
        (["playbook"], "say at least --title"),
        (["playbook", "--title", "x\ny"], "--title: must be one line"),
        (["playbook", "--title", "Fix flaky tests"], "fix-flaky-tests.yaml is there already"),
        (["playbook", "--title", "修复"], "name one with --slug"),
        (["playbook", "--title", "X", "--slug", "../../x"], "--slug: must be 1-64 of a-z, 0-9"),
        (["playbook", "--title", "X", "--slug", "A B"], "--slug: must be 1-64 of a-z, 0-9"),
        (["playbook", "--title", "\udcff"], "--title: is not text in UTF-8"),
        (["playbook", "--title", "X", "--slug", "search"], "reserved"),
        (
            ["playbook", "--title", "X", "--task", "fix-flaky-test"],
            "the nearest is fix-flaky-tests; to make it: playbooks new task",
        ),
        (
            ["task", "--name", "X", "--category", "music"],
            "--category: there is no category 'music'; known are software",
        ),
        (["agent", "--name", "X", "--url", "ftp://x"], "--url:"),
        (["playbook", "--title", "X", "--difficulty", "easy"], "difficulty"),
        ([], "say what begins"),
        (["song"], "song"),
    ],
)
def test_what_does_not_fit_is_refused_and_nothing_is_written(content: Path, arguments: list[str], says: str) -> None:
    before = {path: path.read_bytes() for path in content.rglob("*.yaml")}
    command = ["new", *arguments] if not arguments or arguments == ["song"] else None
    result = CliRunner().invoke(cli.main, command) if command else run(content, "new", *arguments)
    assert result.exit_code == 2
    assert says in result.output
    assert "Traceback" not in result.output
    assert {path: path.read_bytes() for path in content.rglob("*.yaml")} == before


def test_all_that_does_not_fit_is_said_at_once(content: Path) -> None:
    said = run(content, "new", "playbook", "--title", "X", "--task", "nope", "--agents", "nobody").output
    assert "--task: " in said
    assert "--agents: " in said


def test_a_folder_that_cannot_be_written_is_one_sentence(content: Path) -> None:
    (content / "lessons").write_text("in the way")
    result = run(content, "new", "lesson", "--title", "It hangs")
    assert result.exit_code == 1
    assert "Traceback" not in result.output


def test_a_report_may_say_todo(content: Path) -> None:
    folder = content / "runs" / BOOK
    folder.mkdir(parents=True)
    (folder / "run_1.yaml").write_text(
        f"playbook: {BOOK}\nplaybook_version: 0a1b2c3d4e5f\nagent: claude-code\noutcome: failed\n"
        "what_changed: 'TODO: left as it was'\nreported: 2026-11-10T12:00:00Z\n"
    )
    assert "to-be-written" not in run(content, "check", *DAY).output


def typed(content: Path, *lines: str) -> str:
    """What `playbooks new` says on a dumb terminal where these lines are typed."""
    ours, theirs = pty.openpty()
    source = "import sys; sys.path.insert(0, sys.argv[1]); import cli; cli.main(sys.argv[2:])"
    command = [sys.executable, "-c", source, str(PROJECT), "new"]
    process = subprocess.Popen(
        command,
        stdin=theirs,
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        cwd=content.parent,
        text=True,
        env={**os.environ, "TERM": "dumb"},
    )
    os.close(theirs)
    os.write(ours, "\n".join([*lines, ""]).encode())
    said = process.communicate(timeout=120)[0]
    os.close(ours)
    assert process.returncode == 0, said
    return said


@pytest.mark.slow
def test_on_a_terminal_it_asks_and_asks_again_until_the_answer_fits(content: Path) -> None:
    said = typed(content, "task", "Tune a piano", "music", "software", "Tune it.")
    assert "Error: there is no category 'music'" in said
    assert "[software]" in said
    text = (content / "tasks/tune-a-piano.yaml").read_text()
    assert text.splitlines()[1:] == ["name: Tune a piano", "category: software", "summary: Tune it."]


def test_names_may_have_commas_between_them_and_texts_keep_theirs(content: Path) -> None:
    put(content, "agents/cursor.yaml", (content / "agents/claude-code.yaml").read_text())
    given = ["--title", "Tune a piano", "--agents", "claude-code, cursor", "--tags", "music,wood", "--tags", "strings"]
    result = run(content, "new", "playbook", *given, "--human-checkpoints", "Before it, ask.", *DAY)
    assert result.exit_code == 0, result.output
    text = (content / "playbooks/tune-a-piano.yaml").read_text()
    assert "agents:\n  - claude-code\n  - cursor\n" in text
    assert "tags:\n  - music\n  - wood\n  - strings\n" in text
    assert "  - Before it, ask.\n" in text


def test_editors_complete_the_new_record_at_once(content: Path) -> None:
    (content.parent / "schemas").mkdir()
    assert run(content, "new", "task", "--name", "Tune a piano", *DAY).exit_code == 0
    assert b'"tune-a-piano"' in (content.parent / "schemas/playbook.json").read_bytes()
