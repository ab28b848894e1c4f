"""The trust rule by example: each level, each condition of it, both demotions and the sentences."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import date
from itertools import permutations
from typing import Any

import pytest

from library.records.collection import EvidenceEntry, PlaybookEntry
from library.records.models import Run
from library.records.vocabulary import Account, Arm, Outcome, Trust
from library.rules.trust import RULE, Verdict, corroborates, counted_runs, independent, judge, runs_on_trial
from tests.builders import TODAY, a_run, a_test, a_trial_run, an_account, an_entry
from tests.test_layers import PROJECT


def others_of(*names: str) -> list[Run]:
    """One approved run by each contributor of another playbook, so that one more makes them counted."""
    return [a_run(f"other-{name}", by=name, playbook="another-book") for name in names]


def verdict(*runs: Run, book: PlaybookEntry | None = None, others: Sequence[Run] = (), today: date = TODAY) -> Verdict:
    """The verdict on the playbook whose runs these are, in a library that also holds the `others`."""
    return judge(book or an_entry(), runs, counted_runs([*runs, *others]), today)


def counted(*names: str, **changes: Any) -> list[Run]:
    """One run of the playbook by each of these contributors."""
    return [a_run(f"run-{name}", by=name, **changes) for name in names]


def days_of_november(*outcomes: str) -> list[Run]:
    """One counted run a day by the same contributor, from the first of November."""
    return [
        a_run(f"run-{day}", by="ada", outcome=outcome, reported=f"2026-11-{day:02}T12:00:00Z")
        for day, outcome in enumerate(outcomes, 1)
    ]


def test_a_playbook_without_anything_is_reported_and_says_so() -> None:
    found = verdict()
    assert found.level is Trust.REPORTED
    assert found.sentence == "Reported: no account of this job yet; this playbook itself was not run yet."
    assert found.reasons == ("no account of this job yet",)
    assert found.missing[0] == "2 independent accounts that did not fail, each with a known author"


def test_one_account_wants_one_more() -> None:
    found = verdict(book=an_entry(evidence=(an_account(),)))
    assert found.level is Trust.REPORTED
    assert found.sentence == "Reported: 1 account of this job; this playbook itself was not run yet."
    assert found.missing[0].startswith("1 more account that did not fail")


def test_two_independent_accounts_corroborate() -> None:
    found = verdict(book=an_entry(evidence=(an_account(1), an_account(2))))
    assert found.level is Trust.CORROBORATED
    assert found.sentence == "Corroborated: 2 accounts of this job; this playbook itself was not run yet."
    assert found.missing == ("1 worked run by a counted contributor, or a test by the editors, on the current version",)


@pytest.mark.parametrize(
    "changes",
    [
        {"author": "author1"},
        {"site": "site1.example"},
        {"author": None},
        {"outcome": Outcome.FAILED},
        {"outcome": None},
        {"account": Account.THIRD_PARTY},
        {"account": None},
    ],
)
def test_a_second_account_that_is_not_independent_or_did_not_work_does_not_corroborate(changes: dict[str, Any]) -> None:
    assert verdict(book=an_entry(evidence=(an_account(1), an_account(2, **changes)))).level is Trust.REPORTED


@pytest.mark.parametrize("shared", [{"incident": "outage-7"}, {"account": Account.VENDOR, "vendor": "anthropic"}])
def test_accounts_of_one_incident_or_one_vendor_count_once(shared: dict[str, Any]) -> None:
    pair = (an_account(1, **shared), an_account(2, **shared))
    assert verdict(book=an_entry(evidence=pair)).level is Trust.REPORTED
    assert verdict(book=an_entry(evidence=(*pair, an_account(3)))).level is Trust.CORROBORATED


def test_two_vendors_and_two_incidents_are_independent() -> None:
    assert independent(an_account(1, vendor="one", incident="a"), an_account(2, vendor="two", incident="b"))
    assert corroborates(an_account(account=Account.VENDOR, vendor="one", outcome=Outcome.WORKED_WITH_CHANGES))


@pytest.mark.parametrize("field", ["site", "author", "incident", "vendor"])
def test_one_shared_mark_is_enough_to_depend_on_each_other(field: str) -> None:
    one, other = an_account(1, **{field: "same"}), an_account(2, **{field: "same"})
    assert not independent(one, other)


def test_two_unknown_authors_are_not_two_authors() -> None:
    accounts: tuple[EvidenceEntry, ...] = (an_account(1, author=None), an_account(2, author=None), an_account(3))
    assert verdict(book=an_entry(evidence=accounts)).level is Trust.REPORTED


def test_two_repositories_of_a_code_forge_are_two_sites_and_two_issues_of_one_are_not() -> None:
    one, same, other = (
        an_account(number, site=f"github.com/owner/{name}") for number, name in enumerate(("a", "a", "b"))
    )
    assert verdict(book=an_entry(evidence=(one, same))).level is Trust.REPORTED
    assert verdict(book=an_entry(evidence=(one, other))).level is Trust.CORROBORATED


def test_only_a_playbook_that_nobody_ran_says_that_it_was_not_run() -> None:
    bare = an_entry(tested=(a_trial_run(arm=Arm.BARE),))
    tested = an_entry(tested=(a_test(Outcome.FAILED), a_test()))
    assert verdict(book=bare).sentence.endswith("; this playbook itself was not run yet.")
    assert verdict(book=tested).sentence == (
        "Tested: 1 of 2 tests by the editors worked; no account of this job yet; no reported run yet."
    )
    assert judge(bare, (), frozenset(), TODAY, proven=True).sentence.startswith(
        "Reported: checks proven on a small prepared case; "
    )


def test_where_only_earlier_texts_were_run_no_count_of_nought_is_said() -> None:
    found = runs_on_trial(an_entry(tested=(a_trial_run(arm=Arm.BARE),)), None)
    assert found
    assert found.sentence.startswith(
        "Runs on the trial: with the playbook no run of its present text, 1 run of the bare sentence, too few"
    )


def test_failed_accounts_are_said_aloud() -> None:
    failed = an_account(2, outcome=Outcome.FAILED)
    assert verdict(book=an_entry(evidence=(an_account(), failed))).sentence == (
        "Reported: 2 accounts of this job, 1 failed; this playbook itself was not run yet."
    )


def test_one_worked_run_by_a_counted_contributor_makes_it_tested() -> None:
    found = verdict(*counted("ada"), others=others_of("ada"))
    assert found.level is Trust.TESTED
    assert found.sentence == "Tested: 1 of 1 run worked, last on 10 Nov 2026, 1 reporter."
    assert found.reasons[1] == "1 of 1 run of the current version by 1 counted contributor worked"
    assert found.missing == ("2 more worked runs by other counted contributors",)


def test_a_run_that_worked_with_changes_worked() -> None:
    assert verdict(*counted("ada", outcome="worked_with_changes"), others=others_of("ada")).level is Trust.TESTED


def test_a_failed_run_alone_tests_nothing() -> None:
    found = verdict(*counted("ada", outcome="failed"), others=others_of("ada"))
    assert found.level is Trust.REPORTED
    assert found.sentence == "Reported: 0 of 1 run worked, last on 10 Nov 2026, 1 reporter."


def test_a_test_by_the_editors_makes_it_tested_unless_it_failed_or_is_of_an_old_version() -> None:
    worked = a_test()
    old = a_test(version="0" * 12)
    failed = a_test(Outcome.FAILED)
    found = verdict(book=an_entry(tested=(worked,)))
    assert found.level is Trust.TESTED
    assert "1 test by the editors worked on the current version" in found.reasons
    assert found.missing == ("3 more worked runs by other counted contributors",)
    assert verdict(book=an_entry(tested=(old, failed))).level is Trust.REPORTED


def test_three_counted_contributors_confirm() -> None:
    found = verdict(*counted("ada", "bo", "cy"), others=others_of("ada", "bo", "cy"))
    assert found.level is Trust.CONFIRMED
    assert found.sentence == "Confirmed: 3 of 3 runs worked, last on 10 Nov 2026, 3 reporters."
    assert found.missing == ()


def test_two_contributors_want_one_more_however_often_they_ran_it() -> None:
    more = [a_run(f"again-{number}", by="ada") for number in range(5)]
    found = verdict(*counted("ada", "bo"), *more, others=others_of("bo"))
    assert found.level is Trust.TESTED
    assert found.missing == ("1 more worked run by another counted contributor",)


@pytest.mark.parametrize(("failed", "level"), [(3, Trust.CONFIRMED), (4, Trust.TESTED)])
def test_at_least_seventy_percent_must_have_worked(failed: int, level: Trust) -> None:
    names = ["ada", "bo", "cy", "di", "ed", "flo", "gus"]
    failures = [
        a_run(f"failed-{number}", by="ada", outcome="failed", reported="2026-11-01T12:00:00Z")
        for number in range(failed)
    ]
    found = verdict(*counted(*names), *failures, others=others_of(*names))
    assert found.level is level
    wanting = "at least 70% of the last year's counted runs worked; now 7 of 11"
    assert found.missing == ((wanting,) if failed == 4 else ())


@pytest.mark.parametrize(("day", "level"), [("2025-11-20", Trust.CONFIRMED), ("2025-11-19", Trust.TESTED)])
def test_runs_confirm_for_365_days(day: str, level: Trust) -> None:
    names = ["ada", "bo", "cy"]
    assert verdict(*counted(*names, reported=f"{day}T23:59:59Z"), others=others_of(*names)).level is level


@pytest.mark.parametrize(("since", "level"), [("2026-11-03", Trust.TESTED), ("2026-11-04", Trust.REPORTED)])
def test_a_contributor_counts_seven_days_after_being_created(since: str, level: Trust) -> None:
    assert verdict(*counted("ada", contributor_since=since), others=others_of("ada")).level is level


def test_a_contributor_counts_from_the_second_approved_run_in_the_library() -> None:
    assert verdict(*counted("ada")).level is Trust.REPORTED
    assert (
        verdict(*counted("ada"), others=[a_run("x", by="ada", playbook="another-book", status="withdrawn")]).level
        is Trust.REPORTED
    )
    assert verdict(*counted("ada"), others=others_of("ada")).level is Trust.TESTED


@pytest.mark.parametrize("missing", [{"verified": False}, {"reporter": None}, {"contributor_since": None}])
def test_a_run_counts_only_when_it_was_sent_with_a_contributors_key(missing: dict[str, Any]) -> None:
    assert verdict(*counted("ada", **missing), others=others_of("ada")).level is Trust.REPORTED
    (run,) = counted("ada", **missing)
    assert run.file not in counted_runs([run, *counted("ada", playbook="another-book"), *others_of("ada")])


def test_three_fresh_handles_confirm_nothing() -> None:
    assert verdict(*counted("ada", "bo", "cy")).level is Trust.REPORTED


def test_anonymous_runs_move_nothing_and_are_shown() -> None:
    found = verdict(*(a_run(f"run-{number}", reporter="ada") for number in range(9)), others=others_of("ada"))
    assert found.level is Trust.REPORTED
    assert found.sentence == "Reported: 9 of 9 runs worked, last on 10 Nov 2026, 1 reporter."
    assert found.reasons[-1] == "9 runs of other versions or by reporters who are not counted: shown, without weight"


def test_an_anonymous_run_does_not_count_because_a_counted_one_elsewhere_has_its_id() -> None:
    others = [a_run("run-1", by="ada", playbook="another-book"), *others_of("ada")]
    assert verdict(a_run("run-1"), others=others).level is Trust.REPORTED


@pytest.mark.parametrize("state", ["pending", "rejected", "withdrawn"])
def test_a_run_that_is_not_approved_counts_nothing(state: str) -> None:
    found = verdict(*counted("ada", status=state), others=others_of("ada", "ada2"))
    assert found == verdict()


def test_a_run_of_an_old_version_is_shown_without_weight() -> None:
    found = verdict(*counted("ada", playbook_version="0" * 12), others=others_of("ada"))
    assert found.level is Trust.REPORTED
    assert found.reasons[-1] == "1 run of other versions or by reporters who are not counted: shown, without weight"


@pytest.mark.parametrize(
    ("outcomes", "failing"),
    [
        (["worked", "failed", "failed"], False),
        (["worked", "failed", "failed", "failed"], True),
        (["failed", "failed", "failed"], True),
        (["failed", "failed", "failed", "worked"], True),
        (["failed", "failed", "failed", "worked", "worked", "worked"], False),
        (["worked", "failed", "failed", "worked", "failed"], True),
        (["worked"] * 6 + ["failed", "worked", "failed", "worked", "failed", "worked"], False),
        (["worked"] * 9 + ["failed", "failed", "worked", "failed", "failed", "worked", "failed", "failed"], True),
    ],
)
def test_newly_failing_falls_back_to_what_the_evidence_gives(outcomes: list[str], failing: bool) -> None:
    runs = days_of_november(*outcomes)
    book = an_entry(evidence=(an_account(1), an_account(2)), tested=(a_test(),))
    found = verdict(*runs, book=book)
    assert found.newly_failing is failing
    assert found.level is (Trust.CORROBORATED if failing else Trust.TESTED)
    assert found.sentence.startswith("Newly failing: " if failing else "Tested: ")
    assert any("newly failing" in reason for reason in found.reasons) is failing


def test_of_the_same_moment_failures_are_the_later_ones_whatever_their_ids() -> None:
    outcomes = ("worked", "failed", "failed", "failed")
    for order in set(permutations(outcomes)):
        runs = [a_run(f"run-{number}", by="ada", outcome=outcome) for number, outcome in enumerate(order)]
        assert verdict(*runs).newly_failing


def test_the_page_tells_every_level_and_every_number_of_the_rule() -> None:
    page = (PROJECT / "site_templates/trust.html").read_text("utf-8")
    assert sorted(Trust, key=lambda level: page.index(f'level("{level}")')) == list(Trust)
    assert [name for name in RULE if f"rule.{name}" not in page] == []
