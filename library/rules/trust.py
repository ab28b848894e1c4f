"""Trust: a pure function of evidence, tests, approved runs and the day, that explains itself.

Every number of the rule stands here, and the trust page prints it from here.
"""

from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from datetime import UTC, date, timedelta
from itertools import combinations
from typing import Any

import msgspec

from ..interface import answers
from ..records.collection import EvidenceEntry, PlaybookEntry, TestedEntry
from ..records.models import Run
from ..records.vocabulary import Account, Arm, Outcome, RunState, Trust

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
_RULE = {name.lower(): number for name, number in tuple(vars().items()) if name.isupper() and isinstance(number, int)}
"""Every number above, by its name in small letters."""


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


def rules() -> tuple[tuple[Trust, str], ...]:
    """The rule of each level in words, with its numbers."""
    return (
        (Trust.REPORTED, "What every playbook has. With no evidence the verdict says so."),
        (
            Trust.CORROBORATED,
            f"At least {MIN_ACCOUNTS} independent accounts, first-hand or a vendor's, that did not fail: known and"
            " different authors, different sites (on a code forge: different repositories), different incidents. All"
            " accounts of one vendor count once. An account without an author, or without an outcome, never"
            " corroborates.",
        ),
        (
            Trust.TESTED,
            "At least one test by the editors, or one approved run by a counted contributor, that worked, with or"
            " without changes, on the current version. Or a trial that proves the checks of the current version, and on"
            f" it at least {TRIAL_RUNS} runs of an agent with that version, in a sandbox, with transcripts that the"
            f" maintainers kept and read, of which at least {TRIAL_WORKED} worked.",
        ),
        (
            Trust.CONFIRMED,
            f"Tested, and in the last {CONFIRM_WINDOW_DAYS} days runs that worked by at least {CONFIRM_REPORTERS}"
            f" different counted contributors, and at least {CONFIRM_SHARE_PERCENT}% of counted contributors' runs"
            " worked, all on the current version.",
        ),
    )


def footnotes() -> tuple[str, ...]:
    """What the rules mean by their words, with the numbers."""
    return (
        f"A counted contributor sends reports with a key, was created at least {MIN_HANDLE_AGE_DAYS} days before the"
        f" run, and has at least {MIN_RUNS_OF_REPORTER} approved runs in the library.",
        "Reports without a key stand in the statistics; they move no level.",
        "A change of prompt, variants or steps makes a new version. A run stays with the version that it ran.",
        f"When the last {FAILING_STREAK} counted runs of the current version all failed, or of the last"
        f" {FAILING_WINDOW} at least {FAILING_STREAK} failed and more failed than worked, the level falls back to what"
        " the evidence alone gives, and the verdict says “newly failing”.",
        "Pending, rejected and withdrawn reports never count.",
        "A proof says that a playbook's checks catch planted shortcuts. It is shown beside the level and lifts nothing"
        " by itself. Runs without the playbook stand beside those with it, and never count.",
    )


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


def basis(
    book: PlaybookEntry, runs: Sequence[Run], counted: frozenset[str], today: date, *, proven: bool = False
) -> Basis:
    """What the verdict on one playbook rests on.

    `runs` are that playbook's reports in any order and state; `counted` the files from `counted_runs`. `proven` says
    that a trial proves the checks of its present version.
    """
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
    """The verdict on one playbook, from what `basis` takes."""
    return conclude(book, basis(book, runs, counted, today, proven=proven))


def trust_answer(book: PlaybookEntry, verdict: Verdict, seen: Basis, today: date, runs_url: str) -> answers.TrustAnswer:
    """The verdict on one playbook with all that goes into it."""
    worked = [run for run in seen.recent if run.outcome.good]
    return answers.TrustAnswer(
        playbook=book.slug,
        version=book.version,
        day=today,
        trust=verdict.level,
        newly_failing=verdict.newly_failing,
        rule=_RULE,
        accounts=tuple(answers.TrustAccount(**_fields(item, answers.TrustAccount)) for item in book.evidence),
        proven=seen.proven,
        tests=tuple(answers.TrustTest(**_fields(item, answers.TrustTest)) for item in (*seen.tests, *seen.tried)),
        counted=answers.CountedRuns(
            run_count=len(seen.current),
            worked_count=sum(run.outcome.good for run in seen.current),
            recent_count=len(seen.recent),
            recent_worked_count=len(worked),
            recent_reporter_count=len({run.reporter for run in worked}),
            latest=tuple(
                answers.answer_of(answers.CountedRun, run, id=run.slug)
                for run in reversed(seen.current[-FAILING_WINDOW:])
            ),
        ),
        runs_url=runs_url,
    )


def _fields(item: object, answer: type[answers.Answer]) -> dict[str, Any]:
    return {name: getattr(item, name) for name in answer.model_fields}


def conclude(book: PlaybookEntry, seen: Basis) -> Verdict:
    """The verdict on one playbook, from what it rests on."""
    approved, current, recent, tried = seen.approved, seen.current, seen.recent, seen.tried
    accounts = [account for account in book.evidence if corroborates(account)]
    corroborated = any(independent(one, other) for one, other in combinations(accounts, 2))
    tests = [test for test in seen.tests if test.outcome.good]
    held = sum(test.outcome.good for test in tried)
    trialled = seen.proven and len(tried) >= TRIAL_RUNS and held >= TRIAL_WORKED
    failing = _newly_failing(current)
    level = Trust.CORROBORATED if corroborated else Trust.REPORTED
    if not failing and (tests or trialled or any(run.outcome.good for run in current)):
        level = Trust.TESTED if _wanting_confirmation(recent) else Trust.CONFIRMED
    reasons = [_accounts(book) + (": at least two of them independent and not failed" if corroborated else "")]
    if tests:
        reasons.append(f"{_count(len(tests), 'test')} by the editors worked on the current version")
    reasons += _of_runs(approved, current)
    if failing:
        reasons.append("newly failing: the latest counted runs mostly failed, so runs and tests lend no trust for now")
    if tried:
        reasons.append(_of_trial(held, len(tried), proven=seen.proven, counts=trialled))
    said = _sentence("Newly failing" if failing else level.capitalize(), book, seen)
    return Verdict(
        level, said, tuple(reasons), tuple(_missing(level, accounts, recent, newly_failing=failing)), failing
    )


def _newly_failing(current: Sequence[Run]) -> bool:
    last = [run.outcome.good for run in current[-FAILING_WINDOW:]]
    streak = len(last) >= FAILING_STREAK and not any(last[-FAILING_STREAK:])
    failed = last.count(False)
    return streak or (failed >= FAILING_STREAK and failed > last.count(True))


def _wanting_confirmation(recent: Sequence[Run]) -> list[str]:
    worked = [run for run in recent if run.outcome.good]
    reporters = {run.reporter for run in worked}
    wanting = []
    if len(reporters) < CONFIRM_REPORTERS:
        more = CONFIRM_REPORTERS - len(reporters)
        others = "another counted contributor" if more == 1 else "other counted contributors"
        wanting.append(f"{_count(more, 'more worked run')} by {others}")
    if recent and len(worked) * 100 < CONFIRM_SHARE_PERCENT * len(recent):
        now = f"now {len(worked)} of {len(recent)}"
        wanting.append(f"at least {CONFIRM_SHARE_PERCENT}% of the last year's counted runs worked; {now}")
    return wanting


def _count(number: int, noun: str) -> str:
    return f"{number} {noun}" if number == 1 else f"{number} {noun}s"


def _of_trial(worked: int, tried: int, *, proven: bool, counts: bool) -> str:
    said = f"{worked} of {_count(tried, 'run')} on the trial with the current version worked, on a small prepared case"
    if counts:
        return f"{said}; its checks are proven"
    wanted = f"{TRIAL_RUNS} runs are wanted, {TRIAL_WORKED} of them worked" if proven else "its checks are not proven"
    return f"{said}: without weight, because {wanted}"


def _sentence(head: str, book: PlaybookEntry, seen: Basis) -> str:
    """The level with what it rests on, so that nobody takes accounts of a job for runs of the playbook."""
    if not seen.approved:
        return f"{head}: {'; '.join(_rests_on(book, seen))}."
    approved = seen.approved
    worked = f"{sum(run.outcome.good for run in approved)} of {_count(len(approved), 'run')} worked"
    last = max(run.reported for run in approved).astimezone(UTC)
    reporters = len({run.reporter if run.verified else None for run in approved})
    return f"{head}: {worked}, last on {last.day} {last:%b %Y}, {_count(reporters, 'reporter')}."


def _rests_on(book: PlaybookEntry, seen: Basis) -> Iterator[str]:
    for noun, rest, tests in (("run", "on a small prepared case", seen.tried), ("test", "by the editors", seen.tests)):
        if tests:
            yield f"{sum(test.outcome.good for test in tests)} of {_count(len(tests), noun)} {rest} worked"
    if seen.proven:
        yield "checks proven on it" if seen.tried else "checks proven on a small prepared case"
    yield _accounts(book)
    ran = any(test.arm is not Arm.BARE for test in book.tested)
    yield "no reported run yet" if ran else "this playbook itself was not run yet"


def _accounts(book: PlaybookEntry) -> str:
    if not book.evidence:
        return "no account of this job yet"
    failed = sum(account.outcome is Outcome.FAILED for account in book.evidence)
    return f"{_count(len(book.evidence), 'account')} of this job{f', {failed} failed' if failed else ''}"


def _of_runs(approved: Sequence[Run], current: Sequence[Run]) -> Iterator[str]:
    if current:
        worked = f"{sum(run.outcome.good for run in current)} of {_count(len(current), 'run')} of the current version"
        contributors = _count(len({run.reporter for run in current}), "counted contributor")
        yield f"{worked} by {contributors} worked"
    if others := len(approved) - len(current):
        yield f"{_count(others, 'run')} of other versions or by reporters who are not counted: shown, without weight"


def _missing(
    level: Trust, accounts: Sequence[EvidenceEntry], recent: Sequence[Run], *, newly_failing: bool
) -> Iterable[str]:
    if newly_failing:
        yield "worked runs by counted contributors, until they outweigh the latest failures"
    elif level is Trust.TESTED:
        yield from _wanting_confirmation(recent)
    elif level is Trust.CORROBORATED:
        yield "1 worked run by a counted contributor, or a test by the editors, on the current version"
    elif level is Trust.REPORTED:
        if accounts:
            yield "1 more account that did not fail, by another author on another site, of another incident"
        else:
            yield f"{MIN_ACCOUNTS} independent accounts that did not fail, each with a known author"
        yield "or 1 worked run by a counted contributor, or a test by the editors, on the current version"
