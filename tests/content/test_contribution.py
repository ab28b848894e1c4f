"""A contribution of the day to the real content passes what CI runs on it; one of tomorrow is refused at its place.

What CI runs is `.ci/content`, and these tests run that very file in a clone.
"""

from __future__ import annotations

import os
import re
import subprocess
import sys
from collections.abc import Callable, Mapping
from datetime import UTC, date, datetime, timedelta
from pathlib import Path

import pytest
from ruamel.yaml import YAML

from library.content.formatting import canonical
from library.content.yamlfile import Value
from tests.builders import BOOK
from tests.lengths import many
from tests.writeapi.review.outgoing import git

pytestmark = pytest.mark.slow

PROJECT = Path(__file__).resolve().parents[2]
COMMAND = """#!/bin/bash
export PYTHONPATH="{folder}" PYTHONSAFEPATH=1
exec "{python}" -W ignore {module} "$@"
"""
SLUG = "sort-a-box-of-screws"
SUMMARY = "Sort a box of mixed screws by thread and length, so that each size can be found again."
LESSON_FILE = "lessons/the-tray-was-shaken.yaml"
BOOK_FILE = f"playbooks/{BOOK}.yaml"
PROMPT = """\
Plan with me how to sort this box of screws: {{box}}. I do the work with my hands; you keep the list and say what \
comes next.

Ask me first for the kinds of threads that I own a gauge for, and name no kind that I cannot measure. Then give me one \
handful at a time: I measure each screw, tell you thread and length, and you answer with the number of its tray. Never \
guess a size from a photograph, and never merge two trays to save room. When a screw fits no tray, stop and ask me \
whether it gets one of its own. Hand back a table of trays with thread, length and count, and the sum of all \
counts at its foot.
"""


def of_screws(parts: int = 5) -> dict[str, Value]:
    """A whole playbook that this library does not have, of a job that needs no account of anybody."""
    titles = [
        "Empty the box on a tray",
        "Gauge the threads",
        "Measure the lengths",
        "Fill the trays",
        "Count the trays",
    ][:parts]
    steps: list[Value] = [
        {"title": title, "detail": f"{title}, and say aloud what is seen in part {number} of the box.",
         "check": f"The list shows {number} entries for this part, and the box holds none of it."}
        for number, title in enumerate(titles, 1)
    ]  # fmt: skip
    failures: list[Value] = [
        {"problem": f"The {name} tray holds screws of two lengths.", "fix": f"Measure the {name} tray again."}
        for name in ("first", "second", "third")
    ]
    return {
        "title": "Sort a box of screws", "task": SLUG, "agents": ["any-agent"], "summary": SUMMARY,
        "no_trial": "A case would need a box of screws.",
        "essence": "Measure each screw, name its tray, count at the end; a tray that mixes two lengths is what bites.",
        "outcome": "Labelled trays, and a table that counts them.", "difficulty": "beginner",
        "time": "1-2 hours, by the size of the box", "cost": "A few hundred tokens a handful", "risk": "low",
        "risk_note": "A screw in the wrong tray is found when it does not fit.", "prompt": PROMPT, "steps": steps,
        "failures": failures,
        "inputs": [{"name": "box", "meaning": "The screws.", "example": "the blue box", "where": "On your bench."}],
    }  # fmt: skip


def an_edit(content: Path, day: date) -> dict[str, bytes]:
    """One word changed in a playbook, with the day of the change, and a lesson of that day."""
    text = (content / BOOK_FILE).read_text(encoding="utf-8")
    edited, dates = re.subn(r"^updated: .*$", f"updated: {day}", text, count=1, flags=re.MULTILINE)
    edited, words = re.subn(r"^(risk_note: .*?)\b(the|a)\b", r"\1one", edited, count=1, flags=re.MULTILINE | re.DOTALL)
    assert (dates, words) == (1, 1)
    return {BOOK_FILE: edited.encode(), LESSON_FILE: a_lesson(BOOK, day)}


def a_playbook_and_its_task(content: Path, day: date) -> dict[str, bytes]:
    """A new playbook with its task and a lesson of it, all of that day."""
    category = YAML(typ="safe").load((content / "categories.yaml").read_text())["categories"][0]["slug"]
    files: dict[str, dict[str, Value]] = {
        f"playbooks/{SLUG}.yaml": {**of_screws(), "updated": f"{day}", "contributors": [{"handle": "ada"}]},
        f"tasks/{SLUG}.yaml": {"name": "Sort a box of screws", "category": category, "summary": SUMMARY},
    }
    made = {file: canonical(values, file) for file, values in files.items()}
    return {**made, LESSON_FILE: a_lesson(SLUG, day)}


def both(content: Path, day: date) -> dict[str, bytes]:
    """All of it in one contribution."""
    return an_edit(content, day) | a_playbook_and_its_task(content, day)


def a_lesson(book: str, day: date) -> bytes:
    """A lesson of that day."""
    values: dict[str, Value] = {
        "title": "The tray was shaken before it was counted",
        "problem": "Two sizes lay in one tray, and the count was right all the same.",
        "fix": "Count each tray before it is moved, and once more after.",
        "playbooks": [book],
        "updated": f"{day}",
        "contributors": [{"handle": "ada"}],
    }
    return canonical(values, LESSON_FILE)


@pytest.fixture(scope="module")
def clone(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A clone of this checkout as it stands, with commands of its own."""
    clone = tmp_path_factory.mktemp("contribution") / "clone"
    tracked = subprocess.run(["git", "ls-files", "-z"], cwd=PROJECT, capture_output=True, check=True).stdout
    for name in filter(None, os.fsdecode(tracked).split("\0")):
        if (PROJECT / name).is_file():
            (clone / name).parent.mkdir(parents=True, exist_ok=True)
            (clone / name).write_bytes((PROJECT / name).read_bytes())
            (clone / name).chmod((PROJECT / name).stat().st_mode)
    for name, module in (("playbooks", "-m cli"), ("python", "")):
        made = clone / ".venv/bin" / name
        made.parent.mkdir(parents=True, exist_ok=True)
        made.write_text(COMMAND.format(folder=clone, python=sys.executable, module=module))
        made.chmod(0o755)
    git(clone, "init", "--quiet", "--initial-branch", "main")
    git(clone, "add", ".")
    git(clone, "commit", "--quiet", "-m", "As it is")
    return clone


def judged(clone: Path, files: Mapping[str, bytes], folder: Path) -> tuple[int, str, str]:
    """Commit these files and run what CI runs: its exit code, what it says, the text of the comment."""
    git(clone, "checkout", "--quiet", "--detach", "main")
    for name, body in files.items():
        (clone / "content" / name).write_bytes(body)
    git(clone, "add", "content")
    git(clone, "commit", "--quiet", "-m", "A contribution")
    command = [".ci/content", "main", str(folder / "comment"), str(folder / "site")]
    done = subprocess.run(command, cwd=clone, capture_output=True, text=True, check=False)
    return done.returncode, done.stdout + done.stderr, (folder / "comment/text").read_text()


@pytest.mark.parametrize("contribution", many([both], [an_edit, a_playbook_and_its_task]))
def test_a_contribution_of_today_is_green_and_can_be_looked_at(
    clone: Path, tmp_path: Path, contribution: Callable[[Path, date], Mapping[str, bytes]]
) -> None:
    code, said, text = judged(clone, contribution(clone / "content", datetime.now(UTC).date()), tmp_path)
    assert code == 0, said + text
    assert re.search(r"^[1-9]\d* pages added, 0 pages removed, ", text)
    assert "- /lessons/the-tray-was-shaken/" in text
    page = (tmp_path / "site/lessons/the-tray-was-shaken/index.html").read_text(encoding="utf-8")
    assert "The tray was shaken before it was counted" in page
    if contribution is not an_edit:
        assert f"- {SLUG}: not there → reported" in text
        assert (tmp_path / f"site/playbooks/{SLUG}/index.html").is_file()


def test_a_contribution_is_refused_at_its_places_with_all_mends_at_once(clone: Path, tmp_path: Path) -> None:
    """An edit and a lesson that are dated tomorrow, and a playbook that is too short and takes no input."""
    today = datetime.now(UTC).date()
    late = an_edit(clone / "content", today + timedelta(days=2))  # two: midnight may pass
    short = canonical({**of_screws(parts=3), "updated": f"{today}"}, f"playbooks/{SLUG}.yaml")
    files = a_playbook_and_its_task(clone / "content", today) | late
    files[f"playbooks/{SLUG}.yaml"] = short.replace(b"{{box}}", b"the one here")
    code, said, text = judged(clone, files, tmp_path)
    assert code == 1
    for file, body in late.items():
        lines = body.decode().splitlines()
        line = 1 + next(number for number, line in enumerate(lines) if line.startswith("updated:"))
        assert re.search(rf"^content/{file}:{line}:1: error: updated: .*\[dates-are-past\]$", text, re.MULTILINE)
        assert f"::error file=content/{file},line={line},col=1,title=dates-are-past::updated" in said
    for rule in ("steps-are-five-to-nine", "prompts-take-an-input"):
        assert f"[{rule}]" in text
        assert f"title={rule}::" in said
    assert not (tmp_path / "site").exists()
