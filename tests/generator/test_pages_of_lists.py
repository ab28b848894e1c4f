"""Long lists are cut into pages, each with its place, its rows and the pages around it."""

from __future__ import annotations

import orjson
import pytest

from build.facts import Facts
from build.views.lists import PER_PAGE, PageOfRows, count, page_of, pages, part_of, parts
from tests.builders import BOOK, a_library, an_entry


@pytest.mark.parametrize(
    ("number", "pages", "near"),
    [
        (1, 1, [1]),
        (1, 3, [1, 2, 3]),
        (2, 4, [1, 2, 3, 4]),
        (1, 9, [1, 2, 3, 0, 9]),
        (5, 9, [1, 0, 3, 4, 5, 6, 7, 0, 9]),
        (4, 6, [1, 2, 3, 4, 5, 6]),
        (9, 9, [1, 0, 7, 8, 9]),
    ],
)
def test_first_last_and_neighbouring_pages_are_linked_with_gaps_between(
    number: int, pages: int, near: list[int]
) -> None:
    assert PageOfRows("playbooks", (), number, pages * PER_PAGE).near == near


def test_a_page_knows_its_path_and_its_first_row() -> None:
    part = PageOfRows("tasks/fix", (), 3, 2 * PER_PAGE + 1)
    assert (part.pages, part.first) == (3, 2 * PER_PAGE + 1)
    assert [part.path(number) for number in (1, 2)] == ["/tasks/fix/", "/tasks/fix/page/2/"]


@pytest.mark.parametrize(("rows", "number"), [(0, 1), (1, 1), (PER_PAGE, 1), (PER_PAGE + 1, 2), (2 * PER_PAGE, 2)])
def test_a_page_is_full_before_the_next_begins(rows: int, number: int) -> None:
    assert count(rows) == number


@pytest.mark.parametrize(
    ("place", "slug", "above", "title"),
    [
        ("playbooks", "", None, "All playbooks"),
        ("categories", "software", "Categories", "Software"),
        ("tasks", "fix-flaky-tests", "Jobs", "Fix flaky tests"),
        ("agents", "claude-code", "Agents", "Claude Code"),
    ],
)
def test_a_later_page_holds_the_rest_and_says_what_it_is_a_page_of(
    place: str, slug: str, above: str | None, title: str
) -> None:
    books = [an_entry(f"book-{number:03}", title=f"Title {number:03}") for number in range(PER_PAGE + 2)]
    facts = Facts(a_library(books))
    shown = page_of(facts, place, slug, 2)
    assert {name for name in pages(facts) if name[:2] == (place, slug)} == {(place, slug, 1), (place, slug, 2)}
    assert [row.slug for row in shown.rows] == ["book-100", "book-101"]
    assert (shown.number, shown.total, shown.name) == (2, PER_PAGE + 2, title)
    assert (shown.above.title if shown.above else None) == above
    assert shown.place == (f"{place}/{slug}" if slug else place)


@pytest.mark.parametrize("kind", ["agents", "categories", "tasks", "trust"])
def test_a_list_by_what_picks_it_is_cut_into_parts_that_lead_on(kind: str) -> None:
    facts = Facts(a_library([an_entry(f"book-{number:03}", title=f"Title {number:03}") for number in range(201)]))
    slug = {"agents": "claude-code", "categories": "software", "tasks": BOOK, "trust": "reported"}[kind]
    address = facts.addresses.playbooks_by(kind, slug)
    assert address.endswith(f"/by-{ {'categories': 'category'}.get(kind, kind.removesuffix('s')) }/{slug}")
    told = [orjson.loads(part_of(facts, kind, slug, number)) for number in (1, 2, 3)]
    assert [(part["total"], len(part["items"]), part["prev"], part["next"]) for part in told] == [
        (201, 100, None, f"{address}/part-2"),
        (201, 100, address, f"{address}/part-3"),
        (201, 1, f"{address}/part-2", None),
    ]
    assert [item["slug"] for part in told for item in part["items"]] == [f"book-{number:03}" for number in range(201)]
    assert (kind, slug, 4) not in parts(facts)
