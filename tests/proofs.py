"""A playbook with a script, a trial of it and the proof, as content on disk: small, and never run."""

from __future__ import annotations

from datetime import date
from pathlib import Path
from typing import Any

import orjson

from library.content.loading import read_playbook
from library.content.trialfiles import digest_of
from library.records.collection import version
from library.records.trials import CANARY
from tests.builders import BOOK, PLAYBOOK, TODAY, put

SCRIPT = '"""Step 1: it failed at least once."""\nprint("<b>&amp; none of this is markup</b>")\n'
CHECKED = "check: It failed at least once, as `gh` says; `scripts/check-1.py` counts."
TRIAL = """\
playbook: fix-flaky-tests
sentence: The test is flaky. Fix it.
done: The test passes, and fails over a wrong result.
tools:
  python: python3 --version
spans:
  gh:
    excused: needs an account
    until: 2027-05-01
checks:
  "1": python3 $SKILL/scripts/check-1.py
"""
CHEATS = 5


def put_trial(content: Path) -> None:
    """Write the playbook's script, and a trial with answers that nobody may see."""
    put(content, f"playbooks/{BOOK}.yaml", PLAYBOOK.replace("check: It failed at least once.", CHECKED))
    put(content, f"skills/{BOOK}/scripts/check-1.py", SCRIPT)
    place = f"trials/{BOOK}"
    put(content, f"{place}/trial.yaml", TRIAL)
    put(content, f"{place}/world/test.py", "def test() -> None: ...\n")
    answers = ["grader/grade.sh", "solution/solve.sh", "solution/also-other.sh"]
    for name in [*answers, *(f"cheats/0{number}-shortcut.sh" for number in range(1, CHEATS + 1))]:
        put(content, f"{place}/{name}", f"# {CANARY}\ntrue\n")


def put_proof(content: Path, **changes: Any) -> None:
    """Write the proof of the trial as it is now; `changes` are values that it has otherwise."""
    put(content, f"trials/{BOOK}/proven.json", orjson.dumps({**proof_in(content), **changes}))


def proof_in(content: Path, today: date = TODAY) -> dict[str, Any]:
    """What `prove` would keep of the trial."""
    failed = {"kind": "cheat", "checks": {"1": "fails"}, "grader": "failed"}
    solved = {"kind": "solution", "checks": {"1": "passes"}, "grader": "worked"}
    return {
        "date": today.isoformat(),
        "playbook": BOOK,
        "playbook_version": version(read_playbook(content, BOOK, today)),
        "trial_digest": digest_of(content, BOOK),
        "tools": {"python": "Python 3.11.7"},
        "sandbox": "bubblewrap 0.8.0",
        "cheats": CHEATS,
        "caught": CHEATS,
        "commands": 1,
        "checks": {"1": "python3 $SKILL/scripts/check-1.py"},
        "states": {
            "world": {**failed, "kind": "world"},
            "solve": solved,
            "also-other": solved,
            **{f"0{number}-shortcut": failed for number in range(1, CHEATS + 1)},
        },
        "excuses": {"gh": {"why": "needs an account", "until": "2027-05-01"}},
        "shims": {},
    }
