"""How many small faults the tests find: `python -m tools.mutants --mutants 100 --seed 1`; `make mutants` does it.

The tests run once on a copy of the checkout, to know which of them reach which line (tools/reaching.py). Then the seed
draws statements, and of each one fault (tools/mutations.py). Each fault is written into a copy, and the tests that
reach its statement run on it, no more than TESTED seconds of them, until one fails. What takes
longer than LIMIT is ended, run without the fault, and counted apart if that takes less than half of it; otherwise it
is undecided. What survives, is undecided or is reached by no test counts as not found. Nothing is written into the
checkout but the report.
"""

from __future__ import annotations

import argparse
import contextlib
import difflib
import importlib
import json
import os
import random
import resource
import shutil
import signal
import sys
import tempfile
import time
import traceback
import warnings
from collections import Counter, defaultdict
from collections.abc import Iterable
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

import pytest
from hypothesis import Phase, settings

from tools.mutations import Mutant, mutants
from tools.reaching import PROJECT, ROOMS, TESTED, Reach, copied, measured, reach

LIMIT = 60
"""So many seconds of processor time may a trial take, and three times as long on a busy machine."""
BROKEN = 70
"""How a process ends that could not even ask for the tests."""
LOADED_FIRST = (
    "alembic.config click flask httpx jinja2 jsonschema limits markdown_it mcp.server msgspec"
    " anyio numpy orjson prometheus_client pydantic ruamel.yaml sqlalchemy.orm"
    " starlette.testclient symspellpy whoosh.index whoosh.qparser yaml"
).split()
"""What nearly every test imports and no fault is in: loaded once, before the forks."""


def sample(number: int, seed: int, rooms: Iterable[str] = ROOMS) -> list[Mutant]:
    """As many faults, each of another statement: statements by chance, and one fault of each."""
    statements: dict[tuple[str, int], list[Mutant]] = defaultdict(list)
    for room in rooms:
        for path in sorted((PROJECT / room).rglob("*.py")):
            name = path.relative_to(PROJECT).as_posix()
            for one in mutants(name, path.read_bytes()):
                statements[name, one.reach[0]].append(one)
    chance = random.Random(seed)
    return [
        chance.choice(statements[place]) for place in chance.sample(sorted(statements), min(number, len(statements)))
    ]


def tried(tree: Path, one: Mutant, tests: list[str], seed: int) -> int:
    """Begin a process that runs the tests on a copy with the fault in it; its number."""
    path = tree / one.file
    path.write_bytes(one.of((PROJECT / one.file).read_bytes()))
    if number := os.fork():
        return number
    code = BROKEN
    try:
        os.setsid()
        resource.setrlimit(resource.RLIMIT_CPU, (LIMIT, LIMIT + 1))
        _as_in(tree)
        settings.register_profile("mutants", phases=(Phase.explicit, Phase.generate), database=None, deadline=None)
        settings.load_profile("mutants")  # the first counter-example will do
        quiet = ["-x", "-q", "-W", "ignore::pytest.PytestAssertRewriteWarning", "-p", "no:cacheprovider"]
        code = pytest.main([*quiet, "-p", "no:xdist", f"--hypothesis-seed={seed}", *tests])
    except BaseException:  # noqa: BLE001 - a fork never goes on as its parent
        traceback.print_exc()
    finally:
        sys.stdout.flush()
        sys.stderr.flush()
        os._exit(int(code))


def _as_in(tree: Path) -> None:
    """Make this process one that was started in the copy, and writes to its own file."""
    os.chdir(tree)
    sys.path[:] = [str(tree), *(place for place in sys.path if place not in ("", str(PROJECT)))]
    for name in [name for name in sys.modules if name.partition(".")[0] in {*ROOMS, "tools"}]:
        del sys.modules[name]
    out = os.open(tree.parent / f"{tree.name}.out", os.O_WRONLY | os.O_CREAT | os.O_TRUNC)
    os.dup2(out, 1)
    os.dup2(out, 2)
    scratch = tree.parent / f"{tree.name}.tmp"
    shutil.rmtree(scratch, ignore_errors=True)
    scratch.mkdir()
    tempfile.tempdir = str(scratch)
    os.environ |= {"TMPDIR": str(scratch), "PYTHONDONTWRITEBYTECODE": "1"}
    sys.dont_write_bytecode = True


def without(one: Mutant) -> Mutant:
    """No fault, in the place of one."""
    return replace(one, text=(PROJECT / one.file).read_bytes()[one.start : one.end].decode())


def sound(tree: Path, drawn: list[Mutant], found: Reach, seed: int) -> None:
    """Give up unless everything is found and passes that should, where there is no fault: else all would be killed."""
    for one, tests in (
        (drawn[0], ["--collect-only", *found.seconds]),
        (drawn[0], found.quickest(TESTED / 4, found.seconds)),
    ):
        if os.waitpid(tried(tree, without(one), tests, seed), 0)[1]:
            raise SystemExit((tree.parent / f"{tree.name}.out").read_text()[-4000:])


@dataclass
class Trial:
    """One fault under way in one copy; `again` when it has timed out, and the same tests run without it."""

    tree: Path
    one: Mutant
    tests: list[str]
    seed: int
    again: bool = False

    def __post_init__(self) -> None:
        self.begun = time.monotonic()
        self.number = tried(self.tree, without(self.one) if self.again else self.one, self.tests, self.seed)

    def ended(self) -> str:
        """What became of it, once that is known; what takes too long is ended here."""
        done, status, used = os.wait4(self.number, os.WNOHANG)
        if not done and time.monotonic() - self.begun <= 3 * LIMIT:
            return ""
        _end(self.number)
        if not done:
            os.waitpid(self.number, 0)
        code = os.waitstatus_to_exitcode(status) if done else -signal.SIGXCPU
        if code == -signal.SIGXCPU:
            return "undecided" if self.again else "waits"
        state = {0: "survived", BROKEN: "broken"}.get(code, "killed")
        if not self.again:
            return state
        return "timed out" if state == "survived" and used.ru_utime + used.ru_stime < LIMIT / 2 else "undecided"

    def cleared(self) -> str:
        """Take the fault out of the copy; what pytest said."""
        shutil.copy2(PROJECT / self.one.file, self.tree / self.one.file)
        return (self.tree.parent / f"{self.tree.name}.out").read_text(errors="replace")


def all_tried(trees: list[Path], drawn: list[Mutant], found: Reach, seed: int) -> list[dict[str, Any]]:
    """Try every fault, one in each copy at a time, and say what became of it."""
    results: list[dict[str, Any]] = []
    free, waiting, under_way = list(trees), list(drawn), list[Trial]()
    try:
        while waiting or under_way:
            while waiting and free:
                one = waiting.pop(0)
                if tests := found.tests(one):
                    under_way.append(Trial(free.pop(), one, tests, seed))
                else:
                    results.append(_result(one, "not reached", [], ""))
            for trial in [*under_way]:
                if state := trial.ended():
                    under_way.remove(trial)
                    if state == "waits":  # by the fault, or because the machine is busy
                        under_way.append(Trial(trial.tree, trial.one, trial.tests, seed, again=True))
                        continue
                    said = trial.cleared()
                    if state == "broken" and _failed(said):  # pytest told of it, and then fell over it
                        state = "killed"
                    results.append(_result(trial.one, state, trial.tests, said))
                    free.append(trial.tree)
                    print(f"{len(results):4} {state:12} {results[-1]['place']} {trial.one.kind}", flush=True)
            time.sleep(0.02)
    except KeyboardInterrupt:
        print("stopped: the figures are of what was tried", flush=True)
    finally:
        for trial in under_way:
            _end(trial.number)
    return results


def _end(number: int) -> None:
    """End a process and all that it started."""
    with contextlib.suppress(ProcessLookupError, PermissionError):
        os.killpg(number, signal.SIGKILL)


def _result(one: Mutant, state: str, tests: list[str], said: str) -> dict[str, Any]:
    """What became of one fault, as the report says it."""
    source = (PROJECT / one.file).read_bytes()
    before, after = (text.decode().splitlines() for text in (source, one.of(source)))
    diff = list(difflib.unified_diff(before, after, lineterm="", n=0))[3:]
    by = _failed(said)[0] if _failed(said) else "".join(said.splitlines()[-1:])
    place = f"{one.file}:{one.line}"
    return {"place": place, "kind": one.kind, "state": state, "tests": len(tests), "diff": diff, "by": by[:300]}


def _failed(said: str) -> list[str]:
    """The lines in which pytest names what failed."""
    return [line for line in said.splitlines() if line.startswith(("FAILED ", "ERROR "))]


def report(results: list[dict[str, Any]], seed: int, seconds: float) -> dict[str, Any]:
    """The figures, with every fault by its place."""
    count = Counter(result["state"] for result in results)
    killed = count["killed"] + count["timed out"]
    rate = round(100 * killed / max(1, len(results)), 1)
    rows = sorted(results, key=lambda result: str(result["place"]))
    return {"seed": seed, "killed_percent": rate, **count, "seconds": round(seconds), "mutants": rows}


def main() -> None:
    """Measure, draw, try and tell; the report is written to --report as JSON."""
    asked = argparse.ArgumentParser(description="How many small faults the tests find.")
    asked.add_argument("--mutants", type=int, default=100)
    asked.add_argument("--seed", type=int, default=1)
    asked.add_argument("--report", type=Path, default=Path("mutants.json"))
    asked.add_argument("--room", choices=ROOMS, action="append", help="draw from this room only; may be given again")
    asked.add_argument(
        "--measured",
        type=Path,
        action="append",
        help="a folder that keeps which tests reach what; further ones add to it",
    )
    asked.add_argument("tests", nargs="*", help="what to give to pytest, instead of everything")
    given = asked.parse_args()
    begun = time.monotonic()
    signal.signal(signal.SIGTERM, signal.default_int_handler)  # ended in either way it takes all it began with it
    with tempfile.TemporaryDirectory(prefix="mutants-") as folder:
        trees = [copied(Path(folder) / name) for name in ("one", "two")]
        kept = given.measured or [Path(folder) / "measured"]
        if not (kept[0] / "tests.json").is_file():
            measured(trees[0], kept[0], given.tests)
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")  # of other people's packages: the tests look at our own
            for name in LOADED_FIRST:
                importlib.import_module(name)
        found, drawn = reach(*kept), sample(given.mutants, given.seed, given.room or ROOMS)
        sound(trees[1], drawn, found, given.seed)
        results = all_tried(trees, drawn, found, given.seed)
    told = report(results, given.seed, time.monotonic() - begun)
    given.report.write_text(json.dumps(told, indent=1))
    for result in told["mutants"]:
        if result["state"] not in ("killed", "timed out"):
            print(f"\n{result['place']} {result['state']}: {result['kind']}", *result["diff"], sep="\n  ")
    print({name: value for name, value in told.items() if name != "mutants"})


if __name__ == "__main__":
    main()
