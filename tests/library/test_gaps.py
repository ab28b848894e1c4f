"""Where the library is thin: every kind of gap with its records, and what is full in none; the summary's counts."""

from __future__ import annotations

from dataclasses import replace
from datetime import timedelta

from library.records.models import Usage
from library.records.trials import TrialSpec
from library.records.vocabulary import Outcome, Status
from library.rules.statistics import STALE_DAYS, breadth_lines, gap_lines, summary_lines
from tests.builders import BOOK, TODAY, a_lesson, a_library, a_run, a_task, an_account, an_agent, an_entry

KINDS = (
    "jobs with one account only",
    "playbooks with one account only",
    "playbooks without an account that can corroborate",
    "jobs that are wanted",
    "agents without a playbook",
    "playbooks without a reference",
    "playbooks without a lesson",
    "stale references",
    "playbooks without a run",
    "playbooks without a trial",
    "names of agents that are no alias",
    "names of models that are no alias",
)
FRESH = (TODAY - timedelta(days=STALE_DAYS)).isoformat()
STALE = (TODAY - timedelta(days=STALE_DAYS + 1)).isoformat()
OLDEST = "2024-01-01"


def test_a_full_library_has_no_gaps() -> None:
    book = an_entry(evidence=(an_account(1), an_account(2)), references_checked=(FRESH,))
    library = replace(
        a_library([book], runs=[a_run()], lessons=[a_lesson()]),
        trials={BOOK: TrialSpec(playbook=BOOK, sentence="Do it.", done="It is done.", checks={"1": "true"})},
    )
    assert list(gap_lines(library)) == [f"{name}: 0" for name in KINDS]


def test_breadth_stands_beside_what_people_use_ai_for() -> None:
    usage = Usage(title="A study", url="https://study.example", checked=TODAY, percent=37, of="all questions")
    library = a_library([an_entry()], categories=("software", "data"))
    library = replace(
        library,
        categories={**library.categories, "data": library.categories["data"].model_copy(update={"usage": usage})},
    )
    assert list(breadth_lines(library)) == [
        "breadth by category",
        "  software: jobs 1, playbooks 1, proven 0; no study's figure",
        "  data: jobs 0, playbooks 0, proven 0; 37% of all questions",
    ]


def test_every_gap_is_named_in_order_and_only_active_playbooks_have_some() -> None:
    books = [
        an_entry(
            "b-thin", task="other", evidence=(an_account(1, outcome=Outcome.FAILED),), references_checked=(STALE, FRESH)
        ),
        an_entry("a-bare", task="bare"),
        an_entry(
            "c-full",
            no_trial="It needs a cluster.",
            evidence=(an_account(1), an_account(2)),
            references_checked=(STALE, OLDEST, FRESH),
        ),
        an_entry("d-old", status=Status.DEPRECATED, task="bare"),
    ]
    jobs = [a_task(), a_task("other", wanted=True), a_task("bare"), a_task("asked", wanted=True)]
    library = a_library(
        books,
        tasks=jobs,
        agents=[an_agent(), an_agent("z-none"), an_agent("m-none")],
        lessons=[a_lesson(playbooks=("c-full",))],
        runs=[a_run(playbook="c-full"), *(a_run(f"r{n}", playbook="c-full", agent="Own", model="m 1") for n in (1, 2))],
    )
    name, counts = "", dict[str, int]()
    found: dict[str, list[str]] = {}
    for line in gap_lines(library):
        if line.startswith("  "):
            found[name].append(line.strip())
        else:
            name, _, count = line.rpartition(": ")
            counts[name], found[name] = int(count), []
    assert {name: len(rows) for name, rows in found.items()} == counts
    assert {name: sorted(rows) for name, rows in found.items()} == {
        KINDS[0]: ["bare: 0", "other: 1"],
        KINDS[1]: ["b-thin"],
        KINDS[2]: ["a-bare", "b-thin"],
        KINDS[3]: ["asked", "other"],
        KINDS[4]: ["m-none", "z-none"],
        KINDS[5]: ["a-bare"],
        KINDS[6]: ["a-bare", "b-thin"],
        KINDS[7]: [f"b-thin: 1, oldest {STALE}", f"c-full: 2, oldest {OLDEST}"],
        KINDS[8]: ["a-bare", "b-thin"],
        KINDS[9]: ["a-bare: no trial yet", "b-thin: no trial yet", "c-full: It needs a cluster."],
        KINDS[10]: ["Own: 2"],
        KINDS[11]: ["m 1: 2"],
    }
    assert found[KINDS[0]] == ["bare: 0", "other: 1"]
    assert found[KINDS[3]] == ["asked", "other"]
    assert found[KINDS[4]] == ["m-none", "z-none"]


def test_a_summary_counts_everything_in_its_line() -> None:
    evidence = (
        an_account(1),
        an_account(2, outcome=Outcome.WORKED_WITH_CHANGES),
        an_account(3, outcome=Outcome.FAILED),
    )
    books = [an_entry(evidence=evidence), an_entry("other", task="other")]
    runs = [a_run("r1", by="ada"), a_run("r2", outcome="failed"), a_run("r3", status="withdrawn")]
    library = a_library(
        books, tasks=[a_task(), a_task("other")], runs=runs, lessons=[a_lesson()], categories=("software", "home")
    )
    assert list(summary_lines(library)) == [
        "playbooks   2",
        "lessons     1",
        "agents      1",
        "tasks       2",
        "evidence    3 (1 worked, 1 worked with changes, 1 failed)",
        "runs        2 approved, 1 of them failed",
        "trust       1 reported, 1 corroborated, 0 tested, 0 confirmed",
        "proofs      0 playbooks, 0 of 0 shortcuts caught",
        "categories  software 2, home 0",
    ]
    assert library.playbooks[BOOK].evidence == evidence
