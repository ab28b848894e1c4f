"""`.ci/run` over stand-ins of its steps: all are run, each is timed, and one that fails fails the whole."""

from __future__ import annotations

import re
import shutil
import subprocess
from pathlib import Path

import pytest

from tests.waiting import PATIENCE

PROJECT = Path(__file__).resolve().parents[1]
STEPS = ("make test", ".venv/bin/playbooks trial", "make wheel", "make lint", "make audit", "make --jobs 2")


def run(folder: Path, broken: str = "") -> tuple[int, str]:
    """How it ends and all that it says, in a folder whose `make` only names its target, and fails for one of them."""
    (folder / ".ci").mkdir()
    shutil.copy(PROJECT / ".ci/run", folder / ".ci/run")
    (folder / "Makefile").write_text(
        f"test wheel lint audit bench:\n\t@echo this is $@\n\t@test $@ != {broken or 'none'}\n", encoding="utf-8"
    )
    proof = folder / ".venv/bin/playbooks"
    proof.parent.mkdir(parents=True)
    proof.write_text("#!/bin/sh\necho this is a proof\n", encoding="utf-8")
    proof.chmod(0o755)
    done = subprocess.run(
        [folder / ".ci/run"], stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True, timeout=PATIENCE, check=False
    )
    return done.returncode, done.stdout


@pytest.mark.slow
def test_every_step_runs_and_is_timed(tmp_path: Path) -> None:
    result, said = run(tmp_path)
    assert result == 0, said
    assert [step for step in STEPS if not re.search(rf"^ +\d+ s  {re.escape(step)}", said, re.MULTILINE)] == []
    assert [
        name for name in ("test", "a proof", "wheel", "lint", "audit", "bench") if f"this is {name}" not in said
    ] == []
    assert "FAILED" not in said


@pytest.mark.slow
@pytest.mark.parametrize("broken", ["test", "wheel", "lint", "audit", "bench"])
def test_a_step_that_fails_fails_all_and_is_named(tmp_path: Path, broken: str) -> None:
    result, said = run(tmp_path, broken)
    assert result != 0, said
    assert re.findall(r"make (?:.* )?(\w+)(?: BENCHMARKS.*)?: FAILED", said) == [broken]
    assert ("this is bench" in said) is (broken == "bench")
