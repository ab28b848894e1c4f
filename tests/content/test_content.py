"""The real content: the judgment before a merge finds nothing, and what was gathered for it is not lost.

No rule of the content stands here: they are generators of `library/rules/checks`. What is measured has floors that no
honest contribution reaches.
"""

from __future__ import annotations

import json
import re
from datetime import UTC, datetime
from pathlib import Path

import pytest

from library.content.loading import load
from library.rules.statistics import gap_lines
from tests.cli.test_commands import run
from tools.evidence_coverage import differences

PROJECT = Path(__file__).resolve().parents[2]
CONTENT = PROJECT / "content"
GATHERED = PROJECT.parent / "shared/evidence"


def test_the_judgment_finds_nothing() -> None:
    result = run("check", "--for-merge", "--content", CONTENT)
    assert (result.stdout, result.exit_code) == ("", 0), result.output


@pytest.mark.slow
@pytest.mark.skipif(not GATHERED.exists(), reason="the gathered accounts are not beside this checkout: not compared")
@pytest.mark.parametrize("name", ["evidence.jsonl", "evidence-2.jsonl"])
def test_nearly_every_gathered_account_stands_in_exactly_one_playbook_as_it_was_gathered(name: str) -> None:
    rows = [json.loads(line) for line in (GATHERED / name).read_text(encoding="utf-8").splitlines() if line]
    found = list(differences(rows, CONTENT))
    assert len(found) <= len(rows) // 20, found


def test_the_gaps_are_counted() -> None:
    lines = list(gap_lines(load(CONTENT, datetime.now(UTC).date())))
    heads = [line for line in lines if not line.startswith("  ")]
    counts = [int(line.rpartition(": ")[2]) for line in heads]
    assert len(lines) == len(heads) + sum(counts)
    assert all(re.fullmatch(r"[a-z ]+: \d+", line) for line in heads)


def test_locks_of_trials_name_no_address_and_no_folder() -> None:
    """Whoever proves a trial installs from where they install everything else."""
    options = re.compile(r"^\s*-(?!-hash)|resolved\"|://")
    locks = [path for pattern in ("*.lock", "package-lock.json") for path in CONTENT.glob(f"trials/*/{pattern}")]
    lines = [
        f"{path}: {line}" for path in locks for line in path.read_text("utf-8").splitlines() if options.search(line)
    ]
    assert [line for line in lines if '"url": "' not in line] == []
    assert len(locks) > 5
