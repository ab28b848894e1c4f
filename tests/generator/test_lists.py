"""Long lists: a hundred rows a page, pages that come and go with their rows, and all rows in columns."""

from __future__ import annotations

from pathlib import Path

import orjson
import pytest

from build.facts import Facts
from build.views.lists import PER_PAGE, PageOfRows, count, listings
from library.content.formatting import canonical
from library.records.vocabulary import Outcome
from tests.builders import AGENT, BOOK, a_library, a_trial_run, an_account, an_entry, put, write_content
from tests.rich import a_book, write_rich_content
from tests.trees import built, differences


def near(number: int, total: int) -> list[int]:
    return PageOfRows("playbooks", (), number, total).near


@pytest.mark.parametrize(
    ("number", "pages", "wanted"),
    [
        (1, 1, [1]),
        (1, 3, [1, 2, 3]),
        (1, 9, [1, 2, 3, 0, 9]),
        (5, 9, [1, 0, 3, 4, 5, 6, 7, 0, 9]),
        (4, 9, [1, 2, 3, 4, 5, 6, 0, 9]),
        (9, 9, [1, 0, 7, 8, 9]),
    ],
)
def test_near_pages_are_linked_and_the_ends(number: int, pages: int, wanted: list[int]) -> None:
    assert near(number, pages * PER_PAGE) == wanted


@pytest.mark.parametrize(("rows", "pages"), [(0, 1), (1, 1), (PER_PAGE, 1), (PER_PAGE + 1, 2), (10_000, 100)])
def test_pages_hold_a_hundred(rows: int, pages: int) -> None:
    assert count(rows) == pages


def put_book(content: Path, number: int, **changes: object) -> None:
    name = f"playbooks/weed-{number:03}.yaml"
    book = a_book(title=f"Weed bed {number:03}", prompt=f"Weed bed {number} of {{{{garden}}}}.", **changes)
    put(content, name, canonical(book, name))


@pytest.mark.slow
def test_pages_come_and_go_with_their_rows(tmp_path: Path) -> None:
    content = write_content(tmp_path)
    for number in range(PER_PAGE - 1):
        put_book(content, number)
    out, places = tmp_path / "out", ("playbooks", "categories/software", "agents/claude-code", f"tasks/{BOOK}")
    pages = [out / place / "page" / "2" / "index.html" for place in places]

    def same_as_cold(name: str) -> None:
        built(content, tmp_path / name)
        assert differences(out, tmp_path / name) == []

    built(content, out)
    assert not any(page.exists() for page in pages)
    put_book(content, PER_PAGE)
    built(content, out)
    assert all(page.exists() for page in pages)
    assert "Weed bed 100" in pages[0].read_text()
    same_as_cold("more")
    put_book(content, 5, risk="medium")
    built(content, out)
    same_as_cold("changed")
    (content / "playbooks" / "weed-005.yaml").unlink()
    built(content, out)
    assert not any(page.exists() for page in pages)
    same_as_cold("fewer")


@pytest.mark.slow
def test_an_agents_page_keeps_what_names_it_apart_from_what_is_for_any(tmp_path: Path) -> None:
    content = write_content(tmp_path)
    put(content, "agents/any-agent.yaml", AGENT.replace("Claude Code", "Any agent"))
    put(content, "agents/cursor.yaml", AGENT.replace("Claude Code", "Cursor"))
    put_book(content, 1, agents=["any-agent"])
    put_book(content, 2, agents=["claude-code", "any-agent"])
    built(content, tmp_path / "out")
    other = "Playbooks for any agent"
    for form, whole in (("/index.html", "for any agent"), (".md", "Playbooks")):
        text = (tmp_path / "out" / f"agents/claude-code{form}").read_text()
        named, rest = text[text.index("with an account of") :].split(other)
        assert [("Fix flaky tests" in part, "bed 001" in part, "bed 002" in part) for part in (named, rest)] == [
            (True, False, True),
            (False, True, False),
        ]
        unnamed = (tmp_path / "out" / f"agents/cursor{form}").read_text()
        assert "bed 001" in unnamed[unnamed.index(other) :]
        every = (tmp_path / "out" / f"agents/any-agent{form}").read_text()
        assert "with an account of" not in every
        assert "bed 001" in every[every.index(whole) :]
    answer = orjson.loads((tmp_path / "out/api/v1/agents/claude-code.json").read_bytes())
    assert answer["playbooks"] == [BOOK, "weed-002"]


@pytest.mark.slow
def test_all_rows_stand_in_columns_of_one_length(tmp_path: Path) -> None:
    content = write_rich_content(tmp_path)
    built(content, tmp_path / "out")
    whole = orjson.loads((tmp_path / "out" / "playbooks" / "rows.json").read_bytes())
    rows, words = whole["rows"], whole["words"]
    assert {len(column) for column in rows.values()} == {4}
    at = rows["slug"].index(BOOK)
    row = {name: column[at] for name, column in rows.items()}
    assert (row["title"], row["runs"], row["last"], row["least"]) == ("Fix flaky tests", 6, "2026-10-07", 20)
    assert [words[name][row[name]] for name in ("trust", "risk", "status")] == ["tested", "high", "active"]
    assert [words["agents"][number] for number in row["agents"]] == [
        ["claude-code", "Claude Code"],
        ["cursor", "Cursor"],
    ]
    assert words["category"][row["category"]] == ["software", "Software"]
    assert [words["marks"][number] for number in row["marks"]][:2] == [
        ["trust tested", "Tested"],
        ["outcome worked", "5 of 6 runs worked"],
    ]


@pytest.mark.parametrize(
    ("minutes", "words"),
    [
        (None, ""),
        ((10, 14), "10 to 14 min"),
        ((45, 45), "45 min"),
        ((15, 120), "15 min to 2 h"),
        ((150, 2_040), "2.5 to 34 h"),
        ((240, 20_160), "4 h to 14 d"),
    ],
)
def test_minutes_are_told_as_people_say_them(minutes: tuple[int, int] | None, words: str) -> None:
    row = listings(Facts(a_library([an_entry(minutes=minutes)])))[BOOK].row
    assert row.time == words


def test_a_row_says_what_its_playbook_rests_on_and_no_row_says_that_nobody_ran_it() -> None:
    accounts = tuple(
        an_account(one, outcome=end) for one, end in enumerate((Outcome.WORKED, Outcome.FAILED, Outcome.FAILED))
    )
    tried = tuple(a_trial_run(outcome) for outcome in (Outcome.FAILED, Outcome.WORKED, Outcome.FAILED))
    books = [an_entry(), an_entry("told", evidence=accounts, tested=tried)]
    rows = {slug: made.row for slug, made in listings(Facts(a_library(books))).items()}
    assert [mark.words for mark in rows[BOOK].marks] == ["no accounts"]
    assert [(mark.kind, mark.words) for mark in rows["told"].marks] == [
        ("outcome failed", "1 of 3 runs on a trial worked"),
        ("n", "3 accounts: 1 worked, 2 failed"),
    ]
    assert rows[BOOK].last_proof is None
