"""Which tests reach which lines: one run of them on a copy of the checkout, measured by coverage under their names."""

from __future__ import annotations

import ast
import json
import os
import re
import shutil
import subprocess
import sys
from collections import Counter, defaultdict
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from functools import cache, cached_property
from pathlib import Path
from types import MappingProxyType
from typing import Any

from coverage import CoverageData

from tools.contexts import TOLD
from tools.mutations import Mutant
from tools.uses import Uses

PROJECT = Path(__file__).resolve().parents[1]
PHASES = ("setup", "call", "teardown")
"""What `PYTEST_CURRENT_TEST` ends on."""
TESTED = 10.0
"""How many seconds the quickest tests of one fault may have taken without it; half as much may those that are near."""
ROOMS = ("library", "build", "writeapi")
_TESTS_OF = {"build": "generator"}
"""Whose tests have another name than the room."""
_WORDS = re.compile(r"[a-z]+")


@dataclass
class Reach:
    """Which tests reach which lines, and how long each takes: by itself, and the fixtures that it shares."""

    seconds: dict[str, float]
    fixtures: dict[str, list[str]]
    shared: dict[str, float]
    sharing: dict[str, list[str]]
    everywhere: set[str] = field(default_factory=set)
    """The fixtures that tests of all files share."""
    lines: dict[str, dict[int, set[str]]] = field(default_factory=lambda: defaultdict(lambda: defaultdict(set)))

    @cached_property
    def uses(self) -> Uses:
        """Where the names of the rooms are used."""
        return Uses(PROJECT, ROOMS)

    @cached_property
    def width(self) -> Counter[str]:
        """How many files a test reaches, itself or by a fixture that it shares."""
        return Counter(
            test
            for lines in self.lines.values()
            for test in self._having({name for names in lines.values() for name in names})
        )

    def tests(self, one: Mutant) -> list[str]:
        """The tests near a fault, the quickest that reach it, those that share a fixture which does; the widest too.

        What runs at import is reached by whichever test came first: there it is the tests that reach a use of its name
        and those whose file imports the module, or else those that reach most of the file.
        """
        found = self._reaching([(one.file, line) for line in range(one.reach[0], one.reach[1] + 1)])
        if one.imported:
            found = self._reaching(self.uses.lines(one.file, one.binds)) or found
        direct = found & self.seconds.keys()
        others = {test for name in found for test in self.sharing.get(name, ())} - direct
        near = [test for test in direct | others if _near(one.file, test)]
        if one.imported:  # a field of a model is used by whoever makes one, on no line of ours
            module = one.file.removesuffix(".py").replace("/", ".")
            near += [test for test in self.seconds if module in imported(test.partition("::")[0])]
        chosen = [self.quickest(TESTED / 2, near), self.widest(near)]
        if found and not direct and not others:
            names = (self._having(names) for names in self.lines[one.file].values())
            reaching = Counter(name for tests in names for name in tests)
            chosen.append(self.quickest(TESTED, self.seconds, reaching))
        chosen += [self.quickest(TESTED, direct), self.quickest(TESTED / 2, others), self.widest(direct | others)]
        return _by_file(test for tests in chosen for test in tests)

    def widest(self, tests: Iterable[str]) -> list[str]:
        """The two of these that reach most of the code, and take no longer than all the quickest together may."""
        bearable = [test for test in tests if self.seconds[test] <= TESTED]
        return sorted(bearable, key=lambda test: (-self.width[test], test))[:2]

    def _reaching(self, places: Iterable[tuple[str, int]]) -> set[str]:
        """The names under which one of these lines was measured."""
        return {name for file, line in places for name in self.lines[file].get(line, ())}

    def _having(self, names: Iterable[str]) -> set[str]:
        """The tests of these names, and those that share a fixture of them."""
        return {test for name in names for test in self.sharing.get(name, (name,)) if test in self.seconds}

    def quickest(self, left: float, tests: Iterable[str], near: Mapping[str, int] = MappingProxyType({})) -> list[str]:
        """The nearest and then quickest of these tests until so many seconds are full, at least one.

        What they share may take as long again: whoever has paid for it gets all that is quick there.
        """
        chosen: list[str] = []
        built: set[tuple[str, str]] = set()
        left_to_share = left
        for test in sorted(tests, key=lambda name: (-near.get(name, 0), self.seconds[name], name)):
            used = {fixture for fixture in self.fixtures[test] if fixture in self.shared}
            file = test.partition("::")[0]
            new = {("" if fixture in self.everywhere else file, fixture) for fixture in used} - built
            cost, shared = self.seconds[test], sum(self.shared[fixture] for _, fixture in new)
            if (cost > left or shared > left_to_share) and chosen:
                continue
            left -= cost
            left_to_share -= shared
            built |= new
            chosen.append(test)
        return chosen


def _near(file: str, test: str) -> bool:
    """Whether a test stands in the folder of the same room, and its file is named after the fault's or its folder."""
    room, *words = _WORDS.findall(file.removesuffix(".py"))
    folder, *named = _WORDS.findall(test.partition(".py")[0].removeprefix("tests/"))
    return folder == _TESTS_OF.get(room, room) and not {word.rstrip("s") for word in words}.isdisjoint(
        word.rstrip("s") for word in named
    )


@cache
def imported(file: str) -> frozenset[str]:
    """The modules that a file of tests imports, or takes something from."""
    path = PROJECT / file
    found: set[str] = set()
    for node in ast.walk(ast.parse(path.read_bytes())) if path.is_file() else ():
        match node:
            case ast.ImportFrom(module=str(module), names=names):
                found |= {module, *(f"{module}.{name.name}" for name in names)}
            case ast.Import(names=names):
                found |= {name.name for name in names}
    return frozenset(found)


def _by_file(tests: Iterable[str]) -> list[str]:
    """The tests of a file together, where the first of them stands."""
    files: dict[str, dict[str, None]] = {}
    for test in tests:
        files.setdefault(test.partition("::")[0], {})[test] = None
    return [test for file in files.values() for test in file]


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


def reach(*kept: Path) -> Reach:
    """What was measured: the tests that passed, by the lines of code that they reach."""
    found = Reach({}, {}, {}, defaultdict(list))
    for folder in kept:
        _add(found, folder)
    return found


def _add(found: Reach, kept: Path) -> None:
    """Add one measurement; of a test that an earlier one had too, its times are these."""
    told: dict[str, dict[str, Any]] = json.loads((kept / "tests.json").read_text())
    for name, test in sorted(told.items()):
        if not test["passed"]:
            continue
        found.shared |= test["shared"]
        found.everywhere |= {*test.get("everywhere", ())}
        for fixture in test["fixtures"]:
            found.sharing[f"fixture {fixture}"].append(name)
        found.seconds[name] = max(0.0, test["seconds"] - sum(test["shared"].values()))
        found.fixtures[name] = test["fixtures"]
    data = CoverageData(str(kept / "coverage"))
    data.read()
    root = Path((kept / "root").read_text())
    for path in data.measured_files():
        lines = found.lines[Path(path).relative_to(root).as_posix()] if Path(path).is_relative_to(root) else {}
        for line, contexts in data.contexts_by_lineno(path).items():
            names = (context.removesuffix(f" ({phase})") for phase in PHASES for context in contexts)
            lines.setdefault(line, set()).update(names)
