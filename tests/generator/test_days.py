"""What changed since a day, as static files: days with links between them, in words, and nothing of form alone."""

from __future__ import annotations

import re
from pathlib import Path
from typing import Any

import orjson
import pytest

from tests.builders import BOOK, TODAY
from tests.generator.test_history import BEGAN, NAME, Repository
from tests.rich import a_book
from tests.trees import built

DAY = 24 * 60 * 60
API = "https://playbooks.example/api/v1"


@pytest.fixture(scope="module")
def site(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("days")
    repository = Repository(folder / "repository")
    repository.at = BEGAN + DAY
    book = repository.content / NAME
    book.write_text(f"{book.read_text()}# a remark\n")
    repository.commit("Only its form")
    book.write_text(re.sub("updated: .*", "updated: 2026-11-18", book.read_text()) + "asked: [why is it red]\n")
    repository.commit("Only its day, and what search knows it by")
    repository.at = BEGAN + 2 * DAY
    book.write_text(book.read_text().replace("outcome: ", "outcome: Soon ", 1))
    repository.commit("Say when")
    reason = "status: withdrawn\nstatus_reason: It was unsafe."
    path = repository.content / "playbooks/gone.yaml"
    assert reason.splitlines()[0] in path.read_text()
    path.write_text(path.read_text().replace("It was unsafe", "It was not safe"))
    repository.commit("Say why")
    built(repository.content, folder / "site", TODAY)
    return folder / "site"


def answer(site: Path, name: str) -> dict[str, Any]:
    found: dict[str, Any] = orjson.loads((site / f"api/v1/changes{name}.json").read_bytes())
    return found


def test_days_are_listed_the_latest_first(site: Path) -> None:
    days = answer(site, "")
    assert [item["day"] for item in days["items"]] == ["2026-09-23", "2026-09-22", "2026-09-21"]
    assert days["items"][0]["url"] == f"{API}/changes/2026-09-23"


def test_a_day_says_what_changed_in_words_and_leads_on(site: Path) -> None:
    day = answer(site, "/2026-09-23")
    gone, asked = day["items"]
    assert (asked["slug"], asked["title"], asked["words"]) == (BOOK, "Say when", ["Outcome: changed"])
    assert (asked["name"], asked["url"]) == (a_book()["title"], f"https://playbooks.example/playbooks/{BOOK}/")
    assert (gone["slug"], gone["words"], gone["fields"]) == ("gone", ["It is withdrawn now."], [])
    assert (day["prev"], day["next"], day["total"]) == (None, f"{API}/changes/2026-09-22", 2)


def test_a_change_of_form_only_is_none(site: Path) -> None:
    day = answer(site, "/2026-09-22")
    assert (day["items"], day["total"]) == ([], 0)
    assert (day["prev"], day["next"]) == (f"{API}/changes/2026-09-23", f"{API}/changes/2026-09-21")


def test_the_first_day_has_what_was_added(site: Path) -> None:
    day = answer(site, "/2026-09-21")
    assert {(item["kind"], *item["words"]) for item in day["items"] if item["slug"] != "gone"} == {("added",)}
    assert [item["slug"] for item in day["items"]] == [BOOK, "gone", "older", "write-tests"]
    assert day["next"] is None


def test_without_a_history_there_are_no_days(rich_site: Path) -> None:
    assert answer(rich_site, "") == {"total": 0, "items": []}


def test_the_page_of_changes_is_in_words_for_readers_and_leaves_out_what_is_of_form(site: Path) -> None:
    page = (site / "changes/index.html").read_text().partition("<main")[2].partition("</main>")[0]
    assert re.findall(r'<h2 id="d-([^"]+)"', page) == ["2026-09-23", "2026-09-21"]
    latest, first = page.split('<h2 id="d-2026-09-21"')
    assert re.findall(r"<p>(?:<a [^>]*>)?([^<]*)", latest) == ["It is withdrawn now.", "Outcome changed"]
    assert "Added" in first
    assert "Only its" not in page
    own = (site / f"playbooks/{BOOK}/changes/index.html").read_text()
    assert "Outcome changed" in own
    assert "Only its" not in own
