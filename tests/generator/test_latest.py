"""What feeds, the page of changes and the site map pick: so many of the latest, in one order, all that is offered."""

from __future__ import annotations

import pytest

from build.facts import Facts
from build.views import feeds, page_contexts
from build.views.feeds import MOST, PART, FeedEntry
from library.content.history import EMPTY, Change, Changes, History
from library.records.vocabulary import Status
from tests.builders import BOOK, VERSION, a_lesson, a_library, a_run, a_task, a_test, an_agent, an_entry


def some(count: int, **changes: object) -> Facts:
    """So many playbooks, the highest numbers the latest."""
    books = [
        an_entry(f"book-{number:03}", updated=f"2026-01-{number // 10 + 1:02}", **changes) for number in range(count)
    ]
    return Facts(a_library(books), {book.slug: b"" for book in books})


def a_history(changes: Changes) -> History:
    return History("head", changes)


def a_change(commit: int, before: str = "b", after: str = "c", former: str = "") -> Change:
    return Change(f"{commit:040}", commit, 1_790_000_000 + commit, "ada", f"Commit {commit}", before, after, former)


def test_the_numbers_are_those_of_the_documents() -> None:
    assert (MOST, PART) == (50, 50_000)


def test_a_feed_of_playbooks_has_the_latest_fifty_by_day_and_name() -> None:
    facts = some(60)
    paths = [f"playbooks/book-{number:03}/" for number in range(59, 9, -1)]
    for shown in (
        feeds.of_playbooks(facts),
        feeds.of_list("categories")(facts, "software"),
        feeds.of_list("tasks")(facts, BOOK),
        feeds.of_list("agents")(facts, "claude-code"),
        feeds.of_everything(facts),
    ):
        assert [entry.path for entry in shown.entries] == paths, shown.name
    assert feeds.of_playbooks(facts).entries[0] == FeedEntry(
        "Fix flaky tests", paths[0], "2026-01-06T00:00:00Z", "Find the cause of a flaky test, remove it."
    )


def test_feeds_have_the_names_and_folders_of_their_pages() -> None:
    facts = some(1)
    shown = [
        feeds.of_everything(facts),
        feeds.of_playbooks(facts),
        feeds.of_lessons(facts),
        feeds.of_list("categories")(facts, "software"),
        feeds.of_list("tasks")(facts, BOOK),
        feeds.of_list("agents")(facts, "claude-code"),
    ]
    assert [(feed.name, feed.folder) for feed in shown] == [
        ("", ""),
        ("playbooks", "playbooks/"),
        ("lessons", "lessons/"),
        ("Software", "categories/software/"),
        ("Fix flaky tests", f"tasks/{BOOK}/"),
        ("Claude Code", "agents/claude-code/"),
    ]


def test_lessons_and_playbooks_stand_in_one_order() -> None:
    lessons = [a_lesson(f"l-{day:02}", updated=f"2026-02-{day:02}", playbooks=()) for day in (3, 1, 2)]
    library = a_library([an_entry(updated="2026-02-02")], lessons=lessons)
    facts = Facts(library, {BOOK: b""})
    assert [entry.path for entry in feeds.of_lessons(facts).entries] == [
        "lessons/l-03/",
        "lessons/l-02/",
        "lessons/l-01/",
    ]
    assert [entry.path for entry in feeds.of_everything(facts).entries] == [
        "lessons/l-03/", f"playbooks/{BOOK}/", "lessons/l-02/", "lessons/l-01/"
    ]  # fmt: skip
    assert feeds.of_lessons(facts).entries[0].summary == lessons[0].problem


def test_of_the_latest_changes_there_are_enough_to_leave_out_those_of_form() -> None:
    many = {"playbooks/book-000.yaml": [a_change(number) for number in range(600, 0, -1)],
            "playbooks/book-001.yaml": [a_change(600, former="old"), a_change(599, "b", EMPTY)],
            "playbooks/not-here.yaml": [a_change(601)]}  # fmt: skip
    books = [an_entry("book-000"), an_entry("book-001", status=Status.WITHDRAWN)]
    shown = feeds.changes(Facts(a_library(books), {}, history=a_history(many)))
    assert shown.known
    assert [(link.slug, gone, change.kind) for link, gone, change in shown.changes[:4]] == [
        ("book-000", False, "changed"), ("book-001", True, "renamed"),
        ("book-000", False, "changed"), ("book-001", True, "removed"),
    ]  # fmt: skip
    assert len(shown.changes) == 10 * MOST
    assert not feeds.changes(some(1)).known


def test_the_map_has_every_page_of_what_is_offered_with_its_last_day(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(feeds, "PAGES", ("", "about/"))
    books = [an_entry("a"), an_entry("b", status=Status.DEPRECATED), an_entry("c", status=Status.WITHDRAWN)]
    library = a_library(
        books, lessons=[a_lesson()], tasks=[a_task(), a_task("alone")], agents=[an_agent(), an_agent("aider")],
        categories=("software", "home"), runs=[a_run(playbook="a", by="ada")],
    )  # fmt: skip
    changed = {"playbooks/a.yaml": [a_change(1)]}
    facts = Facts(library, {}, history=a_history(changed))
    assert feeds.site_map(facts).pages == (
        ("", ""),
        ("about/", ""),
        ("playbooks/a/", "2026-09-21"),
        ("playbooks/b/", "2026-11-01"),
        ("lessons/stress-run-is-green-without-the-fix-too/", "2026-11-01"),
        ("tasks/alone/", ""),
        (f"tasks/{BOOK}/", ""),
        (f"compare/{BOOK}/", ""),
        ("categories/software/", ""),
        ("categories/home/", ""),
        ("agents/aider/", ""),
        ("agents/claude-code/", ""),
        *((f"contributors/{handle}/", "") for handle in library.handles),
    )
    assert "ada" in library.handles


def test_a_map_of_more_than_one_file_holds_is_in_parts(monkeypatch: pytest.MonkeyPatch) -> None:
    others = len(feeds.mapped(some(1))) - len(feeds.PAGES)
    full = tuple(f"top-{number}/" for number in range(PART - others))
    monkeypatch.setattr(feeds, "PAGES", full)
    facts = some(1)
    assert feeds.site_map_parts(facts) == []
    assert feeds.site_map(facts).parts == 0
    monkeypatch.setattr(feeds, "PAGES", (*full, "one-more/"))
    facts = some(1)
    assert feeds.site_map_parts(facts) == ["1", "2"]
    assert feeds.site_map(facts) == feeds.SiteMap((), 2)
    first, second = (feeds.site_map_part(facts, number).pages for number in ("1", "2"))
    assert (len(first), len(second)) == (PART, 1)
    assert second[-1] == ("agents/claude-code/", "")


def test_the_home_page_names_five_of_each_list_that_is_honest() -> None:
    books = [an_entry(f"b-{number}", tested=(a_test(version=VERSION),)) for number in range(8)]
    books += [an_entry("never"), an_entry("old", status=Status.DEPRECATED, tested=(a_test(),))]
    lessons = [a_lesson(f"l-{number}", updated=f"2026-10-0{number + 1}") for number in range(7)]
    asked = [a_task(), a_task("nobody-yet", wanted=True)]
    library = a_library(books, runs=[a_run(playbook="b-6")], lessons=lessons, tasks=asked)
    shown = page_contexts.home(Facts(library, {book.slug: b"" for book in books}))
    assert [row.slug for row in shown.proven] == ["b-6", "b-0", "b-1", "b-2", "b-3"]
    assert [lesson.slug for lesson in shown.lessons] == ["l-6", "l-5", "l-4", "l-3", "l-2"]
    assert ([task.slug for task in shown.wanted], shown.untested, shown.failing) == (["nobody-yet"], 8, ())
    assert [count.slug for count in shown.categories] == ["software"]


def test_an_overview_names_playbooks_only_where_they_are_few() -> None:
    facts = some(3)
    assert len(page_contexts.overview(facts, 3).rows) == 3
    assert len(page_contexts.overview(facts, 2).rows) == 0
    gone = Facts(a_library([an_entry(), an_entry("gone", status=Status.WITHDRAWN)]), {BOOK: b"", "gone": b""})
    assert len(page_contexts.overview(gone, 1).rows) == 1
