"""Which tests reach which lines: one run of them on a copy of the checkout, measured by coverage under their names."""

from __future__ import annotations

import json
import os
import shutil
import subprocess
import sys
from collections import defaultdict
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from coverage import CoverageData

from tools.contexts import TOLD
from tools.mutations import Mutant

PROJECT = Path(__file__).resolve().parents[1]
TESTED = 10.0
"""How many seconds the tests of one fault may have taken without it."""


@dataclass
class Reach:
    """Which tests reach which lines, and how long each takes."""

    seconds: dict[str, float]
    lines: dict[str, dict[int, set[str]]] = field(default_factory=lambda: defaultdict(lambda: defaultdict(set)))

    def tests(self, one: Mutant) -> list[str]:
        """The tests that reach a fault, the quickest first, up to TESTED seconds.

        What runs at import is reached by whichever test came first: those of the same file come first, then all others.
        """
        lines = self.lines[one.file]
        first, last = one.reach
        found = {test for line in range(first, last + 1) for test in lines.get(line, ())}
        if one.imported:
            near = {test for reached in lines.values() for test in reached}
            order = sorted(self.seconds, key=lambda test: (test not in near, self.seconds[test], test))
        else:
            order = sorted(found, key=lambda test: (self.seconds[test], test))
        return self.quickest(TESTED, order)

    def quickest(self, left: float, order: list[str] | None = None) -> list[str]:
        """The first of these tests, of all by how long they take, until so many seconds are full; at least one."""
        chosen: list[str] = []
        for test in sorted(self.seconds, key=lambda name: self.seconds[name]) if order is None else order:
            left -= self.seconds[test]
            if left < 0 and chosen:
                break
            chosen.append(test)
        return chosen


def copied(to: Path) -> Path:
    """A copy of what git knows of the checkout, or would add to it."""
    listed = subprocess.run(
        ["git", "ls-files", "-z", "--cached", "--others", "--exclude-standard"],
        cwd=PROJECT,
        check=True,
        capture_output=True,
        text=True,
    ).stdout
    for name in filter(None, listed.split("\0")):
        if (PROJECT / name).is_file():
            (to / name).parent.mkdir(parents=True, exist_ok=True)
            shutil.copy2(PROJECT / name, to / name)
    return to


def measured(tree: Path, kept: Path, tests: list[str]) -> None:
    """Run the tests on an unchanged copy; leave in `kept` what coverage and the plugin say."""
    kept.mkdir(parents=True, exist_ok=True)
    environment = {
        **os.environ,
        "COVERAGE_PROCESS_START": str(tree / "pyproject.toml"),
        "COVERAGE_FILE": str(kept / "coverage"),
        TOLD: str(kept / "tests.json"),
    }
    command = [
        sys.executable,
        "-m",
        "pytest",
        "-q",
        "-p",
        "tools.contexts",
        "-p",
        "no:cacheprovider",
        "-n",
        "2",
        *tests,
    ]
    subprocess.run(command, cwd=tree, env=environment, check=False)
    (kept / "root").write_text(str(tree))
    subprocess.run(
        [sys.executable, "-m", "coverage", "combine", "-q", f"--data-file={kept / 'coverage'}", str(kept)],
        cwd=tree,
        check=True,
    )


def reach(kept: Path) -> Reach:
    """What was measured: the tests that passed, by the lines of code that they reach."""
    told: dict[str, dict[str, Any]] = json.loads((kept / "tests.json").read_text())
    told = {name: test for name, test in told.items() if test["passed"]}
    sharing: dict[str, list[str]] = defaultdict(list)
    for name, test in told.items():
        for fixture in test["fixtures"]:
            sharing[f"fixture {fixture}"].append(name)
    found = Reach({name: test["seconds"] for name, test in told.items()})
    data = CoverageData(str(kept / "coverage"))
    data.read()
    root = Path((kept / "root").read_text())
    for path in data.measured_files():
        lines = found.lines[Path(path).relative_to(root).as_posix()] if Path(path).is_relative_to(root) else {}
        for line, contexts in data.contexts_by_lineno(path).items():
            for context in contexts:
                name = context.removesuffix(" (setup)").removesuffix(" (call)").removesuffix(" (teardown)")
                lines.setdefault(line, set()).update(sharing.get(name, ()), {name} & told.keys())
    return found
