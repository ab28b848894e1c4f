"""Trust: a pure function of evidence, tests, approved runs and the day, that explains itself; and proofs and trials.

Every number of the rule stands here; `site_templates/trust.html` says the rule in words, with these numbers.
"""

import re
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from datetime import UTC, date, timedelta
from itertools import combinations

import msgspec

from ..interface import answers
from ..problems import count_of
from ..records.collection import EvidenceEntry, Library, PlaybookEntry, TestedEntry
from ..records.models import Run
from ..records.trials import ProofRecord, TrialSpec
from ..records.vocabulary import UNNAMED_AGENT, Account, Arm, Outcome, RunState, Trust

MIN_ACCOUNTS = 2
MIN_HANDLE_AGE_DAYS = 7
MIN_RUNS_OF_REPORTER = 2
CONFIRM_REPORTERS = 3
CONFIRM_SHARE_PERCENT = 70
CONFIRM_WINDOW_DAYS = 365
FAILING_STREAK = 3
FAILING_WINDOW = 10
TRIAL_RUNS = 3
TRIAL_WORKED = 2
RULE = {name.lower(): number for name, number in tuple(vars().items()) if name.isupper() and isinstance(number, int)}
"""Every number above, by its name in small letters."""
LEAST_A_SIDE = 3  # so many runs of each arm are needed before the two are set side by side
_NUMBER = re.compile(r"\d+(?:\.\d+)+\S*")


class Verdict(msgspec.Struct, frozen=True):
    """A level, the sentence that says it to people, what it rests on and what the next level still wants."""

    level: Trust
    sentence: str
    reasons: tuple[str, ...]
    missing: tuple[str, ...]
    newly_failing: bool = False


class Basis(msgspec.Struct, frozen=True):
    """What a verdict rests on beside the accounts.

    `approved` are all approved runs; of the current version, `current` those that count, oldest first, `recent` the
    ones of them within the window, `tests` those by the editors and `tried` the watched runs on the trial.
    """

    approved: Sequence[Run]
    current: Sequence[Run]
    recent: Sequence[Run]
    tests: Sequence[TestedEntry]
    tried: Sequence[TestedEntry]
    proven: bool


def counted_runs(runs: Iterable[Run]) -> frozenset[str]:
    """The files, among all reports of the library, of approved ones by counted contributors.

    Files, because ids may be the same in two folders.
    """
    keyed = [
        (run, run.contributor_since)
        for run in runs
        if run.status is RunState.APPROVED and run.verified and run.reporter and run.contributor_since
    ]
    reports = Counter(run.reporter for run, _ in keyed)
    age = timedelta(days=MIN_HANDLE_AGE_DAYS)
    old = (run for run, since in keyed if _day(run) - since >= age)
    return frozenset(run.file for run in old if reports[run.reporter] >= MIN_RUNS_OF_REPORTER)


def _day(run: Run) -> date:
    return run.reported.astimezone(UTC).date()


def independent(one: EvidenceEntry, other: EvidenceEntry) -> bool:
    """Whether two accounts can support each other."""
    same_vendor = one.vendor is not None and one.vendor == other.vendor
    same_incident = one.incident is not None and one.incident == other.incident
    return one.author != other.author and one.site != other.site and not same_vendor and not same_incident


def corroborates(account: EvidenceEntry) -> bool:
    """Whether an account can support another one at all."""
    told = account.account in (Account.FIRST_HAND, Account.VENDOR)
    return told and account.author is not None and account.outcome is not None and account.outcome.good


def _basis(
    book: PlaybookEntry, runs: Sequence[Run], counted: frozenset[str], today: date, *, proven: bool = False
) -> Basis:
    approved = [run for run in runs if run.status is RunState.APPROVED]
    # Of the same moment, failures count as the later ones, whatever their ids.
    current = sorted(
        (run for run in approved if run.file in counted and run.playbook_version == book.version),
        key=lambda run: (run.reported.timestamp(), run.outcome is Outcome.FAILED, run.file),
    )
    of_now = [test for test in book.tested if test.version == book.version]
    return Basis(
        approved=approved,
        current=current,
        recent=[run for run in current if today - _day(run) <= timedelta(days=CONFIRM_WINDOW_DAYS)],
        tests=[test for test in of_now if test.arm is None],
        tried=[test for test in of_now if test.arm is Arm.PLAYBOOK and test.watched],
        proven=proven,
    )


def judge(
    book: PlaybookEntry, runs: Sequence[Run], counted: frozenset[str], today: date, *, proven: bool = False
) -> Verdict:
    """The verdict on one playbook.

    `runs` are that playbook's reports in any order and state; `counted` the files from `counted_runs`. `proven` says
    that a trial proves the checks of its present version.
    """
    return _conclude(book, _basis(book, runs, counted, today, proven=proven))


def verdict_of(library: Library, slug: str, counted: frozenset[str]) -> Verdict:
    """The verdict on one playbook of a library; `counted` are the files from `counted_runs`."""
    proven = is_proven(proof_of(library, slug))
    return judge(library.playbooks[slug], library.runs.get(slug, ()), counted, library.today, proven=proven)


def trust_answer(library: Library, slug: str, counted: frozenset[str], runs_url: str) -> answers.TrustAnswer:
    """The verdict on one playbook of a library with all that goes into it."""
    book, proven = library.playbooks[slug], is_proven(proof_of(library, slug))
    basis = _basis(book, library.runs.get(slug, ()), counted, library.today, proven=proven)
    verdict, worked = _conclude(book, basis), [run for run in basis.recent if run.outcome.good]
    return answers.TrustAnswer(
        playbook=book.slug,
        version=book.version,
        day=library.today,
        trust=verdict.level,
        newly_failing=verdict.newly_failing,
        rule=RULE,
        accounts=tuple(map(answers.TrustAccount.model_validate, book.evidence)),
        proven=basis.proven,
        tests=tuple(map(answers.TrustTest.model_validate, (*basis.tests, *basis.tried))),
        counted=answers.CountedRuns(
            run_count=len(basis.current),
            worked_count=sum(run.outcome.good for run in basis.current),
            recent_count=len(basis.recent),
            recent_worked_count=len(worked),
            recent_reporter_count=len({run.reporter for run in worked}),
            latest=tuple(
                answers.answer_of(answers.CountedRun, run, id=run.slug)
                for run in reversed(basis.current[-FAILING_WINDOW:])
            ),
        ),
        runs_url=runs_url,
    )


def _conclude(book: PlaybookEntry, basis: Basis) -> Verdict:
    corroborating = [account for account in book.evidence if corroborates(account)]
    corroborated = any(independent(one, other) for one, other in combinations(corroborating, 2))
    tests = [test for test in basis.tests if test.outcome.good]
    held = sum(test.outcome.good for test in basis.tried)
    trialled = basis.proven and len(basis.tried) >= TRIAL_RUNS and held >= TRIAL_WORKED
    failing, wanting = _newly_failing(basis.current), _wanting_confirmation(basis.recent)
    level = Trust.CORROBORATED if corroborated else Trust.REPORTED
    if not failing and (tests or trialled or any(run.outcome.good for run in basis.current)):
        level = Trust.TESTED if wanting else Trust.CONFIRMED
    reasons = [_accounts(book) + (": at least two of them independent and not failed" if corroborated else "")]
    if tests:
        reasons.append(f"{count_of(len(tests), 'test')} by the editors worked on the current version")
    reasons += _of_runs(basis)
    if failing:
        reasons.append("newly failing: the latest counted runs mostly failed, so runs and tests lend no trust for now")
    if basis.tried:
        weight = "its checks are proven"
        if not trialled:
            wanted = f"{TRIAL_RUNS} runs are wanted, {TRIAL_WORKED} of them worked"
            weight = f"without weight, because {wanted if basis.proven else 'its checks are not proven'}"
        said = f"{_share(basis.tried, 'run')} on the trial with the current version worked, on a small prepared case"
        reasons.append(f"{said}{';' if trialled else ':'} {weight}")
    missing = {
        Trust.CONFIRMED: [],
        Trust.TESTED: wanting,
        Trust.CORROBORATED: [_ONE_RUN],
        Trust.REPORTED: [_ONE_ACCOUNT if corroborating else _ACCOUNTS, f"or {_ONE_RUN}"],
    }[level]
    said = _sentence("Newly failing" if failing else level.capitalize(), book, basis)
    return Verdict(level, said, tuple(reasons), (_OUTWEIGH,) if failing else tuple(missing), failing)


_OUTWEIGH = "worked runs by counted contributors, until they outweigh the latest failures"
_ONE_RUN = "1 worked run by a counted contributor, or a test by the editors, on the current version"
_ONE_ACCOUNT = "1 more account that did not fail, by another author on another site, of another incident"
_ACCOUNTS = f"{MIN_ACCOUNTS} independent accounts that did not fail, each with a known author"


def _newly_failing(current: Sequence[Run]) -> bool:
    last = [run.outcome.good for run in current[-FAILING_WINDOW:]]
    streak = len(last) >= FAILING_STREAK and not any(last[-FAILING_STREAK:])
    failed = last.count(False)
    return streak or (failed >= FAILING_STREAK and failed > last.count(True))


def _wanting_confirmation(recent: Sequence[Run]) -> list[str]:
    worked = [run for run in recent if run.outcome.good]
    wanting, more = [], CONFIRM_REPORTERS - len({run.reporter for run in worked})
    if more > 0:
        others = "another counted contributor" if more == 1 else "other counted contributors"
        wanting.append(f"{count_of(more, 'more worked run')} by {others}")
    if recent and len(worked) * 100 < CONFIRM_SHARE_PERCENT * len(recent):
        now = f"now {len(worked)} of {len(recent)}"
        wanting.append(f"at least {CONFIRM_SHARE_PERCENT}% of the last year's counted runs worked; {now}")
    return wanting


def _share(tries: Sequence[Run | TestedEntry], noun: str) -> str:
    """How many of them worked: `2 of 3 runs`."""
    return f"{sum(one.outcome.good for one in tries)} of {count_of(len(tries), noun)}"


def _sentence(head: str, book: PlaybookEntry, basis: Basis) -> str:
    """The level with what it rests on, so that nobody takes accounts of a job for runs of the playbook."""
    if approved := basis.approved:
        last = max(run.reported for run in approved).astimezone(UTC)
        reporters = count_of(len({run.reporter if run.verified else None for run in approved}), "reporter")
        return f"{head}: {_share(approved, 'run')} worked, last on {last.day} {last:%b %Y}, {reporters}."
    rests = [f"{_share(basis.tried, 'run')} on a small prepared case worked"] if basis.tried else []
    rests += [f"{_share(basis.tests, 'test')} by the editors worked"] if basis.tests else []
    if basis.proven:
        rests.append("checks proven on it" if basis.tried else "checks proven on a small prepared case")
    ran = any(test.arm is not Arm.BARE for test in book.tested)
    rests += [_accounts(book), "no reported run yet" if ran else "this playbook itself was not run yet"]
    return f"{head}: {'; '.join(rests)}."


def _accounts(book: PlaybookEntry) -> str:
    if not book.evidence:
        return "no account of this job yet"
    failed = sum(account.outcome is Outcome.FAILED for account in book.evidence)
    return f"{count_of(len(book.evidence), 'account')} of this job{f', {failed} failed' if failed else ''}"


def _of_runs(basis: Basis) -> Iterator[str]:
    if basis.current:
        contributors = count_of(len({run.reporter for run in basis.current}), "counted contributor")
        yield f"{_share(basis.current, 'run')} of the current version by {contributors} worked"
    if others := len(basis.approved) - len(basis.current):
        yield f"{count_of(others, 'run')} of other versions or by reporters who are not counted: shown, without weight"


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
        sentence=_proof_sentence(kept, same_version=same_version, current=current),
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


def _proof_sentence(kept: ProofRecord, *, same_version: bool, current: bool) -> str:
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
    ends = f"{playbook.worked} of {playbook.run_count} worked" if playbook.run_count else "no run of its present text"
    said = [f"with the playbook {ends}"]
    if min(playbook.run_count, bare.run_count) >= LEAST_A_SIDE:
        said.append(f"bare sentence {bare.worked} of {bare.run_count}")
        gain = playbook.worked * bare.run_count - bare.worked * playbook.run_count
        said += ["so the playbook was no help there"] if gain == 0 else ["which did better there"] if gain < 0 else []
    elif bare.run_count:
        said.append(f"{count_of(bare.run_count, 'run')} of the bare sentence, too few to compare")
    who = "an AI agent that is not named" if set(agents) == {UNNAMED_AGENT} else ", ".join(agents)
    return f"Runs on the trial: {', '.join(said)}; on a small prepared case, by {who}."
