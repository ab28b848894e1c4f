"""The ten-minute walk for contributors: every command in it is run, in a clone, in its order."""

from __future__ import annotations

import os
import re
import signal
import subprocess
import sys
from pathlib import Path

import pytest

from library.records.models import Playbook
from tests.test_layers import PROJECT

WALK = PROJECT / "docs/contributing.md"
COMMAND = """#!/bin/bash
export PYTHONPATH="{project}" PYTHONSAFEPATH=1
exec "{python}" -W ignore -m cli "$@"
"""
SERVE = ".venv/bin/playbooks serve --watch"
SETUP = "make setup"


def commands() -> list[str]:
    """Every command of the page, in its order."""
    text = WALK.read_text(encoding="utf-8")
    blocks = re.findall(r"```console\n(.*?)```", text, re.DOTALL)
    return [line[2:] for block in blocks for line in block.splitlines()]


def _run(command: str, where: Path, environment: dict[str, str]) -> str:
    done = subprocess.run(
        ["bash", "-e", "-c", command],
        cwd=where,
        env=environment,
        capture_output=True,
        text=True,
        check=False,
        timeout=120,
    )
    assert done.returncode == 0, (command, done.stdout, done.stderr)
    return done.stdout


def _served(command: str, where: Path, environment: dict[str, str]) -> None:
    """Start the server on a free port, wait until it says where it serves, and stop it as Ctrl+C does."""
    options = ["--port", "0"]
    process = subprocess.Popen(
        [*command.split(), *options],
        cwd=where,
        env=environment,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
    )
    assert process.stdout
    assert any(line.startswith("serving http://127.0.0.1:") for line in process.stdout)
    process.send_signal(signal.SIGINT)
    assert "Traceback" not in process.communicate(timeout=60)[1]


@pytest.mark.slow
def test_the_walk_can_be_walked(tmp_path: Path) -> None:
    bare = tmp_path / "origin.git"
    subprocess.run(["git", "clone", "--quiet", "--bare", str(PROJECT), str(bare)], check=True, capture_output=True)
    who = {f"GIT_{role}_{part}": "ann@example.org" for role in ("AUTHOR", "COMMITTER") for part in ("NAME", "EMAIL")}
    environment = {**os.environ, **who, "REPOSITORY": f"file://{bare}"}
    first, *rest = commands()
    assert first.startswith("git clone ")
    assert first.endswith("&& cd playbooks")
    _run(first, tmp_path, environment)
    clone = tmp_path / "playbooks"
    assert SETUP in rest
    assert SERVE in rest
    for command in rest:
        if command == SETUP:  # it downloads: that it would run is asked, and what it makes is put there
            assert "requirements.lock" in _run(f"{SETUP} --dry-run", clone, environment)
            (clone / ".venv/bin").mkdir(parents=True)
            made = clone / ".venv/bin/playbooks"
            made.write_text(COMMAND.format(project=PROJECT, python=sys.executable))
            made.chmod(0o755)
        elif command == ".venv/bin/playbooks check --for-merge":
            path = clone / "content/lessons/the-runner-hangs-at-a-prompt.yaml"
            drafted = path.read_text()
            assert drafted.endswith("status: draft\n")
            path.write_text(drafted.removesuffix("status: draft\n"))
            refused = subprocess.run(command.split(), cwd=clone, capture_output=True, check=False)
            assert refused.returncode == 1
            assert b"is still to be written" in refused.stdout
            unsourced = re.sub(r"sources:\n(?:  .*\n)+", "", path.read_text())
            written = re.sub(r'"TODO: [^"]*"', "It waits for a key; give it `--yes`.", unsourced)
            path.write_text(written + "contributors:\n  - handle: ann\n")
            assert _run(command, clone, environment) == ""
        elif command == SERVE:
            _served(command, clone, environment)
        else:
            _run(command, clone, environment)
    pushed = _run("git log -1 --format=%s runner-hangs-at-a-prompt", bare, environment)
    assert pushed == "Add the lesson that a runner hangs at a prompt\n"


def test_its_table_names_every_field_of_a_playbook() -> None:
    text = WALK.read_text(encoding="utf-8")
    named = set(re.findall(r"^\| `([a-z_]+)` \|", text, re.MULTILINE))
    assert set(Playbook.model_fields) - named <= {"asked"}


def test_contributing_is_short_and_leads_to_it() -> None:
    text = (PROJECT / "CONTRIBUTING.md").read_text(encoding="utf-8")
    assert "(docs/contributing.md)" in text
    assert len(text.splitlines()) < 70
