"""What the workflow of trials asks of the machine, and what it makes of a week's proofs."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from tests.builders import BOOK, TODAY
from tests.trials.tiny import TRIAL, a_content
from tools.trials import packages, week


def test_only_names_of_packages_are_asked_of_debian(tmp_path: Path) -> None:
    needs = "needs:\n  debian:\n    - git\n    - --allow-unauthenticated\n    - 'x; reboot'\n"
    assert packages(a_content(tmp_path, {"trial.yaml": f"{TRIAL}{needs}"})) == ["git"]


@pytest.mark.parametrize(("verdict", "kept"), [("proven", True), ("error", True), ("not proven", False)])
def test_a_proof_goes_that_the_locks_do_not_bear_out(verdict: str, kept: bool, tmp_path: Path) -> None:
    content = a_content(tmp_path, {"proven.json": json.dumps({"date": str(TODAY)})})
    result = {"trial": BOOK, "verdict": verdict, "problems": ["every check passes on 01-near"]}
    well = {**result, "verdict": "proven"}
    said = week(content, [result], [well])
    assert (content / f"trials/{BOOK}/proven.json").exists() is kept
    assert (f"With the locked versions: {BOOK}: {verdict}" in said) is (verdict != "proven")
    assert week(content, [well], [{**result, "verdict": "not proven"}]).startswith(f"With the newest versions: {BOOK}")
    assert (content / f"trials/{BOOK}/proven.json").exists() is kept
