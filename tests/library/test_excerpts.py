"""On a terminal a problem shows its line with a caret, and never what must not be repeated."""

from __future__ import annotations

import os
import pty
import subprocess
import sys
from pathlib import Path

import pytest

from library.content import loading
from library.reports import with_excerpts
from tests.builders import BOOK, PLAYBOOK, TODAY, put, write_content

FILE = f"playbooks/{BOOK}.yaml"
TOKEN = "sk-ant-" + "aB3dE5gH7jK9mN1pQ3sT"  # looks like a key, and is one of nobody's


def shown(folder: Path, old: str, new: str) -> list[str]:
    """What a terminal shows of the playbook with `old` replaced, below the name of its file."""
    content = write_content(folder, {FILE: PLAYBOOK.replace(old, new)})
    problems = loading.check(content, TODAY)[1]
    assert problems
    lines = with_excerpts(content, problems)
    return [line.replace(f"{content}/{FILE}", "file") for line in lines]


def test_the_line_stands_below_with_a_caret_under_the_place(tmp_path: Path) -> None:
    assert shown(tmp_path, "risk: low", "risk: lwo") == [
        "file:10:1: error: risk: must be one of 'low', 'medium' or 'high'; did you mean 'low'? [not-allowed]",
        "    10 | risk: lwo",
        "       | ^",
    ]
    assert shown(tmp_path, "time: 1-4 hours", "time: 30")[1:] == ["     8 | time: 30", "       |       ^"]


def test_a_long_line_is_cut_about_the_place_and_wide_letters_are_counted(tmp_path: Path) -> None:
    _, line, caret = shown(tmp_path, "cost: Mostly", f"cost: {'x' * 300}: {'y' * 300}")
    assert line.startswith("     9 | …xxx")
    assert line.endswith("yyy…")
    assert line[caret.index("^")] == ":"
    _, _, caret = shown(tmp_path, "cost: Mostly", "cost: 文字: Mostly")
    assert caret == "       | " + " " * len("cost: 1122") + "^"


@pytest.mark.parametrize("length", [100, 101])
def test_a_line_of_a_hundred_columns_is_shown_whole_and_a_longer_one_in_part(length: int, tmp_path: Path) -> None:
    text = "x" * (length - len("risk: "))
    _, line, caret = shown(tmp_path, "risk: low", f"risk: {text}")
    whole = f"risk: {text}"
    assert line == f"    10 | {whole if length == 100 else whole[:100] + '…'}"
    assert caret.endswith("| ^")


def test_sixty_columns_of_a_long_line_stand_before_the_place(tmp_path: Path) -> None:
    _, line, caret = shown(tmp_path, "cost: Mostly", f"cost: {'x' * 300}: {'y' * 300}")
    shown_part = line.partition("| ")[2]
    assert len(shown_part) == 102
    assert shown_part == "…" + "x" * 60 + ": " + "y" * 38 + "…"
    assert caret == "       | " + " " * 61 + "^"


def test_what_a_terminal_would_obey_is_escaped(tmp_path: Path) -> None:
    lines = shown(tmp_path, "cost: Mostly", "cost: a\u202eb\u200b")
    assert "\\u202e" in lines[1]
    assert all(line.isprintable() for line in lines)


@pytest.mark.parametrize(
    "wrong",
    [
        f"risk: low\nnote: {TOKEN}",
        f"risk: {TOKEN}",
        f'risk: low\ntags: [{TOKEN}]\ncosts: "a',
        "risk: lwo # grace" + "@" + "mail.museum",
        "risk: lwo\nnote: call +49 30\n  901820",
    ],
)
def test_no_line_is_shown_of_a_file_that_holds_anything_private(wrong: str, tmp_path: Path) -> None:
    lines = shown(tmp_path, "risk: low", wrong)
    assert not [line for line in lines if " | " in line]
    assert TOKEN not in "\n".join(lines)


def test_what_is_no_plain_file_is_not_opened(tmp_path: Path) -> None:
    content = write_content(tmp_path)
    os.mkfifo(content / "tasks/pipe.yaml")
    (content / "tasks/link.yaml").symlink_to("/etc/hostname")
    problems = loading.check(content, TODAY)[1]
    assert len(list(with_excerpts(content, problems))) == len(problems) == 2


@pytest.mark.slow
def test_a_terminal_gets_excerpts_and_a_pipe_gets_lines(tmp_path: Path) -> None:
    content = write_content(tmp_path, {FILE: PLAYBOOK.replace("risk: low", "risk: lwo")})
    command = [sys.executable, "-m", "cli", "check", "--content", str(content), "--today", str(TODAY)]
    piped = subprocess.run(command, capture_output=True, text=True, check=False)
    assert piped.stdout.count("\n") == 1
    ours, theirs = pty.openpty()
    with subprocess.Popen(command, stdout=theirs, stderr=subprocess.DEVNULL):
        pass
    os.close(theirs)
    told = os.read(ours, 10_000).decode()
    os.close(ours)
    assert told.splitlines()[1:] == ["    10 | risk: lwo", "       | ^"]
    assert "\x1b[" not in told
    put(content, FILE, PLAYBOOK)
