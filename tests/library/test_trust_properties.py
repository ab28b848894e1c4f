"""What the trust rule keeps whatever the runs are: the four promises of its design, and the order of the levels."""

from __future__ import annotations

import random
from collections.abc import Sequence
from datetime import UTC, datetime, timedelta
from itertools import product

import msgspec
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from library.records import collection
from library.records.collection import PlaybookEntry
from library.records.models import Run
from library.records.vocabulary import Arm, Outcome, Trust
from library.rules.trust import TRIAL_RUNS, Verdict, counted_runs, judge
from tests.builders import TODAY, VERSION, a_run, a_test, a_trial_run, an_account, an_entry

NAMES = ("ada", "bo", "cy", "di")
NEWCOMER = "newcomer"
ELSEWHERE = [
    a_run(f"other-{name}-{number}", by=name, playbook="another-book")
    for name in (*NAMES, NEWCOMER)
    for number in range(2)
]
"""Two approved runs of another playbook by everyone: all of them are counted contributors, whatever happens here."""

_NOON = datetime(2026, 11, 20, 12, tzinfo=UTC)
_DAYS = st.one_of(st.integers(0, 6), st.integers(350, 380), st.integers(0, 800)).map(
    lambda days: (_NOON - timedelta(days=days)).isoformat()
)
_OUTCOMES = st.sampled_from([str(outcome) for outcome in Outcome])
_PARTS = st.tuples(
    st.one_of(st.none(), st.sampled_from(NAMES)), _OUTCOMES, _DAYS, st.sampled_from([VERSION, VERSION, "0" * 12])
)
_RUNS = st.lists(_PARTS, max_size=14).map(
    lambda parts: [
        a_run(f"run-{number}", by=by, outcome=outcome, reported=day, playbook_version=version)
        for number, (by, outcome, day, version) in enumerate(parts)
    ]
)
_BOOKS = st.builds(
    lambda accounts, tests: an_entry(
        evidence=tuple(an_account(number) for number in range(accounts)),
        tested=tuple(a_test(outcome) for outcome in tests),
    ),
    st.integers(0, 2),
    st.lists(st.sampled_from(Outcome), max_size=2),
)


_TRIED = st.lists(
    st.builds(
        lambda outcome, version, arm, watched: a_trial_run(outcome, version, arm=arm, watched=watched),
        st.sampled_from(Outcome),
        st.sampled_from([VERSION, VERSION, VERSION, "0" * 12]),
        st.sampled_from([Arm.PLAYBOOK, Arm.PLAYBOOK, Arm.BARE]),
        st.sampled_from([True, True, False]),
    ),
    max_size=8,
)


def _judged(book: PlaybookEntry, runs: Sequence[Run], *, proven: bool = False) -> Verdict:
    return judge(book, runs, counted_runs([*runs, *ELSEWHERE]), TODAY, proven=proven)


def _with(book: PlaybookEntry, tried: Sequence[collection.TestedEntry]) -> PlaybookEntry:
    return msgspec.structs.replace(book, tested=(*book.tested, *tried))


@pytest.mark.slow
@settings(max_examples=200, deadline=None)
@given(_BOOKS, _RUNS, _TRIED, st.booleans(), st.sampled_from([Outcome.WORKED, Outcome.WORKED_WITH_CHANGES]))
def test_one_more_good_run_on_a_trial_never_lowers_the_level(
    book: PlaybookEntry, runs: list[Run], tried: list[collection.TestedEntry], proven: bool, outcome: Outcome
) -> None:
    before = _judged(_with(book, tried), runs, proven=proven)
    after = _judged(_with(book, [*tried, a_trial_run(outcome)]), runs, proven=proven)
    assert after.level.reaches(before.level)


@pytest.mark.slow
@settings(max_examples=200, deadline=None)
@given(_BOOKS, _RUNS, _TRIED, st.booleans(), st.sampled_from(Outcome), st.integers(0, 2))
def test_bare_unwatched_and_older_runs_on_a_trial_never_count(
    book: PlaybookEntry, runs: list[Run], tried: list[collection.TestedEntry], proven: bool, outcome: Outcome, kind: int
) -> None:
    others = (
        a_trial_run(outcome, arm=Arm.BARE),
        a_trial_run(outcome, watched=False),
        a_trial_run(outcome, version="0" * 12),
    )
    more = [others[kind]] * TRIAL_RUNS
    before, after = (_judged(_with(book, tests), runs, proven=proven) for tests in (tried, [*tried, *more]))
    assert msgspec.structs.replace(after, sentence="") == msgspec.structs.replace(before, sentence="")


@pytest.mark.slow
@settings(max_examples=100, deadline=None)
@given(_BOOKS, _RUNS, _TRIED)
def test_runs_on_a_trial_without_a_proof_and_a_proof_without_runs_lift_nothing(
    book: PlaybookEntry, runs: list[Run], tried: list[collection.TestedEntry]
) -> None:
    level = _judged(book, runs).level
    assert _judged(_with(book, tried), runs).level is level
    assert msgspec.structs.replace(_judged(book, runs, proven=True), sentence="") == msgspec.structs.replace(
        _judged(book, runs), sentence=""
    )


@pytest.mark.slow
@settings(max_examples=100, deadline=None)
@given(_BOOKS, _RUNS, _TRIED)
def test_a_trial_raises_to_tested_and_never_to_confirmed(
    book: PlaybookEntry, runs: list[Run], tried: list[collection.TestedEntry]
) -> None:
    before, after = _judged(book, runs), _judged(_with(book, tried), runs, proven=True)
    assert after.level in (before.level, Trust.TESTED)
    assert after.level.reaches(before.level)


def test_three_runs_of_which_two_worked_are_enough() -> None:
    tried = [a_trial_run(), a_trial_run(), a_trial_run(Outcome.FAILED)]
    found = _judged(_with(an_entry(), tried), [], proven=True)
    assert found.level is Trust.TESTED
    assert found.sentence == (
        "Tested: 2 of 3 runs on a small prepared case worked; checks proven on it; no account of this job yet;"
        " no reported run yet."
    )
    assert _judged(_with(an_entry(), tried[:2]), [], proven=True).level is Trust.REPORTED
    assert _judged(_with(an_entry(), tried[1:] * 2), [], proven=True).level is Trust.TESTED
    assert _judged(_with(an_entry(), [*tried[1:], tried[2]]), [], proven=True).level is Trust.REPORTED
    assert any("without weight" in reason for reason in _judged(_with(an_entry(), tried), []).reasons)


@pytest.mark.slow
@settings(max_examples=300, deadline=None)
@given(_BOOKS, _RUNS, _DAYS, st.sampled_from(["worked", "worked_with_changes"]))
def test_a_worked_run_by_one_more_counted_contributor_never_lowers_the_level(
    book: PlaybookEntry, runs: list[Run], day: str, outcome: str
) -> None:
    more = a_run("more", by=NEWCOMER, outcome=outcome, reported=day)
    assert _judged(book, [*runs, more]).level.reaches(_judged(book, runs).level)


@pytest.mark.slow
@settings(max_examples=300, deadline=None)
@given(_BOOKS, _RUNS, _DAYS, st.sampled_from([None, NEWCOMER, *NAMES]))
def test_a_failed_run_never_raises_the_level(book: PlaybookEntry, runs: list[Run], day: str, by: str | None) -> None:
    more = a_run("more", by=by, outcome="failed", reported=day)
    assert _judged(book, runs).level.reaches(_judged(book, [*runs, more]).level)


@pytest.mark.slow
@settings(max_examples=200, deadline=None)
@given(_BOOKS, _RUNS, st.randoms(use_true_random=False))
def test_neither_order_nor_ids_matter(book: PlaybookEntry, runs: list[Run], chance: random.Random) -> None:
    ids = [f"id-{number}" for number in range(len(runs))]
    chance.shuffle(ids)
    mixed = [run.model_copy().filed(f"runs/{run.playbook}/{name}.yaml") for name, run in zip(ids, runs, strict=True)]
    chance.shuffle(mixed)
    assert _judged(book, mixed) == _judged(book, runs)


@pytest.mark.slow
@settings(max_examples=200, deadline=None)
@given(_BOOKS, _RUNS, _RUNS, st.sampled_from(["pending", "rejected", "withdrawn"]))
def test_pending_rejected_and_withdrawn_runs_never_count(
    book: PlaybookEntry, runs: list[Run], noise: list[Run], state: str
) -> None:
    silent = [
        a_run(f"silent-{number}", by=run.reporter, outcome=run.outcome, reported=run.reported.isoformat(), status=state)
        for number, run in enumerate(noise)
    ]
    assert _judged(book, [*runs, *silent]) == _judged(book, runs)


@pytest.mark.slow
@settings(max_examples=60, deadline=None)
@given(_BOOKS, _RUNS)
def test_a_verdict_always_explains_itself(book: PlaybookEntry, runs: list[Run]) -> None:
    found = _judged(book, runs)
    assert found.sentence.endswith(".")
    assert found.reasons
    assert bool(found.missing) is (found.level is not Trust.CONFIRMED)
    assert not (found.newly_failing and found.level.reaches(Trust.TESTED))
    assert " 1 runs" not in found.sentence
    assert " 1 reporters" not in found.sentence


def test_reaching_a_floor_is_a_total_order_from_reported_to_confirmed() -> None:
    levels = list(Trust)
    assert [level.rank for level in levels] == [0, 1, 2, 3]
    for one, other, third in product(levels, repeat=3):
        assert one.reaches(one)
        assert one.reaches(other) or other.reaches(one)
        assert not (one.reaches(other) and other.reaches(one)) or one is other
        assert not (one.reaches(other) and other.reaches(third)) or one.reaches(third)
