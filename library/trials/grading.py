"""The hidden grader: it runs where no code of the case runs, and its exit code is the outcome.

Whatever the case brings along runs in a sandbox of its own that the grader asks for (`"$CHILD" COMMAND`), so that it
can neither read the grader nor end it, nor write what counts.
"""

import secrets
from pathlib import Path

from ..records.vocabulary import Outcome
from .sandbox import Finished, Mount, Sandbox, TrialError

WORKED, FAILED = 0, 10
"""The grader's exit codes; any other is an error of the grader: a traceback's 1 is no verdict."""
_CHILD = """#!/bin/sh
# Runs one shell command in a sandbox of its own, where the case lies and no grader.
ask=$(mktemp "$(dirname "$0")/XXXXXXXXXX") || exit 125
printf '%s' "$1" > "$ask" && mv "$ask" "$ask.ask"
while [ ! -e "$ask.code" ]; do sleep 0.02; done
cat "$ask.out"
exit "$(cat "$ask.code")"
"""


_PLAIN = r"""find . ! -type f ! -type d ! -type l -delete
find . -type l \( -xtype p -o -xtype s -o -xtype c -o -xtype b -o -lname '*/proc/*' \) -delete
find . -type d -name __pycache__ -prune -exec rm -rf {} +"""
"""Leaves files, folders and links to such: at a pipe or a device a grader that reads would wait, or never end.

What Python compiled goes too: it can stand for another text than the module's, of the same second and size, or planted.
"""


class Child:
    """Answers the grader's requests: each is run in a sandbox that sees the case alone."""

    def __init__(self, sandbox: Sandbox, case: Path, desk: Path, limit: float) -> None:
        self.sandbox, self.case, self.desk, self.limit = sandbox, case, desk, limit
        desk.mkdir()
        (desk / "child").write_text(_CHILD, encoding="utf-8")
        (desk / "child").chmod(0o755)

    def answer(self) -> None:
        """Run what is asked by now."""
        for ask in sorted(self.desk.glob("*.ask")):
            command = ask.read_text(encoding="utf-8", errors="replace")
            ask.unlink()
            finished = self.sandbox.run(self.case, command, self.limit)
            self.sandbox.run(self.case, _PLAIN, self.limit)
            ask.with_suffix(".out").write_text(finished.output, encoding="utf-8")
            fresh = ask.with_suffix(".part")
            fresh.write_text(str(124 if finished.stopped else finished.code % 256), encoding="utf-8")
            fresh.rename(ask.with_suffix(".code"))


def grade(sandbox: Sandbox, folder: Path, case: Path, limit: float) -> tuple[Outcome, Finished]:
    """The outcome of a case, which the grader may change. Raises `TrialError` where the grader itself fails."""
    hidden = secrets.token_hex(8)  # a link in the case cannot lead where nobody knows the name of
    desk = case.with_name(f"{case.name}.desk")
    child = Child(sandbox, case, desk, limit)
    mounts = (
        Mount("GRADER", folder / "grader", f"/grader-{hidden}"),
        Mount("CHILDREN", desk, f"/child-{hidden}", writable=True),
    )
    place = f"/child-{hidden}" if sandbox.bwrap else desk
    sandbox.run(case, _PLAIN, limit)
    finished = sandbox.run(
        case, 'bash "$GRADER/grade.sh"', limit * 4, mounts, {"CHILD": f"{place}/child"}, child.answer
    )
    if finished.stopped == "disk":
        return Outcome.FAILED, Finished(finished.code, f"it filled {sandbox.disk:,} bytes", "disk")
    if finished.stopped or finished.code not in (WORKED, FAILED):
        why = (finished.stopped and f"it ran out of {finished.stopped}") or f"exit code {finished.code}"
        raise TrialError(f"the grader failed ({why}; {WORKED} is worked, {FAILED} failed):\n{finished.tail}")
    return Outcome.WORKED if finished.code == WORKED else Outcome.FAILED, finished
