"""`playbooks trial new`: a trial's folder with a place for each thing to write."""

import json
from datetime import date, timedelta
from pathlib import Path

from ..content.formatting import format_bytes
from ..content.trialfiles import TRIALS, folder_of
from ..problems import LibraryError
from ..records.models import Playbook
from ..records.trials import CANARY
from ..rules.checks.trials import spans_of

_SCRIPTS = {
    "setup.sh": "# Makes the world: runs in a copy of world/, before anything else. A repository is made here.\n"
    "git init -q && git add -A && git commit -qm 'Before' && git tag base\n",
    "solution/solve.sh": "# Does the job as an expert would.\nexit 1 # write it\n",
    "solution/also-another.sh": "# Does the job in another good way.\nexit 1 # write it\n",
    "cheats/01-name-it.sh": "# What a hurried agent would do to turn it green.\nexit 1 # write it\n",
    "grader/grade.sh": '# Decides the outcome. What the case brings along is run by "$CHILD" COMMAND alone.\n'
    "# Exit code 0: worked; 10: failed; any other: the grader broke.\n"
    '"$CHILD" \'true\' || { echo "say here what is not as it should be"; exit 10; }\nexit 0 # write it\n',
}


def begin(content: Path, book: Playbook, today: date) -> Path:
    """Write the folder of a new trial; raises `LibraryError` where there is one."""
    folder = folder_of(content, book.slug)
    if folder.exists():
        raise LibraryError(f"{folder} is there already")
    for name, body in _SCRIPTS.items():
        path = folder / name
        path.parent.mkdir(parents=True, exist_ok=True)
        hidden = "" if name == "setup.sh" else f"# {CANARY}\n"
        path.write_text(f"#!/bin/bash\n{hidden}set -euo pipefail\n{body}", encoding="utf-8")
    (folder / "world").mkdir()
    (folder / "world" / "README.md").write_text("The files of the problem.\n", encoding="utf-8")
    name = f"{TRIALS}/{book.slug}/trial.yaml"
    shaped = format_bytes(_trial(book, today).encode(), name)
    if isinstance(shaped, list):
        raise LibraryError("\n".join(map(str, shaped)))
    (content / name).write_bytes(shaped)
    return folder


def _trial(book: Playbook, today: date) -> str:
    """A `trial.yaml` with every code span excused for a month: what is tried is said one by one."""
    until = today + timedelta(days=30)
    spans = "".join(
        f"  {json.dumps(span, ensure_ascii=False)}:\n"
        f"    excused: not written yet (steps {', '.join(map(str, steps))})\n    until: {until}\n"
        for span, steps in spans_of(book).items()
    )
    return (
        f"playbook: {book.slug}\n"
        "sentence: Say the job here as somebody without the playbook would.\n"
        "done: Say here what counts as done; both arms are told the same.\n"
        "needs:\n  debian:\n    - git\n"
        "tools:\n  git: git --version\n"
        f"{f'spans:{chr(10)}{spans}' if spans else ''}"
        "checks:\n"
        f'  "{len(book.steps)}": "python3 $SKILL/scripts/check-{len(book.steps)}.py"\n'
    )
