"""Feeds that readers of feeds accept, each beside its page; the site map, whole and in parts."""

from __future__ import annotations

import re
from datetime import datetime
from pathlib import Path
from typing import Any
from xml.etree import ElementTree

import feedparser
import orjson
import pytest

from build.facts import Facts
from build.views import feeds
from build.views.feeds import MOST, VERSION, of_playbooks
from library.content.formatting import canonical
from library.content.history import EMPTY, Change, History
from tests.builders import BOOK, a_lesson, a_library, a_task, an_entry, put
from tests.rich import HOSTILE, a_book, write_rich_content
from tests.trees import built, differences

TOP = "https://playbooks.example/"
FOLDERS = ("", "playbooks/", "lessons/", "categories/software/", f"tasks/{BOOK}/", "agents/cursor/", "changes/",
           f"playbooks/{BOOK}/", "playbooks/older/", "playbooks/gone/", "tasks/nobody-yet/")  # fmt: skip
NAME = f"playbooks/{BOOK}.yaml"
OLD = canonical(a_book(cost="Much", prompt=HOSTILE), NAME)
NEW = canonical(a_book(cost="Little"), NAME)


def a_change(number: int, before: str, after: str) -> Change:
    return Change(f"{number}" * 40, number, 1_790_000_000 + number, "ada-l", f"{HOSTILE} {number}", before, after)


HISTORY = History(
    "head",
    {NAME: [a_change(2, "1" * 40, "2" * 40), a_change(1, EMPTY, "1" * 40)],
     "playbooks/older.yaml": [a_change(1, EMPTY, "1" * 40)]},
    {"1" * 40: OLD, "2" * 40: NEW}.get,
)  # fmt: skip


@pytest.fixture(scope="module")
def site(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("feeds")
    built(write_rich_content(folder), folder / "site", history=HISTORY)
    return folder / "site"


def json_feed(path: Path) -> dict[str, Any]:
    """A JSON feed that keeps the rules of version 1.1."""
    feed: dict[str, Any] = orjson.loads(path.read_bytes())
    assert feed["version"] == VERSION
    assert feed["title"]
    assert all(author["name"] for author in feed["authors"])
    known = {"version", "title", "home_page_url", "feed_url", "language", "authors", "items"}
    assert feed.keys() <= known
    for item in feed["items"]:
        assert isinstance(item["id"], str)
        assert item["url"].startswith(TOP)
        assert isinstance(item["content_text"], str)
        assert datetime.fromisoformat(item["date_modified"]).tzinfo
        assert item.keys() <= {"id", "url", "title", "content_text", "date_modified"}
    assert len({item["id"] for item in feed["items"]}) == len(feed["items"])
    return feed


@pytest.mark.slow
@pytest.mark.parametrize("folder", FOLDERS)
def test_a_feed_is_valid_in_both_forms_which_say_the_same(site: Path, folder: str) -> None:
    atom, other = feedparser.parse((site / folder / "feed.xml").read_bytes()), json_feed(site / folder / "feed.json")
    assert atom.bozo is False
    assert atom.version == "atom10"
    assert (atom.feed.title, atom.feed.id) == (other["title"], other["home_page_url"])
    links = {(link.rel, link.type): link.href for link in atom.feed.links}
    assert links["self", "application/atom+xml"] == f"{TOP}{folder}feed.xml"
    assert links["alternate", "application/feed+json"] == other["feed_url"] == f"{TOP}{folder}feed.json"
    assert [(entry.id, entry.link, entry.title, entry.updated) for entry in atom.entries] == [
        (item["id"], item["url"], item["title"], item["date_modified"]) for item in other["items"]
    ]
    assert [entry.updated for entry in atom.entries] == sorted((entry.updated for entry in atom.entries), reverse=True)
    for item in other["items"]:
        page, _, place = item["url"].removeprefix(TOP).partition("#")
        html = (site / page / "index.html").read_text()
        assert not place or f'id="{place}"' in html


@pytest.mark.slow
@pytest.mark.parametrize("folder", [name for name in FOLDERS if name != "playbooks/gone/"])
def test_a_page_names_its_feeds(site: Path, folder: str) -> None:
    html = (site / folder / "index.html").read_text()
    for name, kind in (("feed.xml", "atom"), ("feed.json", "feed")):
        assert re.search(rf'<link rel="alternate" type="application/{kind}\+\w+"[^>]* href="/{folder}{name}">', html)


def test_a_playbooks_feed_tells_its_changes_in_words(site: Path) -> None:
    newest, first = json_feed(site / f"playbooks/{BOOK}/feed.json")["items"]
    assert newest["title"] == "Fix flaky tests: Cost: changed; Prompt: changed"
    assert newest["url"] == f"{TOP}playbooks/{BOOK}/changes/#c-2222222222"
    assert first["title"] == "Fix flaky tests: Added"
    [alone] = json_feed(site / "playbooks/gone/feed.json")["items"]
    assert alone["date_modified"] == "2026-11-01T00:00:00Z"


def test_the_feed_of_changes_says_what_each_means_for_a_reader(site: Path) -> None:
    newest, *first = json_feed(site / "changes/feed.json")["items"]
    assert newest["title"] == "Fix flaky tests: Cost: changed; Prompt: changed"
    assert newest["content_text"].startswith("Cost: changed; Prompt: changed. ")
    assert [item["title"] for item in first] == ["Fix flaky tests: Added", "Rerun until green: Added"]
    assert first[0]["content_text"] == f"Added. {HOSTILE} 1"


def test_without_git_the_page_of_changes_says_so(rich_site: Path) -> None:
    assert "built without its git history" in (rich_site / "changes/index.html").read_text()
    assert json_feed(rich_site / "changes/feed.json")["items"] == []


def test_a_feed_holds_the_latest_only_and_changes_with_them_alone() -> None:
    books = [an_entry(f"book-{number:03}", updated=f"2026-01-{number % 28 + 1:02}") for number in range(80)]
    shown = of_playbooks(Facts(a_library(books)))
    assert len(shown.entries) == MOST
    assert shown.entries[0].path == "playbooks/book-055/"
    assert {entry.updated[:10] for entry in shown.entries} == {f"2026-01-{day}" for day in range(11, 29)}


@pytest.mark.slow
def test_an_edit_of_an_old_playbook_leaves_the_map_and_feeds_as_a_cold_build_has_them(
    content: Path, tmp_path: Path
) -> None:
    built(content, tmp_path / "site", history=HISTORY)
    put(content, "playbooks/older.yaml", canonical(a_book(title="Another title", updated="2026-11-20"), "older"))
    built(content, tmp_path / "site", history=HISTORY)
    built(content, tmp_path / "cold", history=HISTORY)
    assert differences(tmp_path / "site", tmp_path / "cold") == []
    assert json_feed(tmp_path / "site/feed.json")["items"][0]["title"] == "Another title"


def test_the_map_says_when_a_page_last_changed(site: Path) -> None:
    root = ElementTree.fromstring((site / "sitemap.xml").read_bytes())
    space = {"m": "http://www.sitemaps.org/schemas/sitemap/0.9"}
    days = {item.findtext("m:loc", "", space): item.findtext("m:lastmod", "", space) for item in root}
    assert days[f"{TOP}playbooks/{BOOK}/"] == "2026-09-21"
    assert days[f"{TOP}playbooks/write-tests/"] == "2026-11-01"
    assert days[f"{TOP}tasks/{BOOK}/"] == ""


@pytest.mark.slow
def test_a_large_map_is_an_index_of_parts(monkeypatch: pytest.MonkeyPatch, content: Path, tmp_path: Path) -> None:
    monkeypatch.setattr(feeds, "PART", 7)
    built(content, tmp_path / "site")
    found = []
    index = ElementTree.fromstring((tmp_path / "site/sitemap.xml").read_bytes())
    for part in index.iter("{http://www.sitemaps.org/schemas/sitemap/0.9}loc"):
        root = ElementTree.fromstring((tmp_path / "site" / str(part.text).removeprefix(TOP)).read_bytes())
        assert 0 < len(root) <= 7
        found += [loc.text for loc in root.iter("{http://www.sitemaps.org/schemas/sitemap/0.9}loc")]
    monkeypatch.undo()
    facts = Facts(a_library(lessons=[a_lesson()], tasks=[a_task()]))
    assert feeds.site_map_parts(facts) == []
    built(content, tmp_path / "whole")
    whole = ElementTree.fromstring((tmp_path / "whole/sitemap.xml").read_bytes())
    assert found == [loc.text for loc in whole.iter("{http://www.sitemaps.org/schemas/sitemap/0.9}loc")]
