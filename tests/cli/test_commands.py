"""The commands: exit codes 0, 1 and 2, every format, and help that shows an example that works."""

from __future__ import annotations

import json
import os
import re
import subprocess
import sys
from pathlib import Path

import pytest
from click.testing import CliRunner, Result

import cli
from build.commands import say
from tests.builders import BOOK, PLAYBOOK, put, write_content

PROJECT = Path(__file__).resolve().parents[2]


def run(*arguments: object) -> Result:
    result = CliRunner().invoke(cli.main, [str(argument) for argument in arguments])
    assert result.exception is None or isinstance(result.exception, SystemExit), result.exception
    return result


@pytest.fixture
def content(tmp_path: Path) -> Path:
    return write_content(tmp_path)


@pytest.fixture
def broken(content: Path) -> Path:
    put(content, "playbooks/bad.yaml", PLAYBOOK.replace("difficulty: intermediate", "dificulty: easy"))
    put(content, "tasks/bad.yaml", "name: [x\n")
    return content


def test_check_says_in_one_line_what_it_looked_at(content: Path) -> None:
    result = run("check", "--content", content)
    assert (result.exit_code, result.stdout) == (0, "")
    assert result.stderr == f"checked 1 playbook, 0 lessons, 1 task, 1 agent in {content}/: no problem\n"
    put(content, "tasks/bad.yaml", "name: [x\n")
    for form in ("text", "json", "github", "sarif"):
        told = run("check", "--content", content, "--format", form)
        assert told.stderr.endswith(f" 2 tasks, 1 agent in {content}/: 1 error, 0 warnings in 1 file\n")


def test_check_prints_every_problem(broken: Path) -> None:
    result = run("check", "--content", broken)
    assert result.exit_code == 1
    mend = "dificulty: is not a known key; did you mean 'difficulty'? [unknown-key]"
    assert f"{broken}/playbooks/bad.yaml:7:1: error: {mend}" in result.output
    assert f"{broken}/tasks/bad.yaml:1:7: error:" in result.output
    assert result.output.rstrip().endswith("in 2 files")


def test_check_fix_says_what_it_mended_and_what_is_left(broken: Path) -> None:
    result = run("check", "--fix", "--content", broken, "--format", "json")
    mended = f"mended {broken}/playbooks/bad.yaml:7:1: error: dificulty: is not a known key; did you mean 'difficulty'?"
    assert (result.exit_code, result.stderr.splitlines()[0]) == (1, f"{mended} [unknown-key]")
    left = [(problem["file"], problem["code"]) for problem in json.loads(result.stdout)]
    assert left == [(f"{broken}/playbooks/bad.yaml", "not-allowed"), (f"{broken}/tasks/bad.yaml", "syntax")]
    assert "difficulty: easy\n" in (broken / "playbooks/bad.yaml").read_text()
    again = run("check", "--fix", "--content", broken)
    assert "mended" not in again.output


def test_check_for_machines(broken: Path) -> None:
    problems = json.loads(run("check", "--content", broken, "--format", "json").stdout)
    assert {"file", "line", "column", "severity", "code", "field", "message"} == set(problems[0])
    sarif = json.loads(run("check", "--content", broken, "--format", "sarif").stdout)
    assert sarif["version"] == "2.1.0"
    assert len(sarif["runs"][0]["results"]) == len(problems)
    github = run("check", "--content", broken, "--format", "github").stdout.splitlines()
    assert len(github) == len(problems)
    assert all(re.match(r"::error file=\S+,line=\d+,col=\d+,title=[a-z-]+::", line) for line in github)


def test_warnings_fail_only_when_strict(content: Path) -> None:
    path = content / f"playbooks/{BOOK}.yaml"
    path.write_text(path.read_text().replace("time: 1-4 hours", "time: 30"))
    assert run("check", "--content", content).exit_code == 0
    assert "warning" in run("check", "--content", content).output
    assert run("check", "--content", content, "--strict").exit_code == 1
    assert run("fmt", "--content", content).exit_code == 0
    assert 'time: "30"' in path.read_text()
    assert run("check", "--content", content, "--strict").exit_code == 0


@pytest.mark.slow
def test_a_build_counts_what_it_saw_and_says_so(content: Path, tmp_path: Path) -> None:
    path, out = content / f"playbooks/{BOOK}.yaml", tmp_path / "site"
    path.write_text(path.read_text().replace("time: 1-4 hours", "time: 30"))
    said = run("build", "--content", content, "--out", out, "--jobs", 1).output
    assert f"{out}: 1 playbook, " in said
    assert "\n1 warning; `playbooks check` prints them\n" in said
    path.write_text(path.read_text().replace("title: Fix", "title: Mend"))
    said = run("build", "--content", content, "--out", out, "--jobs", 1).output
    assert "\n1 warning; `playbooks check` prints them\n" in said


def test_fmt_changes_once_and_says_what(content: Path) -> None:
    path = content / f"playbooks/{BOOK}.yaml"
    path.write_bytes(path.read_bytes().replace(b"\n", b"\r\n"))
    assert run("fmt", "--content", content, "--check").exit_code == 1
    assert b"\r" in path.read_bytes()
    assert str(path) in run("fmt", "--content", content).output
    assert b"\r" not in path.read_bytes()
    again = run("fmt", "--content", content, "--check")
    assert (again.exit_code, again.output) == (0, "")


def test_fmt_leaves_what_it_cannot_read(broken: Path) -> None:
    before = (broken / "tasks/bad.yaml").read_bytes()
    result = run("fmt", "--content", broken)
    assert result.exit_code == 1
    assert "tasks/bad.yaml:1:7" in result.output
    assert (broken / "tasks/bad.yaml").read_bytes() == before


def test_fmt_formats_only_content(content: Path, tmp_path: Path) -> None:
    foreign = tmp_path / "other.yaml"
    foreign.write_text("a: false\n")
    assert run("fmt", "--content", content, foreign).exit_code == 2
    assert foreign.read_text() == "a: false\n"
    assert run("fmt", "--content", tmp_path / "nope").exit_code == 2
    os.mkfifo(content / "lessons.yaml")
    assert run("fmt", "--content", content, content / "playbooks").exit_code == 0
    (tmp_path / "link").symlink_to(content)
    assert run("fmt", "--content", tmp_path / "link", tmp_path / "link/playbooks").exit_code == 0


NO_ADDRESSES = ["foo", "javascript:alert(1)", "http://a b/", "https://x/?q", "https://x/#f", "https://u:p@x/", ""]


@pytest.mark.parametrize("address", NO_ADDRESSES)
def test_an_address_that_is_none_is_refused(content: Path, tmp_path: Path, address: str) -> None:
    result = run("build", "--content", content, "--out", tmp_path / "site", "--site-url", address)
    assert result.exit_code == 2
    assert not (tmp_path / "site").exists()


def test_places_that_cannot_be_written_are_one_sentence(content: Path, tmp_path: Path) -> None:
    (tmp_path / "file").write_text("x")
    for out in (tmp_path / "file/site", Path("/dev/null/x"), content / "site", content):
        result = run("build", "--content", content, "--out", out)
        assert result.exit_code == 2, out
        assert "Traceback" not in result.output
    assert run("check", "--content", content).stdout == ""


@pytest.mark.slow
def test_build_says_what_it_did(content: Path, tmp_path: Path) -> None:
    result = run("build", "--content", content, "--out", tmp_path / "site", "--profile")
    assert result.exit_code == 0
    assert "1 playbook, " in result.output
    assert "read " in result.output
    assert (tmp_path / "site/index.html").is_file()


def test_build_stops_at_problems(broken: Path, tmp_path: Path) -> None:
    result = run("build", "--content", broken, "--out", tmp_path / "site")
    assert result.exit_code == 1
    assert f"{broken}/playbooks/bad.yaml:7:1" in result.output
    assert not (tmp_path / "site").exists()


def test_stats_counts(content: Path, broken: Path) -> None:
    assert run("stats", "--content", broken).exit_code == 1
    (broken / "playbooks/bad.yaml").unlink()
    (broken / "tasks/bad.yaml").unlink()
    result = run("stats", "--content", content)
    assert result.exit_code == 0
    assert re.search(r"playbooks\s+1$", result.output, re.MULTILINE)


@pytest.mark.parametrize(
    "arguments",
    [
        ["check", "--content", "/nowhere"],
        ["check", "--format", "xml"],
        ["build", "--today", "yesterday"],
        ["build", "--today", "2026-02-30"],
        ["build", "--today", "2026-1-1"],
        ["serve", "--host", ""],
        ["serve", "--host", "999.1.1.1"],
        ["build", "--jobs", "0"],
        ["serve", "--port", "99999"],
        ["fmt", "/nowhere.yaml"],
        ["nothing"],
        ["check", "--nothing"],
    ],
)
def test_wrong_use_is_2_and_one_sentence(arguments: list[str]) -> None:
    result = run(*arguments)
    assert result.exit_code == 2
    assert "Traceback" not in result.output
    assert "Error" in result.output


@pytest.mark.parametrize("name", cli.COMMANDS)
def test_every_command_is_explained(name: str) -> None:
    text = run(name, "--help").output
    assert f"Example: playbooks {name}" in text


@pytest.mark.parametrize("error", [MemoryError, ImportError, SystemError])
def test_too_little_memory_is_a_sentence(monkeypatch: pytest.MonkeyPatch, error: type[Exception]) -> None:
    def loaded(_: object) -> None:
        raise error("error return without exception set")

    monkeypatch.setattr(cli.LateCommand, "loaded", loaded)
    result = CliRunner().invoke(cli.main, ["stats"])
    assert (result.exit_code, result.output.strip()) == (
        1,
        "Error: there is not enough memory for this; what was there before stays",
    )


def test_a_package_that_an_update_wants_is_named_with_the_mend(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    put(tmp_path, "wants_more.py", "import package_of_an_update\n")
    monkeypatch.syspath_prepend(tmp_path)
    monkeypatch.setitem(cli.COMMANDS, "wants-more", cli.LateCommand("wants-more", "wants_more"))
    result = run("wants-more")
    assert result.exit_code == 1
    assert "package package_of_an_update is not installed; run `make setup`" in result.output


@pytest.mark.parametrize("command", cli.COMMANDS.values(), ids=lambda command: command.name)
def test_the_list_of_commands_tells_of_each_what_its_own_help_begins_with(command: cli.LateCommand) -> None:
    assert command.get_short_help_str(1_000) == command.loaded().get_short_help_str(1_000)


LIGHT = """
import sys, cli
try:
    cli.main(sys.argv[1:], prog_name="playbooks")
finally:
    rooms = ("build", "server", "writeapi", "mcpserver", "client", "pydantic")
    assert not [name for name in sys.modules if name.split(".")[0] in rooms], sorted(sys.modules)
"""


@pytest.mark.parametrize("arguments", [["--help"], ["--version"], ["chek"], []])
def test_what_needs_no_command_loads_none(arguments: list[str]) -> None:
    command = [sys.executable, "-c", LIGHT, *arguments]
    done = subprocess.run(command, cwd=PROJECT, capture_output=True, text=True, check=False, timeout=120)
    assert "AssertionError" not in done.stderr
    assert done.returncode == (2 if arguments in (["chek"], []) else 0), done.stderr


@pytest.mark.parametrize(
    ("typed", "meant"),
    [
        (["chek"], "check"),
        (["bulid"], "build"),
        (["contributors", "lst"], "list"),
        (["new", "leson"], "lesson"),
        (["deploy", "ngnix"], "nginx"),
        (["check", "--fromat", "json"], "--format"),
        (["new", "lesson", "--problm", "X"], "--problem"),
    ],
)
def test_a_misspelt_command_or_option_is_told_the_nearest(typed: list[str], meant: str) -> None:
    result = run(*typed)
    assert result.exit_code == 2
    assert f"Did you mean '{meant}'?" in result.output


@pytest.mark.parametrize(
    ("words", "position", "completed"),
    [
        (["playbooks", "ch"], 1, ["check"]),
        (["playbooks", "contributors", "re"], 2, ["reset", "revoke"]),
        (["playbooks", "check", "--fo"], 2, ["--format", "--for-merge"]),
        (["playbooks", "check", "--format", "s"], 3, ["sarif"]),
        (["playbooks", "new", "le"], 2, ["lesson"]),
    ],
)
def test_shells_complete_commands_options_and_words(words: list[str], position: int, completed: list[str]) -> None:
    told = {"_PLAYBOOKS_COMPLETE": "bash_complete", "COMP_WORDS": " ".join(words), "COMP_CWORD": str(position)}
    result = CliRunner().invoke(cli.main, env=told, prog_name="playbooks")
    assert [line.partition(",")[2] for line in result.output.splitlines()] == completed


def test_of_all_stages_it_is_said_that_a_build_waits_for_another(capsys: pytest.CaptureFixture[str]) -> None:
    for stage in ("waiting for another build", "read"):
        say(stage)
    assert capsys.readouterr().err == "waiting for another build …\n"
