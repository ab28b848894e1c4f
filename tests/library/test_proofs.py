"""What is read of a trial's proof and of the scripts that travel with a skill, and what is said of them."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import orjson
import pytest

from library.content.formatting import format_files
from library.content.loading import LARGEST_SCRIPT, check
from library.records.collection import Library
from library.records.vocabulary import Trust
from library.rules.statistics import summary_lines
from library.rules.trust import is_proven, proof_of
from tests.builders import BOOK, TODAY, put, write_content
from tests.proofs import CHEATS, put_proof, put_trial

PROOF = f"trials/{BOOK}/proven.json"


@pytest.fixture
def content(tmp_path: Path) -> Path:
    content = write_content(tmp_path)
    put_trial(content)
    put_proof(content)
    return content


def said(content: Path) -> tuple[Library, str]:
    library, problems = check(content, TODAY)
    assert problems == []
    proof = proof_of(library, BOOK)
    assert proof is not None
    return library, proof.sentence


def test_a_proof_of_this_version_and_this_trial_is_current(content: Path) -> None:
    library, sentence = said(content)
    assert sentence == (
        f"Checks proven 20 Nov 2026: {CHEATS} of {CHEATS} planted shortcuts caught (python 3.11.7);"
        " 1 command not tried."
    )
    proof = proof_of(library, BOOK)
    assert is_proven(proof)
    assert proof is not None
    assert (proof.solution_count, proof.command_count, proof.current) == (2, 1, True)
    assert [(item.command, item.why) for item in proof.excuses] == [("gh", "needs an account")]


def test_a_proof_of_an_earlier_version_is_said_to_be_one(content: Path) -> None:
    put_proof(content, playbook_version="0" * 12)
    library, sentence = said(content)
    assert "for an earlier version of this playbook, and not since" in sentence
    assert not is_proven(proof_of(library, BOOK))


@pytest.mark.parametrize("name", [f"trials/{BOOK}/world/test.py", f"skills/{BOOK}/scripts/check-1.py"])
def test_a_proof_is_old_when_the_trial_or_a_script_is_another(content: Path, name: str) -> None:
    put(content, name, "print('another')\n")
    library, sentence = said(content)
    assert "for its trial as it was then, and not since" in sentence
    assert not is_proven(proof_of(library, BOOK))


def test_a_shortcut_that_went_through_is_no_proof(content: Path) -> None:
    states = orjson.loads((content / PROOF).read_bytes())["states"]
    states["01-shortcut"] = {"kind": "cheat", "checks": {"1": "passes"}, "grader": "failed"}
    put_proof(content, states=states, caught=CHEATS - 1)
    library, sentence = said(content)
    assert sentence.startswith("Checks tried 20 Nov 2026, and not proven: 4 of 5 ")
    assert not is_proven(proof_of(library, BOOK))


def test_nothing_is_said_where_nothing_was_proven(tmp_path: Path) -> None:
    library, _ = check(write_content(tmp_path), TODAY)
    assert proof_of(library, BOOK) is None
    assert not is_proven(None)


def test_proof_without_runs_lifts_nothing(content: Path) -> None:
    library, _ = said(content)
    assert f"trust       1 {Trust.REPORTED}, 0 {Trust.CORROBORATED}, 0 {Trust.TESTED}, 0 {Trust.CONFIRMED}" in list(
        summary_lines(library)
    )


@pytest.mark.parametrize(
    ("changes", "field"),
    [
        ({"cheats": CHEATS + 1}, ""),
        ({"caught": CHEATS - 1}, ""),
        ({"cheats": str(CHEATS)}, "cheats"),
        ({"date": "2026-02-30"}, "date"),
        ({"playbook": "another"}, "playbook"),
        ({"playbook_version": "newest"}, "playbook_version"),
        ({"checks": {}}, "checks"),
        ({"checks": {"0": "true"}}, "checks.0.[key]"),
        ({"sandbox": "a\nb"}, "sandbox"),
        ({"states": {"world": {"kind": "other", "checks": {}, "grader": "failed"}}}, "states.world.kind"),
        ({"more": 1}, "more"),
    ],
)
def test_a_broken_proof_is_a_problem_with_its_place_and_mend(
    content: Path, changes: dict[str, Any], field: str
) -> None:
    put_proof(content, **changes)
    _, problems = check(content, TODAY)
    assert [(problem.file, problem.field) for problem in problems] == [(PROOF, field)]
    assert problems[0].message.endswith("`playbooks trial prove` writes it")


def test_everything_that_is_wrong_with_a_proof_is_told_at_once(content: Path) -> None:
    put_proof(content, date="soon", sandbox=1)
    assert [problem.field for problem in check(content, TODAY)[1]] == ["date", "sandbox"]


def test_a_proof_that_is_cut_short_says_where(content: Path) -> None:
    put(content, PROOF, '{\n  "date": ')
    (problem,) = check(content, TODAY)[1]
    assert (problem.file, problem.line, problem.code) == (PROOF, 2, "not-json")


@pytest.mark.parametrize("name", ["check 1.py", ".py", "check-1", "inner/check-1.py", "-x.py", "a.b.c.d.py"])
def test_a_script_has_a_plain_name(content: Path, name: str) -> None:
    put(content, f"skills/{BOOK}/scripts/{name}", "true\n")
    problems = check(content, TODAY)[1]
    assert all(problem.code == "not-content" for problem in problems)
    assert bool(problems) is not name.startswith(".")  # hidden files are nobody's


def test_a_script_is_short_and_text(content: Path) -> None:
    put(content, f"skills/{BOOK}/scripts/long.py", "#" * (LARGEST_SCRIPT + 1))
    put(content, f"skills/{BOOK}/scripts/raw.py", b"\xff\xfe")
    (content / f"skills/{BOOK}/scripts/link.py").symlink_to("/etc/passwd")
    found = {problem.file.rpartition("/")[2]: problem.code for problem in check(content, TODAY)[1]}
    assert found["long.py"] == "too-large"
    assert found["link.py"] == "symlink"
    assert "raw.py" in found


def test_formatting_leaves_scripts_and_proofs_alone(content: Path) -> None:
    changed, problems = format_files([], content, write=True)
    assert not [path for path in changed if path.suffix != ".yaml"]
    assert problems == []
