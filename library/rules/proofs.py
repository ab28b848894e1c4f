"""What is said of a trial: whether a playbook's checks are proven, and how runs on the prepared case ended."""

import re

from ..interface import answers
from ..problems import count_of
from ..records.collection import Library, PlaybookEntry, TestedEntry
from ..records.trials import ProofRecord, TrialSpec
from ..records.vocabulary import UNNAMED_AGENT, Arm

LEAST_A_SIDE = 3
"""So many runs of each arm are needed before the two are set side by side."""
_NUMBER = re.compile(r"\d+(?:\.\d+)+\S*")


def proof_of(library: Library, slug: str) -> answers.ProofAnswer | None:
    """What was proven of a playbook's checks; None where nothing ever was."""
    kept, book = library.proofs.get(slug), library.playbooks[slug]
    if kept is None:
        return None
    trial = library.trials.get(slug)
    same_version = kept.playbook_version == book.version
    current = same_version and trial is not None and trial.digest == kept.trial_digest
    return answers.answer_of(
        answers.ProofAnswer,
        kept,
        sentence=_sentence(kept, same_version=same_version, current=current),
        current=current,
        cheat_count=kept.cheats,
        caught_count=kept.caught,
        solution_count=kept.solutions,
        command_count=kept.commands,
        checks=tuple(answers.ProvenCheck(step=int(step), command=command) for step, command in kept.checks.items()),
        tools=tuple(answers.ToolAnswer(name=name, version=version) for name, version in kept.tools.items()),
        excuses=tuple(answers.ExcuseAnswer(command=span, **dict(excuse)) for span, excuse in kept.excuses.items()),
        shims=tuple(answers.ShimAnswer(command=span, run_as=shim) for span, shim in kept.shims.items()),
    )


def is_proven(proof: answers.ProofAnswer | None) -> bool:
    """Whether the checks of the present version are proven: every planted shortcut was caught."""
    return proof is not None and proof.current and proof.caught_count == proof.cheat_count


def _sentence(kept: ProofRecord, *, same_version: bool, current: bool) -> str:
    numbers = {name: _NUMBER.search(told) for name, told in kept.tools.items()}
    tools = ", ".join(f"{name} {number[0]}" if number else name for name, number in numbers.items())
    day = f"{kept.date.day} {kept.date:%b %Y}"
    excused = f"; {count_of(len(kept.excuses), 'command')} not tried" if kept.excuses else ""
    caught = f"{kept.caught} of {kept.cheats} planted shortcuts caught{f' ({tools})' if tools else ''}{excused}."
    if current and kept.caught == kept.cheats:
        return f"Checks proven {day}: {caught}"
    if current:
        return f"Checks tried {day}, and not proven: {caught}"
    other = "its trial as it was then" if same_version else "an earlier version of this playbook"
    return f"Checks proven {day} for {other}, and not since: {caught}"


def runs_on_trial(book: PlaybookEntry, trial: TrialSpec | None) -> answers.TrialRuns | None:
    """How runs on the trial ended, with the playbook's present version and without; None where there is none.

    The bare arm is given no version: its runs count as long as its case is the same.
    """

    def counts(test: TestedEntry) -> bool:
        of_case = test.arm is Arm.BARE and trial is not None and test.case_digest == trial.case_digest
        return test.arm is not None and (of_case or test.version == book.version)

    runs = [test for test in book.tested if counts(test)]
    if not runs:
        return None
    ends = {arm: [test.outcome.good for test in runs if test.arm is arm] for arm in Arm}
    sides = {arm: answers.ArmCounts(run_count=len(good), worked=sum(good)) for arm, good in ends.items()}
    agents = tuple(sorted({test.agent for test in runs}))
    sentence = _compared(sides[Arm.PLAYBOOK], sides[Arm.BARE], agents)
    return answers.TrialRuns(sentence=sentence, playbook=sides[Arm.PLAYBOOK], bare=sides[Arm.BARE], agents=agents)


def _compared(playbook: answers.ArmCounts, bare: answers.ArmCounts, agents: tuple[str, ...]) -> str:
    """Counts side by side, and what they are counts of. Too few of one side are no comparison."""
    said = [f"with the playbook {playbook.worked} of {playbook.run_count} worked"]
    if min(playbook.run_count, bare.run_count) >= LEAST_A_SIDE:
        said.append(f"bare sentence {bare.worked} of {bare.run_count}")
        gain = playbook.worked * bare.run_count - bare.worked * playbook.run_count
        said += ["so the playbook was no help there"] if gain == 0 else ["which did better there"] if gain < 0 else []
    elif bare.run_count:
        said.append(f"{count_of(bare.run_count, 'run')} of the bare sentence, too few to compare")
    who = "an AI agent that is not named" if set(agents) == {UNNAMED_AGENT} else ", ".join(agents)
    return f"Runs on the trial: {', '.join(said)}; on a small prepared case, by {who}."
