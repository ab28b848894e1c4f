"""What the trust rule keeps whatever the runs are: the four promises of its design, and the order of the levels."""

from __future__ import annotations

import random
from collections.abc import Sequence
from datetime import UTC, datetime, timedelta
from itertools import product

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from library.records.entries import PlaybookEntry
from library.records.models import Run
from library.records.vocabulary import Outcome, Trust
from library.rules.trust import Verdict, counted_runs, judge
from tests.builders import TODAY, VERSION, a_run, a_test, an_account, an_entry

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


def _judged(book: PlaybookEntry, runs: Sequence[Run]) -> Verdict:
    return judge(book, runs, counted_runs([*runs, *ELSEWHERE]), TODAY)


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
