"""Proof: every state of the world is made, and each check, the grader and every bound command is tried on it."""

import re
from collections.abc import Callable, Mapping
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, field
from datetime import date
from functools import partial
from pathlib import Path

from ..content.trialfiles import SHARED, TrialState, folder_of, skill_of, states_of
from ..records.trials import WORLD, Binding, TrialSpec
from ..records.vocabulary import Outcome
from .grading import grade
from .sandbox import Finished, Mount, Sandbox, TrialError, copied

Say = Callable[[str], None]
_PASSES = 0
_NOT_RUN = (125, 126, 127)
"""Exit codes of a shell that could not run the command, or found none."""


@dataclass(frozen=True)
class Tried:
    """One state with what came of it: whether each check passes, and the outcome by the grader."""

    state: TrialState
    checks: Mapping[str, bool]
    outcome: Outcome
    said: Mapping[str, str]

    @property
    def caught(self) -> bool:
        """Whether any check refuses it."""
        return not all(self.checks.values())


@dataclass
class Proof:
    """What a proof found. `problems` are why the playbook is not proven; empty where it is."""

    tried: list[Tried]
    tools: dict[str, str]
    sandbox: str
    problems: list[str] = field(default_factory=list)


@dataclass(frozen=True)
class Bench:
    """A trial on the bench: its folders, its sandbox, and room for cases."""

    trial: TrialSpec
    content: Path
    sandbox: Sandbox
    room: Path

    @property
    def folder(self) -> Path:
        """The folder of the trial."""
        return folder_of(self.content, self.trial.slug)

    @property
    def skill(self) -> tuple[Mount, ...]:
        """What travels with the playbook's skill, where there is any: `$SKILL`."""
        place = skill_of(self.content, self.trial.slug)
        return (Mount("SKILL", place.absolute(), "/skill"),) if place.is_dir() else ()

    def made(self, what: str, case: Path, script: str) -> Path:
        """The case after a script of the trial, which must end well."""
        place = self.folder / script
        mounts = [Mount("SCRIPTS", place.parent.absolute(), "/scripts")]
        if (shared := self.folder / SHARED).is_dir():
            mounts.append(Mount("SHARED", shared.absolute(), "/shared"))
        finished = self.sandbox.run(case, f'bash "$SCRIPTS/{place.name}"', self.trial.command_limit, mounts)
        if finished.code or finished.stopped:
            raise TrialError(f"{what}: {script} {_ending(finished)}\n{finished.tail}")
        return case

    def world(self) -> Path:
        """The untouched world, made anew."""
        case = self.room / WORLD
        if (self.folder / "world").is_dir():
            copied(self.folder / "world", case)
        else:
            case.mkdir()
        return self.made("the world", case, "setup.sh") if (self.folder / "setup.sh").exists() else case

    def versions(self) -> dict[str, str]:
        """What each tool says of its version; a tool that is not there is an error, never a failed check."""
        found = {}
        case = self.room / "versions"
        case.mkdir()
        for name, command in sorted(self.trial.tools.items()):
            finished = self.sandbox.run(case, command, self.trial.command_limit)
            if finished.code or finished.stopped:
                raise TrialError(f"the tool {name} is missing: {command} {_ending(finished)}\n{finished.tail}")
            found[name] = next(iter(finished.output.strip().splitlines()), "")[:200]
        return found


def _ending(finished: Finished) -> str:
    return f"ran out of {finished.stopped}" if finished.stopped else f"ended with exit code {finished.code}"


def prove(bench: Bench, today: date, jobs: int, say: Say) -> Proof:
    """Try everything. Raises `TrialError` for what broke beside the playbook: infrastructure, scripts, limits."""
    proof = Proof([], bench.versions(), bench.sandbox.name)
    bench.world()
    states = states_of(bench.folder)
    pool = ThreadPoolExecutor(max_workers=jobs)
    try:
        proof.tried = list(pool.map(partial(_try_state, bench, say), states))
        spans = list(pool.map(partial(_try_span, bench), bench.trial.spans.items()))
    except BaseException:
        bench.sandbox.stopping.set()
        raise
    finally:
        pool.shutdown(cancel_futures=True)
    proof.problems = [*_verdict(proof.tried), *filter(None, spans), *_excuses(bench.trial, today)]
    return proof


def _try_state(bench: Bench, say: Say, state: TrialState) -> Tried:
    """Make a state, and ask each check and the grader, each on a copy of it."""
    case = bench.room / WORLD
    if state.script:
        case = bench.made(state.name, copied(case, bench.room / f"state-{state.name}"), state.script)
    checks: dict[str, bool] = {}
    said: dict[str, str] = {}
    for number, command in bench.trial.checks.items():
        copy = copied(case, bench.room / f"{state.name}-check-{number}")
        finished = bench.sandbox.run(copy, command, bench.trial.command_limit, bench.skill)
        if finished.stopped or finished.code in _NOT_RUN:
            raise TrialError(f"check {number} on {state.name} {_ending(finished)}\n{finished.tail}")
        checks[number] = finished.code == _PASSES
        said[number] = finished.tail
    copy = copied(case, bench.room / f"{state.name}-grade")
    try:
        outcome, finished = grade(bench.sandbox, bench.folder.absolute(), copy, bench.trial.command_limit)
    except TrialError as error:
        raise TrialError(f"{state.name}: {error}") from error
    say(f"{bench.trial.slug}: {state.name}")
    return Tried(state, checks, outcome, {**said, "grader": finished.tail})


def _verdict(tried: list[Tried]) -> list[str]:
    """Why the checks or the grader do not hold."""
    found = []
    for one in tried:
        worked = one.outcome is Outcome.WORKED
        if one.state.solves:
            refusing = [number for number, passes in one.checks.items() if not passes]
            found += [f"check {n} refuses the solution {one.state.name}:\n{one.said[n]}" for n in refusing]
            if not worked:
                found.append(f"the grader refuses the solution {one.state.name}:\n{one.said['grader']}")
            continue
        if not one.caught:
            found.append(f"every check passes on {one.state.name}")
        if worked:
            found.append(f"the grader says that {one.state.name} worked:\n{one.said['grader']}")
    others = [one for one in tried if not one.state.solves]
    for number in tried[0].checks:
        if all(one.checks[number] for one in others):
            found.append(f"check {number} passes everywhere: it says nothing")
    return found


def _try_span(bench: Bench, pair: tuple[str, Binding]) -> str:
    """Try what stands behind one code span: what is wrong with it, or nothing."""
    span, binding = pair
    if binding.excused is not None:
        return ""
    case = bench.room / (WORLD if binding.where == WORLD else f"state-{binding.where}")
    if binding.file is not None:
        return _file_problem(span, case, bench.trial.filled(span), binding.file)
    command = bench.trial.filled(binding.word or (binding.shim or "{}").replace("{}", span))
    copy = copied(case, bench.room / f"span-{list(bench.trial.spans).index(span)}")
    finished = bench.sandbox.run(copy, command, bench.trial.command_limit, bench.skill)
    if finished.stopped:
        raise TrialError(f"`{span}` {_ending(finished)}\n{finished.tail}")
    if binding.word is not None:
        there = re.search(rf"(?<!\w){re.escape(span)}(?!\w)", finished.output)
        return "" if there else f"`{span}` is no word that `{command}` prints:\n{finished.tail}"
    wrong = ""
    if finished.code != (binding.exits or 0):
        wrong = f"ended with exit code {finished.code}, not {binding.exits or 0}"
    elif binding.prints == "" and finished.output.strip():
        wrong = "printed something"
    elif binding.prints and binding.prints not in finished.output:
        wrong = f"did not print {binding.prints!r}"
    return f"`{command}` {wrong}:\n{finished.tail}" if wrong else ""


def _file_problem(span: str, case: Path, name: str, text: str) -> str:
    place = (case / name).resolve()
    inside = place.is_relative_to(case.resolve())  # a link would lead out of it
    if not inside or not (place.is_dir() or place.is_file()):
        return f"`{span}` is no file of the state"
    if text and (place.is_dir() or text not in place.read_text(encoding="utf-8", errors="replace")):
        return f"the file `{span}` does not hold {text!r}"
    return ""


def _excuses(trial: TrialSpec, today: date) -> list[str]:
    return [
        f"the excuse of `{span}` ended on {binding.until}"
        for span, binding in trial.spans.items()
        if binding.until and binding.until < today
    ]
