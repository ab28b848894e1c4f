"""Proof: every state of the world is made, and each check, the grader and every bound command is tried on it.

The hidden grader runs where no code of the case runs, and its exit code is the outcome. Whatever the case brings along
runs in a sandbox of its own that the grader asks for (`"$CHILD" COMMAND`), so that it can neither read the grader nor
end it, nor write what counts. `proven.json` beside a trial says what was proven, of which version, on which day.
"""

import re
import secrets
import shutil
from collections.abc import Callable, Iterator, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from datetime import date
from functools import partial
from pathlib import Path
from typing import Any

import orjson

from ..content.trialfiles import PROOF, SHARED, SKILLS, TRIALS, TrialState, digest_of, states_of
from ..durable import replace_file
from ..records.collection import version
from ..records.models import Playbook
from ..records.trials import WORLD, TrialSpec
from ..records.vocabulary import Outcome
from .sandbox import SCRIPTS, Finished, Mount, Sandbox, TrialError, copied

_NOT_RUN = frozenset({125, 126, 127})  # exit codes of a shell that could not run the command, or found none
WORKED, FAILED = 0, 10  # the grader's exit codes; any other is an error of the grader: a traceback's 1 is no verdict
_PLAIN = (SCRIPTS / "plain.sh").read_text(encoding="utf-8")
_OF_THE_DAY = ("date", "tools", "sandbox")  # what may differ from one machine and day to the next
_LINE = 160


def grade(sandbox: Sandbox, folder: Path, case: Path, limit: float) -> tuple[Outcome, Finished]:
    """The outcome of a case, which the grader may change. Raises `TrialError` where the grader itself fails."""
    hidden = secrets.token_hex(8)  # a link in the case cannot lead where nobody knows the name of
    desk = case.with_name(f"{case.name}.desk")
    desk.mkdir()
    shutil.copyfile(SCRIPTS / "child", desk / "child")
    (desk / "child").chmod(0o755)
    mounts = (
        Mount("GRADER", folder / "grader", f"/grader-{hidden}"),
        Mount("CHILDREN", desk, f"/child-{hidden}", writable=True),
    )

    def answer() -> None:
        """Run what the grader asks for by now, each in a sandbox that sees the case alone."""
        for ask in sorted(desk.glob("*.ask")):
            command = ask.read_text(encoding="utf-8", errors="replace")
            ask.unlink()
            told = sandbox.run(case, command, limit)
            sandbox.run(case, _PLAIN, limit)
            ask.with_suffix(".out").write_text(told.output, encoding="utf-8")
            fresh = ask.with_suffix(".part")
            fresh.write_text(str(124 if told.stopped else told.code % 256), encoding="utf-8")
            fresh.rename(ask.with_suffix(".code"))

    variables = {"CHILD": f"/child-{hidden}/child" if sandbox.bwrap else f"{desk}/child"}
    sandbox.run(case, _PLAIN, limit)
    finished = sandbox.run(case, 'bash "$GRADER/grade.sh"', limit * 4, mounts, variables, answer)
    if finished.stopped == "disk":
        return Outcome.FAILED, Finished(finished.code, f"it filled {sandbox.disk:,} bytes", "disk")
    if finished.stopped or finished.code not in (WORKED, FAILED):
        why = (finished.stopped and f"it ran out of {finished.stopped}") or f"exit code {finished.code}"
        raise TrialError(f"the grader failed ({why}; {WORKED} is worked, {FAILED} failed):\n{finished.tail}")
    return Outcome.WORKED if finished.code == WORKED else Outcome.FAILED, finished


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


@dataclass(frozen=True)
class Proof:
    """What a proof found. `problems` are why the playbook is not proven; empty where it is.

    Where something `broke` beside the playbook, they are that alone, and `tried` is what came out all the same.
    """

    tried: list[Tried]
    tools: dict[str, str]
    problems: list[str]
    broke: bool = False


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
        return self.content / TRIALS / self.trial.slug

    @property
    def skill(self) -> tuple[Mount, ...]:
        """What travels with the playbook's skill, where there is any: `$SKILL`."""
        place = self.content / SKILLS / self.trial.slug
        return (Mount("SKILL", place.absolute(), "/skill"),) if place.is_dir() else ()

    def run(
        self, what: str, case: Path, command: str, mounts: Sequence[Mount] = (), broke: Callable[[int], bool] = bool
    ) -> Finished:
        """How a command on a case ended. Raises `TrialError` where it met a limit, or by its exit code `broke`."""
        finished = self.sandbox.run(case, command, self.trial.command_limit, mounts)
        if finished.stopped or broke(finished.code):
            how = f"ran out of {finished.stopped}" if finished.stopped else f"ended with exit code {finished.code}"
            raise TrialError(f"{what} {how}\n{finished.tail}")
        return finished

    def made(self, case: Path, script: str) -> Path:
        """The case after a script of the trial, which must end well."""
        place = self.folder / script
        mounts = [Mount("SCRIPTS", place.parent.absolute(), "/scripts")]
        if (shared := self.folder / SHARED).is_dir():
            mounts.append(Mount("SHARED", shared.absolute(), "/shared"))
        self.run(script, case, f'bash "$SCRIPTS/{place.name}"', mounts)
        return case

    def world(self) -> Path:
        """The untouched world, made anew."""
        case = self.room / WORLD
        if (self.folder / "world").is_dir():
            copied(self.folder / "world", case)
        else:
            case.mkdir()
        return self.made(case, "setup.sh") if (self.folder / "setup.sh").exists() else case

    def versions(self) -> dict[str, str]:
        """What each tool says of its version; a tool that is not there is an error, never a failed check."""
        found = {}
        case = self.room / "versions"
        case.mkdir()
        for name, command in sorted(self.trial.tools.items()):
            finished = self.run(f"the tool {name} is missing: {command}", case, command)
            found[name] = next(iter(finished.output.strip().splitlines()), "")[:200]
        return found


def prove(bench: Bench, today: date, jobs: int, say: Callable[[str], None]) -> Proof:
    """Try everything; all that breaks beside the playbook (infrastructure, scripts, limits) is told at once.

    Raises `TrialError` where nothing can be tried: a tool is missing, or there is no world.
    """
    tools = bench.versions()
    bench.world()
    states = states_of(bench.folder)
    pool, broke = ThreadPoolExecutor(max_workers=jobs), list[str]()
    try:
        tried = [one for one in pool.map(partial(_try_state, bench, say, broke), states) if one]
        problems = [] if broke else list(pool.map(partial(_try_span, bench, today, broke), bench.trial.spans))
    except BaseException:
        bench.sandbox.stopping.set()
        raise
    finally:
        pool.shutdown(cancel_futures=True)
    if broke:
        return Proof(tried, tools, sorted(broke), broke=True)
    return Proof(tried, tools, [*_verdict(tried), *filter(None, problems)])


def _try_state(bench: Bench, say: Callable[[str], None], broke: list[str], state: TrialState) -> Tried | None:
    """Make a state, and ask each check and the grader, each on a copy of it; None where that `broke`."""
    case, trial = bench.room / WORLD, bench.trial
    checks, said = dict[str, bool](), dict[str, str]()
    try:
        if state.script:
            case = bench.made(copied(case, bench.room / f"state-{state.name}"), state.script)
        for number, command in trial.checks.items():
            copy = copied(case, bench.room / f"{state.name}-check-{number}")
            finished = bench.run(f"check {number}", copy, command, bench.skill, _NOT_RUN.__contains__)
            checks[number], said[number] = finished.code == 0, finished.tail
        copy = copied(case, bench.room / f"{state.name}-grade")
        outcome, finished = grade(bench.sandbox, bench.folder.absolute(), copy, trial.command_limit)
    except TrialError as error:
        broke.append(f"{state.name}: {error}")
        return None
    say(f"{trial.slug}: {state.name}")
    return Tried(state, checks, outcome, {**said, "grader": finished.tail})


def _verdict(tried: list[Tried]) -> list[str]:
    """Why the checks or the grader do not hold."""
    found = []
    for one in tried:
        worked = one.outcome is Outcome.WORKED
        if one.state.kind == "solution":
            refusing = [number for number, passes in one.checks.items() if not passes]
            found += [f"check {n} refuses the solution {one.state.name}:\n{one.said[n]}" for n in refusing]
            if not worked:
                found.append(f"the grader refuses the solution {one.state.name}:\n{one.said['grader']}")
            continue
        if not one.caught:
            found.append(f"every check passes on {one.state.name}")
        if worked:
            found.append(f"the grader says that {one.state.name} worked:\n{one.said['grader']}")
    others = [one for one in tried if one.state.kind != "solution"]
    for number in tried[0].checks:
        if all(one.checks[number] for one in others):
            found.append(f"check {number} passes everywhere: it says nothing")
    return found


def _try_span(bench: Bench, today: date, broke: list[str], span: str) -> str:
    """Try what stands behind one code span: what is wrong with it, or nothing."""
    binding = bench.trial.spans[span]
    case = bench.room / (WORLD if binding.where == WORLD else f"state-{binding.where}")
    if binding.until:
        return f"the excuse of `{span}` ended on {binding.until}" if binding.until < today else ""
    if binding.file is not None:
        return _file_problem(span, case, bench.trial.filled(span), binding.file)
    command = bench.trial.filled(binding.word or (binding.shim or "{}").replace("{}", span))
    try:
        copy = copied(case, bench.room / f"span-{list(bench.trial.spans).index(span)}")
        finished = bench.run(f"`{span}`", copy, command, bench.skill, broke=lambda _code: False)
    except TrialError as error:
        broke.append(str(error))
        return ""
    wrong = ""
    if binding.word is not None:
        if not re.search(rf"(?<!\w){re.escape(span)}(?!\w)", finished.output):
            wrong = f"did not print the word `{span}`"
    elif finished.code != (binding.exits or 0):
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


def record_of(proof: Proof, bench: Bench, book: Playbook, today: date) -> dict[str, Any]:
    """What is kept of a proof: the same for the same content, tools and day."""
    trial, cheats = bench.trial, [one for one in proof.tried if one.state.kind == "cheat"]
    return {
        "date": today.isoformat(),
        "playbook": book.slug,
        "playbook_version": version(book),
        "trial_digest": digest_of(bench.content, trial.slug),
        "tools": proof.tools,
        "sandbox": bench.sandbox.name,
        "cheats": len(cheats),
        "caught": sum(one.caught for one in cheats),
        "commands": sum(binding.excused is None for binding in trial.spans.values()),
        "checks": dict(trial.checks),
        "states": {
            one.state.name: {
                "kind": one.state.kind,
                "checks": {number: "passes" if passes else "fails" for number, passes in one.checks.items()},
                "grader": str(one.outcome),
            }
            for one in proof.tried
        },
        "excuses": {
            span: {"why": binding.excused, "until": str(binding.until)}
            for span, binding in trial.spans.items()
            if binding.excused
        },
        "shims": {span: binding.shim for span, binding in trial.spans.items() if binding.shim},
    }


def kept_proof(content: Path, slug: str) -> dict[str, Any] | None:
    """The committed proof of a trial, if it has one."""
    try:
        found: dict[str, Any] = orjson.loads((content / TRIALS / slug / PROOF).read_bytes())
    except (OSError, orjson.JSONDecodeError):
        return None
    return found


def keep(content: Path, slug: str, record: Mapping[str, Any]) -> None:
    """Write the proof beside the trial."""
    replace_file(content / TRIALS / slug / PROOF, orjson.dumps(record, option=orjson.OPT_INDENT_2) + b"\n")


def differences(kept: Mapping[str, Any] | None, record: Mapping[str, Any]) -> Iterator[str]:
    """What a committed proof says otherwise than this one; tools and days may differ."""
    if kept is None:
        yield f"there is no {PROOF}; `playbooks trial prove` writes it, commit it"
        return
    for name in sorted({*kept, *record} - {*_OF_THE_DAY}):
        if kept.get(name) != record.get(name):
            yield f"the committed {PROOF} has another {name}; prove it anew and commit the file"


def refusals(proof: Proof) -> dict[str, dict[str, str]]:
    """Of each cheat the checks that refuse it, with the last line that each printed: one that breaks looks caught."""
    return {
        one.state.name: {
            n: one.said[n].strip().rpartition("\n")[2][:_LINE] or "(printed nothing)"
            for n, passes in one.checks.items()
            if not passes
        }
        for one in proof.tried
        if one.state.kind == "cheat"
    }


def matrix(proof: Proof) -> str:
    """States in rows, checks in columns: `+` passes, `-` fails; last the grader."""
    numbers = list(proof.tried[0].checks)
    width = max(len(one.state.name) for one in proof.tried)
    lines = [f"{'':<{width}}  {'':<8}  {' '.join(f'{number:>2}' for number in numbers)}  grader"]
    for one in proof.tried:
        marks = " ".join(f"{'+' if one.checks[number] else '-':>2}" for number in numbers)
        lines.append(f"{one.state.name:<{width}}  {one.state.kind:<8}  {marks}  {one.outcome}")
    return "\n".join(lines)
