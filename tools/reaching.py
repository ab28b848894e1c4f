"""Which tests reach which lines: one run of them on a copy of the checkout, measured by coverage under their names."""

from __future__ import annotations

import json
import os
import shutil
import subprocess
import sys
from collections import Counter, defaultdict
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from types import MappingProxyType
from typing import Any

from coverage import CoverageData

from tools.contexts import TOLD
from tools.mutations import Mutant

PROJECT = Path(__file__).resolve().parents[1]
PHASES = ("setup", "call", "teardown")
"""What `PYTEST_CURRENT_TEST` ends on."""
TESTED = 10.0
"""How many seconds the tests of one fault may have taken without it."""


@dataclass
class Reach:
    """Which tests reach which lines, and how long each takes: by itself, and the fixtures that it shares."""

    seconds: dict[str, float]
    fixtures: dict[str, list[str]]
    shared: dict[str, float]
    sharing: dict[str, list[str]]
    lines: dict[str, dict[int, set[str]]] = field(default_factory=lambda: defaultdict(lambda: defaultdict(set)))

    def tests(self, one: Mutant) -> list[str]:
        """The tests that reach a fault themselves, then those that share a fixture which does: the quickest of each.

        What runs at import is reached by whichever test came first: those that reach most of the file come first.
        """
        lines, (first, last) = self.lines[one.file], one.reach
        found = {name for line in range(first, last + 1) for name in lines.get(line, ())}
        direct = found & self.seconds.keys()
        others = {test for name in found for test in self.sharing.get(name, ())} - direct
        if one.imported or (found and not direct and not others):
            near = Counter(name for names in lines.values() for name in self._having(names))
            return self.quickest(TESTED * 1.5, self.seconds, near)
        return [*self.quickest(TESTED, direct), *self.quickest(TESTED / 2, others)]

    def _having(self, names: Iterable[str]) -> set[str]:
        """The tests of these names, and those that share a fixture of them."""
        return {test for name in names for test in self.sharing.get(name, (name,)) if test in self.seconds}

    def quickest(self, left: float, tests: Iterable[str], near: Mapping[str, int] = MappingProxyType({})) -> list[str]:
        """The nearest and then quickest of these tests until so many seconds are full, at least one; in their order.

        What they share may take as long again: whoever has paid for it gets all that is quick there.
        """
        chosen: list[str] = []
        built: set[tuple[str, str]] = set()
        left_to_share = left
        for test in sorted(tests, key=lambda name: (-near.get(name, 0), self.seconds[name], name)):
            file = test.partition("::")[0]
            new = {(file, fixture) for fixture in self.fixtures[test] if fixture in self.shared} - built
            cost, shared = self.seconds[test], sum(self.shared[fixture] for _, fixture in new)
            if (cost > left or shared > left_to_share) and chosen:
                continue
            left -= cost
            left_to_share -= shared
            built |= new
            chosen.append(test)
        order = {name: place for place, name in enumerate(self.seconds)}
        return sorted(chosen, key=lambda name: order[name])


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
    shared: dict[str, float] = {}
    for name, test in told.items():
        shared |= test["shared"]
        for fixture in test["fixtures"]:
            sharing[f"fixture {fixture}"].append(name)
    seconds = {name: max(0.0, test["seconds"] - sum(test["shared"].values())) for name, test in sorted(told.items())}
    found = Reach(seconds, {name: test["fixtures"] for name, test in told.items()}, shared, sharing)
    data = CoverageData(str(kept / "coverage"))
    data.read()
    root = Path((kept / "root").read_text())
    for path in data.measured_files():
        lines = found.lines[Path(path).relative_to(root).as_posix()] if Path(path).is_relative_to(root) else {}
        for line, contexts in data.contexts_by_lineno(path).items():
            names = (context.removesuffix(f" ({phase})") for phase in PHASES for context in contexts)
            lines.setdefault(line, set()).update(names)
    return found
