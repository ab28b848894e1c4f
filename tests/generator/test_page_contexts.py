"""What pages show of long lists: so many of the latest, newest first, beside how many there are."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta

from build.facts import Facts
from build.views import page_contexts
from build.views.page_contexts import LATEST_RUNS
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
