"""What pages show of long lists: so many of the latest, newest first, beside how many there are."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta

import pytest

from build.facts import Facts
from build.views import page_contexts
from build.views.page_contexts import LATEST_RUNS
from library.interface.answers import RunMonth
from tests.builders import BOOK, a_library, a_run

NOON = datetime(2026, 11, 10, 12, tzinfo=UTC)
MANY = LATEST_RUNS + 3


def many() -> Facts:
    """A library with more reports of its one playbook than any page shows; the highest number is the latest."""
    times = [(NOON - timedelta(minutes=MANY - number)).isoformat() for number in range(MANY)]
    return Facts(a_library(runs=[a_run(f"run-{number}", by="ada", reported=at) for number, at in enumerate(times)]))


def latest() -> list[str]:
    return [f"run-{number}" for number in range(MANY - 1, MANY - LATEST_RUNS - 1, -1)]


def test_every_list_of_reports_holds_the_latest_first_and_says_how_many_there_are() -> None:
    facts = many()
    assert [run.id for run in page_contexts.playbook(facts, BOOK).latest] == latest()
    assert [run.id for run in page_contexts.contributor(facts, "ada").runs] == latest()
    for answer in (page_contexts.all_runs(facts), page_contexts.runs_of(facts, BOOK)):
        assert [run.id for run in answer.items] == latest()
        assert answer.total == MANY


def record(facts: Facts, slug: str = "") -> dict[str, RunMonth]:
    """Every page of the record of the library, or of a playbook, by its address below that of the list."""
    top = f"by-playbook/{slug}/" if slug else ""
    base = f"https://playbooks.example/api/v1/runs/{top}"
    names = [name for name in page_contexts.run_pages(facts) if name.startswith(f"{slug}/")]
    return {f"{base}{name.partition('/')[2]}": page_contexts.page_of_runs(facts, name) for name in names}


@pytest.mark.parametrize("slug", ["", BOOK])
def test_every_report_is_reached_from_the_latest_by_next_and_back_by_prev(slug: str) -> None:
    older = [a_run(f"older-{day}", reported=f"2026-09-{day:02}T00:00:00Z") for day in (1, 30)]
    first = a_run("first", reported="2025-12-31T23:59:59Z", status="withdrawn", lesson="It went.")
    facts = Facts(a_library(runs=[*many().library.all_runs, *older, first]))
    pages = record(facts, slug)
    found, at, before = [], (page_contexts.runs_of(facts, slug) if slug else page_contexts.all_runs(facts)).next, None
    while at:
        page = pages.pop(at)
        assert page.prev == before
        before, at = at, page.next
        found.append((before.partition("/runs/")[2].removeprefix(f"by-playbook/{slug}/"), page.total, len(page.items)))
    assert not pages
    assert found == [("2026/11", 103, 3), ("2026/11-1", 103, 100), ("2026/09", 2, 2), ("2025/12", 1, 1)]
    here = "https://playbooks.example"
    links = {
        "self": f"{here}/api/v1/runs/first",
        "page": f"{here}/playbooks/{BOOK}/#runs",
        "playbook": f"{here}/api/v1/playbooks/{BOOK}",
    }
    gone = {"id": "first", "playbook": BOOK, "reported": "2025-12-31T23:59:59Z", "withdrawn": True}
    tombstone = {**gone, "links": links}
    assert [item.model_dump(mode="json") for item in page.items] == [tombstone]


def test_a_month_to_which_nothing_is_added_keeps_its_bytes_and_so_do_full_pages() -> None:
    runs = [
        a_run(f"run-{at:%m-%d-%H}", reported=at.isoformat()) for at in (NOON + timedelta(hours=n) for n in range(250))
    ]
    before = record(Facts(a_library(runs=runs)))
    after = record(Facts(a_library(runs=[*runs, a_run("new", reported="2026-11-30T00:00:00Z")])))
    same = {
        name.partition("/runs/")[2] for name, page in before.items() if after[name].json_bytes() == page.json_bytes()
    }
    month = {"2026/11", "2026/11-1", "2026/11-2"}
    assert (before.keys(), same) == (after.keys(), set())
    assert {name.partition("/runs/")[2] for name in after} == month
    full = [name for name in before if name.endswith(("-1", "-2"))]
    assert all(after[name].items == before[name].items for name in full)
    december = record(Facts(a_library(runs=[*runs, a_run("new", reported="2026-12-01T00:00:00Z")])))
    assert [name for name in full if december[name].json_bytes() != before[name].json_bytes()] == []
