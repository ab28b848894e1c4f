"""What a rendering reads is noted whatever way it asks, and a rendering whose notes are lacking is found out."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any, cast

import msgspec
import pytest

from build.facts import Facts
from build.recording import WHOLE, RecordedFacts, Table, differences
from build.views.routes import singleton
from library.interface.answers import AliasList
from tests.builders import BOOK, a_library, an_entry
from tests.generator.edits import (
    Edit,
    World,
    add_a_category,
    add_a_playbook,
    add_an_agent,
    change_a_playbook,
    change_a_task,
    commit_a_change,
    count_pending,
    put_a_lesson,
    put_a_run,
    put_a_wanted_task,
    retitle_a_playbook,
    rewrite_history,
)
from tests.lengths import many
from tests.rich import write_rich_content

PLAYBOOKS = "library.playbooks"


class Names(msgspec.Struct, frozen=True):
    """A value of two mappings."""

    agent: dict[str, str]
    category: dict[str, str]


def read(ask: Callable[[Facts], Any]) -> set[tuple[Table, Any]]:
    """What asking reads."""
    facts = RecordedFacts(Facts(a_library([an_entry(BOOK), an_entry("other", title="Other")])))
    ask(cast("Facts", facts))
    return set(facts.taken())


@pytest.mark.parametrize(
    ("ask", "noted"),
    [
        (lambda facts: facts.library.playbooks[BOOK], {(PLAYBOOKS, BOOK)}),
        (lambda facts: facts.library.playbooks.get("no"), {(PLAYBOOKS, "no")}),
        (lambda facts: "no" in facts.library.playbooks, {(PLAYBOOKS, "no")}),
        (lambda facts: list(facts.library.playbooks), {(PLAYBOOKS, WHOLE)}),
        (lambda facts: len(facts.library.playbooks), {(PLAYBOOKS, WHOLE)}),
        (lambda facts: list(facts.library.playbooks.values()), {(PLAYBOOKS, WHOLE)}),
        (lambda facts: dict(facts.library.playbooks.items()), {(PLAYBOOKS, WHOLE)}),
        (lambda facts: {**facts.library.playbooks}, {(PLAYBOOKS, WHOLE), (PLAYBOOKS, BOOK), (PLAYBOOKS, "other")}),
        (lambda facts: facts.library.today, {("library.today", WHOLE)}),
        (lambda facts: facts.library.all_books, {("library.all_books", WHOLE)}),
        (lambda facts: "playbooks/x.yaml" in facts.library.drafts, {("library.drafts", "playbooks/x.yaml")}),
        (lambda facts: facts.library.approved_runs(BOOK), {("library.runs", BOOK)}),
        (lambda facts: facts.history.last_day("f"), {("history.files", "f")}),
        (lambda facts: facts.statistics(BOOK), {("library.runs", BOOK), ("library.pending", BOOK)}),
    ],
)  # fmt: skip
def test_every_way_to_ask_is_noted(ask: Callable[[Facts], Any], noted: set[tuple[Table, Any]]) -> None:
    assert noted <= read(ask)
    if (PLAYBOOKS, WHOLE) not in noted:
        assert read(ask) == noted


def test_who_asks_for_what_was_worked_out_before_reads_what_it_was_made_from() -> None:
    recorded = RecordedFacts(Facts(a_library([an_entry(BOOK)])))
    facts = cast("Facts", recorded)
    facts.verdict(BOOK)
    first = recorded.taken()
    facts.verdict(BOOK)
    assert first == recorded.taken() != frozenset()


@pytest.mark.parametrize(
    ("before", "now", "found"),
    [
        ({"a": 1}, {"a": 1}, set()),
        ({"a": 1}, {"a": 2}, {"a", WHOLE}),
        ({"a": 1}, {"a": 1, "b": 2}, {"b", WHOLE}),
        ({"a": 1, "b": 2}, {"a": 1}, {"b", WHOLE}),
        ({"a": 1, "b": 2}, {"b": 2, "a": 1}, {WHOLE}),
        ({"a": None}, {}, {"a", WHOLE}),
        (frozenset("ab"), frozenset("bc"), {"a", "c", WHOLE}),
        (frozenset("ab"), frozenset("ba"), set()),
        ((1, 2), (1, 2), set()),
        ((1, 2), (2, 1), {WHOLE}),
        (None, {"a": 1}, {WHOLE}),
        ({"k": {"a": 1, "b": 2}}, {"k": {"b": 2, "a": 1}}, {"k", WHOLE}),
        (Names({"a": "A", "b": "B"}, {}), Names({"b": "B", "a": "A"}, {}), {WHOLE}),
        ((Names({}, {"a": "A"}),), (Names({}, {"a": "A"}),), set()),
        (AliasList(total=2, items={"a": "x", "b": "y"}), AliasList(total=2, items={"a": "x", "b": "y"}), set()),
        (AliasList(total=2, items={"a": "x", "b": "y"}), AliasList(total=2, items={"b": "y", "a": "x"}), {WHOLE}),
    ],
)
def test_tables_are_compared_by_value(before: object, now: object, found: set[object]) -> None:
    assert differences(before, now) == found


def test_a_table_needs_a_function_with_a_name() -> None:
    with pytest.raises(ValueError, match="a table is known by its function's name"):
        singleton("nameless", lambda _facts: Names({}, {}))


def name_of(table: Table) -> str:
    """An attribute's path, or a function's name."""
    return table if isinstance(table, str) else f"{table.__module__}.{table.__qualname__}"


FAULTS: dict[str, tuple[Edit, int]] = {
    "history.files": (rewrite_history, 0),
    "library.lessons_by_playbook": (put_a_lesson, 0),
    "library.runs": (put_a_run, 0),
    "near": (add_a_playbook, 0),
    **many(
        {},
        {
            "build.views.lists.lists": (change_a_playbook, 0),
            "build.views.feeds.changes": (commit_a_change, 0),
            "build.views.page_contexts.contributors": (change_a_playbook, 0),
            "build.views.page_contexts.home": (add_a_category, 0),
            "lessons_by_handle": (put_a_lesson, 0),
            "library.agents": (add_an_agent, 0),
            "build.views.page_contexts.all_runs": (put_a_run, 0),
            "library.lessons": (put_a_lesson, 0),
            "library.pending": (count_pending, 1),
            "library.playbooks": (retitle_a_playbook, 0),
            "library.playbooks_by_task": (add_a_playbook, 0),
            "library.tasks": (change_a_task, 0),
            "library.tasks_by_category": (put_a_wanted_task, 0),
            "runs_by_agent": (put_a_run, 0),
            "written": (put_a_lesson, 0),
        },
    ),
}
"""Tables, each with an edit that some rendering learns of by that table alone."""


@pytest.mark.slow
@pytest.mark.parametrize("table", FAULTS)
def test_a_table_whose_reads_are_not_noted_is_found_out(tmp_path: Path, table: str) -> None:
    world = World(tmp_path, write_rich_content(tmp_path))
    world.edit("site")
    edit, number = FAULTS[table]
    edit(world, number)
    assert world.resident.site
    for name, noted in world.resident.site.reads.items():
        world.resident.site.reads[name] = frozenset(read for read in noted if name_of(read[0]) != table)
    assert world.edit("site").edit
    world.build("cold")
    assert world.differences("site", "cold") != []
