"""Rules of trials: what can be said of one without running it."""

from collections.abc import Iterator
from dataclasses import dataclass
from datetime import date
from pathlib import PurePath

from library.content.trialfiles import TrialFile, TrialState
from library.problems import Problem, Severity, wrong
from library.records.collection import grouped
from library.records.models import Playbook
from library.records.trials import TrialSpec

from ..markdown import code_in

SOLUTIONS, CHEATS = 2, 5  # the least number of each
LARGEST_FILE, LARGEST_TRIAL = 256 * 1024, 1024 * 1024  # bytes in git: a bigger world is made by `setup.sh`
_MARKED = ("solution/", "cheats/", "cheats-second/", "shared/", "grader/")
_SCRIPTS = (".sh", ".py", ".js", ".mjs", ".cjs", ".ts", ".sql", ".patch", ".diff", ".md", ".txt", ".yaml", ".yml")


@dataclass(frozen=True)
class TrialCase:
    """A trial as its rules look at it; `book` is None where the playbook cannot be read, `known` says it is there."""

    trial: TrialSpec
    book: Playbook | None
    known: bool
    files: tuple[TrialFile, ...]
    states: tuple[TrialState, ...]
    scripts: frozenset[str]
    today: date

    def at(self, pointer: tuple[str, ...], message: str, severity: Severity = Severity.ERROR) -> Problem:
        """A problem with one value of `trial.yaml`."""
        return Problem(self.trial.file, pointer, "", message, severity)

    def in_file(self, name: str, message: str) -> Problem:
        """A problem with a file beside it."""
        return wrong(f"trials/{self.trial.slug}/{name}", "", message)


def spans_of(book: Playbook) -> dict[str, tuple[int, ...]]:
    """Each code span of the steps with the numbers of the steps that it stands in."""
    steps = enumerate(book.steps, 1)
    return grouped((span, number) for number, step in steps for span in (*code_in(step.detail), *code_in(step.check)))


def trials_lie_with_their_playbook(case: TrialCase) -> Iterator[Problem]:
    """A trial lies in the folder that has the name of its playbook, and that playbook is there."""
    if case.trial.playbook != case.trial.slug:
        yield case.trial.wrong("playbook", f"is {case.trial.playbook!r}, but the folder is trials/{case.trial.slug}/")
    elif not case.known:
        yield case.trial.wrong("playbook", f"there is no playbook {case.trial.slug!r}")


def spans_are_bound(case: TrialCase) -> Iterator[Problem]:
    """Every code span of a tried playbook's steps has a binding, or is a shipped script that a check runs."""
    commands = " ".join(case.trial.checks.values())
    for span, steps in (spans_of(case.book) if case.book else {}).items():
        if span in case.trial.spans or (span in case.scripts and PurePath(span).name in commands):
            continue
        yield case.at(("spans",), f"step {steps[0]} holds `{span}`, which has no binding; say what it stands for")


def bindings_are_alive(case: TrialCase) -> Iterator[Problem]:
    """Every binding is of a code span that stands in the steps, letter by letter."""
    there = spans_of(case.book) if case.book else case.trial.spans
    for span in case.trial.spans:
        if span not in there:
            yield case.at(("spans", span), "stands in no step any more; correct it or remove it")


def bindings_name_states(case: TrialCase) -> Iterator[Problem]:
    """A binding names a state that there is: the world, a solution or a cheat."""
    names = [state.name for state in case.states]
    for span, binding in case.trial.spans.items():
        if binding.where not in names:
            yield case.at(("spans", span), f"there is no state {binding.where!r}; there are {', '.join(names)}")


def excuses_are_not_over(case: TrialCase) -> Iterator[Problem]:
    """An excuse for a command that is not tried has not ended."""
    for span, binding in case.trial.spans.items():
        if binding.until and binding.until < case.today:
            message = f"the excuse ended on {binding.until}; try it, or say anew why not"
            yield case.at(("spans", span, "until"), message, Severity.WARNING)


def trial_checks_are_of_steps(case: TrialCase) -> Iterator[Problem]:
    """The checks of a trial have the numbers of steps."""
    for number in case.trial.checks if case.book else ():
        if case.book and int(number) > len(case.book.steps):
            yield case.at(("checks", number), f"there is no step {number}; there are {len(case.book.steps)}")


def trials_have_solutions_and_cheats(case: TrialCase) -> Iterator[Problem]:
    """A trial has a world, a grader, at least two solutions, `solve.sh` among them, and at least five cheats."""
    kinds = [state.kind for state in case.states]
    for kind, least in (("solution", SOLUTIONS), ("cheat", CHEATS)):
        if kinds.count(kind) < least:
            yield case.trial.wrong("", f"has {kinds.count(kind)} {kind}s of at least {least}; write {kind} scripts")
    names = {file.name for file in case.files}
    for name in {"solution/solve.sh", "grader/grade.sh"} - names:
        yield case.in_file(name, "is missing; `playbooks trial new` shows the form")
    if not any(name.startswith("world/") or name == "setup.sh" for name in names):
        yield case.trial.wrong("", "has no world; put the files of the problem into world/, or make them in setup.sh")


def trial_needs_are_there(case: TrialCase) -> Iterator[Problem]:
    """The lock files that a trial names lie in its folder."""
    names = {file.name for file in case.files}
    for field, lock in (("pypi", case.trial.needs.pypi), ("npm", case.trial.needs.npm)):
        if lock and lock not in names:
            yield case.trial.wrong(f"needs.{field}", f"names {lock!r}, which is not in the folder of the trial")


def canaries_stand_in_answers(case: TrialCase) -> Iterator[Problem]:
    """The canary stands in all scripts and texts of solutions, cheats, `shared` and grader; data has a CANARY."""
    beside = {file.name.rpartition("/")[0] for file in case.files if file.name.endswith("/CANARY") and file.canary}
    for file in case.files:
        held = file.canary or (not file.name.endswith(_SCRIPTS) and file.name.rpartition("/")[0] in beside)
        if file.name.startswith(_MARKED) and not held:
            yield case.in_file(file.name, "lacks the canary; copy the line that `playbooks trial new` wrote")


def trials_are_small(case: TrialCase) -> Iterator[Problem]:
    """A trial has at most 1 MiB, a file of it 256 KiB, and no symbolic links: what is bigger, `setup.sh` makes."""
    for file in case.files:
        if file.link:
            yield case.in_file(file.name, "is a symbolic link; let setup.sh make it")
        if file.size > LARGEST_FILE:
            yield case.in_file(file.name, f"has {file.size:,} bytes of at most {LARGEST_FILE:,}; let setup.sh make it")
    if (total := sum(file.size for file in case.files)) > LARGEST_TRIAL:
        yield case.trial.wrong("", f"has {total:,} bytes of at most {LARGEST_TRIAL:,}; let setup.sh make the rest")
