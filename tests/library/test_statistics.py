"""Counts of runs and of the library: they add up, and the order in which runs come does not matter."""

from __future__ import annotations

import random
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from library.records.models import AIModel, Run
from library.records.vocabulary import Outcome, RunState, Trust
from library.rules.statistics import library_statistics, reporters, run_statistics
from library.rules.trust import counted_runs, judge
from tests.builders import BOOK, TODAY, a_lesson, a_library, a_run, a_test, an_account, an_agent, an_entry


def _numbered(parts: list[dict[str, Any]]) -> list[Run]:
    return [a_run(f"run-{number}", **part) for number, part in enumerate(parts)]


_RUNS = st.lists(
    st.builds(
        dict[str, Any],
        by=st.sampled_from([None, "ada", "bo"]),
        outcome=st.sampled_from([str(outcome) for outcome in Outcome]),
        status=st.sampled_from([str(state) for state in RunState]),
        agent=st.sampled_from(["claude-code", "aider"]),
        model=st.sampled_from([None, "m1"]),
        playbook_version=st.sampled_from(["0" * 12, "1" * 12]),
        reported=st.sampled_from(["2026-11-01T00:00:00Z", "2026-11-02T00:00:00Z"]),
    ),
    max_size=15,
).map(_numbered)


def test_no_runs_are_zeros_and_no_last_report() -> None:
    counts = run_statistics(a_library(pending={BOOK: 2}), BOOK)
    assert (counts.approved, counts.worked, counts.with_changes, counts.failed, counts.pending) == (0, 0, 0, 0, 2)
    assert (counts.reporters, counts.last_report, counts.versions) == (0, None, ())


def test_all_anonymous_reports_together_are_one_reporter() -> None:
    runs = [a_run("a", by="ada"), a_run("b", by="ada"), a_run("c", by="bo"), a_run("d"), a_run("e", reporter="ada")]
    assert reporters(runs) == 3
    assert reporters([]) == 0


def test_runs_are_grouped_by_version_agent_and_model_each_by_its_one_name() -> None:
    runs = [
        a_run("a", agent="Claude Code 2.1", model="m-1"),
        a_run("b", agent="claude_code", model="vendor/m-1@2026-10", outcome="failed", reported="2026-11-12T12:00:00Z"),
        a_run("c", agent="claude code cli", outcome="worked_with_changes"),
        a_run("d", playbook_version="0" * 12, reported="2026-11-09T12:00:00Z"),
        a_run("e", agent="nobody's", model="unheard of", reported="2026-11-08T12:00:00Z"),
        a_run("f", agent="roo", model="m-2", reported="2026-11-08T12:00:00Z"),
    ]
    models = [AIModel(slug="m-1", name="M 1")]
    groups = run_statistics(a_library(runs=runs, models=models), BOOK).versions
    assert [(group.playbook_version == "0" * 12, group.agent, group.model, group.approved) for group in groups] == [
        (False, "claude-code", "m-1", 2),
        (False, "claude-code", None, 1),
        (True, "claude-code", None, 1),
        (False, "other", "other", 2),
    ]
    assert (groups[0].worked, groups[0].failed, groups[0].last_report.day) == (1, 1, 12)


def test_of_many_versions_the_fifty_with_the_newest_reports_are_told_and_how_many_more_there_are() -> None:
    runs = [
        a_run(f"r{number}", playbook_version=f"{number:012x}", reported=f"2026-10-{number % 28 + 1:02}T00:00:00Z")
        for number in range(53)
    ]
    counts = run_statistics(a_library(runs=runs), BOOK)
    assert (len(counts.versions), counts.more, counts.approved) == (50, 3, 53)
    days = [group.last_report for group in counts.versions]
    assert days == sorted(days, reverse=True)
    assert min(days) >= sorted(run.reported for run in runs)[3]


@pytest.mark.slow
@settings(max_examples=120, deadline=None)
@given(_RUNS, st.randoms(use_true_random=False))
def test_run_statistics_add_up_in_any_order(runs: list[Run], chance: random.Random) -> None:
    counts = run_statistics(a_library(runs=runs), BOOK)
    mixed = list(runs)
    chance.shuffle(mixed)
    assert run_statistics(a_library(runs=mixed), BOOK) == counts
    assert counts.approved == sum(run.status is RunState.APPROVED for run in runs)
    assert counts.withdrawn_count == sum(run.status is RunState.WITHDRAWN for run in runs)
    assert counts.worked + counts.with_changes + counts.failed == counts.approved
    assert sum(group.approved for group in counts.versions) == counts.approved
    assert all(group.worked + group.with_changes + group.failed == group.approved for group in counts.versions)
    assert bool(counts.reporters) is (counts.last_report is not None) is bool(counts.approved)
    assert counts.last_report == max((group.last_report for group in counts.versions), default=None)


def test_the_statistics_of_the_library_count_everything_once() -> None:
    books = [
        an_entry("first", evidence=(an_account(1), an_account(2))),
        an_entry("second", agents=("claude-code", "aider"), tested=(a_test(),)),
        an_entry("third", agents=("aider",)),
    ]
    runs = [
        a_run("a", by="ada", playbook="first"),
        a_run("b", playbook="second", outcome="failed"),
        a_run("c", playbook="second", status="withdrawn"),
    ]
    library = a_library(
        books,
        runs=runs,
        lessons=[a_lesson()],
        agents=[an_agent(), an_agent("aider", name="Aider")],
        categories=("software", "data"),
        pending={"first": 2, "third": 1},
    )
    counted = counted_runs(runs)
    stats = library_statistics(
        library, [judge(book, library.runs.get(book.slug, ()), counted, TODAY).level for book in books]
    )
    assert (
        stats.playbook_count,
        stats.lesson_count,
        stats.agent_count,
        stats.task_count,
        stats.evidence_count,
        stats.reporters,
    ) == (
        3,
        1,
        2,
        1,
        2,
        2,
    )
    assert (stats.runs.approved, stats.runs.worked, stats.runs.failed, stats.runs.pending) == (2, 1, 1, 3)
    assert stats.by_trust == {Trust.REPORTED: 1, Trust.CORROBORATED: 1, Trust.TESTED: 1, Trust.CONFIRMED: 0}
    assert [
        (item.slug, item.playbook_count, item.task_count, item.proven_count, item.evidence_count)
        for item in stats.by_category
    ] == [
        ("software", 3, 1, 0, 2),
        ("data", 0, 0, 0, 0),
    ]
    assert [(item.slug, item.name, item.playbook_count) for item in stats.by_agent] == [
        ("aider", "Aider", 2),
        ("claude-code", "Claude Code", 2),
    ]
