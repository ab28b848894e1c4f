"""The rules that need more than one broken file to be seen, or that must keep silent."""

from __future__ import annotations

from dataclasses import replace
from datetime import date
from typing import Any

import pytest

from library.problems import Severity
from library.records.models import Categories
from library.records.vocabulary import Status
from library.rules import checks
from library.rules.checks import TRIAL_RULES
from tests.broken.fields import FIELDS
from tests.broken.rules import RULES
from tests.builders import (
    PROMPT,
    TODAY,
    a_lesson,
    a_library,
    a_playbook,
    a_run,
    a_task,
    an_entry,
    the_categories,
    the_site,
)

_ELSEWHERE = {"replacement-exists", "categories-differ", "titles-differ", "tasks-are-done-or-wanted", "tags-are-shared"}
"""Rules whose cases, or some of them, stand in this file."""


def found_in(book: Any, today: date = TODAY) -> list[str]:
    """The codes of what the rules within one record find."""
    return [problem.code for problem in checks.of_record(book, today)]


def test_a_sound_library_and_sound_records_give_no_problems() -> None:
    assert list(checks.across(a_library(lessons=[a_lesson()], runs=[a_run(by="ada")]))) == []
    assert [found_in(record) for record in (a_playbook(), a_lesson(), a_run(by="ada"), a_task(), the_site())] == [
        []
    ] * 5


def test_the_rule_book_names_every_rule_once_in_a_sentence() -> None:
    codes = [code for code, _ in checks.rule_book()]
    assert len(codes) == len(set(codes))
    assert all(sentence.endswith(".") and "\n" not in sentence for _, sentence in checks.rule_book())


def test_every_rule_has_a_broken_file() -> None:
    shown = {words.split(" ")[0] for case in (*RULES, *FIELDS) for words in case.expected}
    of_trials = {rule.__name__.replace("_", "-") for rule in TRIAL_RULES}  # tests/trials/test_rules.py
    assert {code for code, _ in checks.rule_book()} - shown - of_trials <= _ELSEWHERE


def test_two_playbooks_that_replace_each_other_are_a_circle() -> None:
    books = [
        an_entry("one", status=Status.DEPRECATED, replaced_by="two"),
        an_entry("two", title="Another thing", status=Status.DEPRECATED, replaced_by="one"),
    ]
    problems = list(checks.across(a_library(books)))
    assert [(problem.file, problem.code) for problem in problems] == [
        ("playbooks/one.yaml", "replacement-exists"),
        ("playbooks/two.yaml", "replacement-exists"),
    ]


def test_a_task_is_done_or_wanted_and_not_both() -> None:
    idle, wanted = a_task("idle"), a_task("wanted", wanted=True)
    problems = list(checks.across(a_library(tasks=[a_task(wanted=True), idle, wanted])))
    assert {(problem.file, problem.severity) for problem in problems} == {
        ("tasks/fix-flaky-tests.yaml", Severity.WARNING),
        ("tasks/idle.yaml", Severity.WARNING),
    }


def test_a_task_is_not_called_idle_while_a_playbook_cannot_be_read() -> None:
    library = replace(a_library(tasks=[a_task(), a_task("idle")]), unreadable=frozenset({"playbooks/broken.yaml"}))
    assert list(checks.across(library)) == []


def test_categories_with_one_slug_or_one_name_are_told_of() -> None:
    twice = the_categories("software", "data", "software")
    assert [(problem.pointer, problem.code) for problem in checks.of_record(twice, TODAY)] == [
        (("categories", 2, "slug"), "categories-differ"),
        (("categories", 2, "name"), "categories-differ"),
    ]
    same_name = [{"slug": slug, "name": name, "summary": "S."} for slug, name in (("a", "Data"), ("b", "DATA"))]
    record = Categories.model_validate({"categories": same_name}).filed("categories.yaml")
    assert found_in(record) == ["categories-differ"]


@pytest.mark.parametrize(
    ("one", "other", "same"),
    [
        ("Fix the flaky tests", "Fixing a flaky test", True),
        ("Tests: fix flaky!", "Fix Flaky Tests", True),
        ("Fix flaky tests", "Fix flaky builds", False),
        ("To the", "To the", True),
        ("Über Daten", "über daten", True),
        ("To the", "With an", False),
        ("Move a service to C++", "Move a service to C#", False),
        ("Move a service to C", "Move a service to C++", False),
        ("Moving services to C#", "Move a service to C#", True),
    ],
)
def test_titles_are_compared_by_their_words(one: str, other: str, same: bool) -> None:
    problems = list(checks.across(a_library([an_entry("one", title=one), an_entry("two", title=other)])))
    assert [(problem.file, problem.code) for problem in problems] == (
        [("playbooks/two.yaml", "titles-differ")] if same else []
    )


def test_two_lessons_of_one_title_are_told_of_and_a_lesson_may_share_a_playbooks() -> None:
    lessons = [a_lesson("a"), a_lesson("b"), a_lesson("c", title="Fix flaky tests")]
    assert [problem.file for problem in checks.across(a_library(lessons=lessons))] == ["lessons/b.yaml"]


def test_what_is_known_but_broken_counts_as_being_there() -> None:
    library = replace(
        a_library(
            [an_entry(task="t", agents=("a",), related=("b",), failure_lessons=("l",), replaced_by="b")], tasks=[]
        ),
        unreadable=frozenset({"tasks/t.yaml", "agents/a.yaml", "playbooks/b.yaml", "lessons/l.yaml"}),
    )
    assert list(checks.across(library)) == []


@pytest.mark.parametrize(
    "changes",
    [
        {"prompt": f'{PROMPT} Use {{{{one}}}} and {{{{two_3}}}}, and {{ this }}, and {{"a": {{"b": 1}}}}.'},
        {"summary": "See [the docs](https://example.com/a_(b)) and [x](<http://example.com/>)."},
        {
            "human_checkpoints": (
                "Before step 1: look.",
                "Before stepping back, look.",
                "Decide whether step 9 is wanted.",
            )
        },
        {"risk": "high", "human_checkpoints": ("Decide.",)},
        {"updated": "2026-11-20"},
        {"status": "deprecated", "status_reason": "Old.", "replaced_by": "another"},
    ],
)
def test_what_only_looks_like_a_breach_is_let_by(changes: dict[str, Any]) -> None:
    assert found_in(a_playbook(**changes)) == []


def test_dates_are_judged_by_the_day_that_is_handed_in() -> None:
    assert found_in(a_playbook(updated="2026-11-20"), date(2026, 11, 19)) == ["dates-are-past"]
    assert found_in(a_run(reported="2026-11-21T00:30:00+01:00"), TODAY) == []


def test_a_secret_is_found_in_every_text_of_a_record() -> None:
    secret = "ghp_" + "aB3dE5gH7jK9mN1pQ3sT5vW7xY9zA1cD3eF5"
    book = a_playbook(
        steps=({"title": "Look", "detail": secret, "check": "Seen."},),
        variants=({"agent": "claude-code", "prompt": f"Use {secret}"},),
        needs=({"name": "A key", "kind": "account", "url": f"https://example.com/?key={secret}"},),
    )
    problems = [problem for problem in checks.of_record(book, TODAY) if problem.code == "no-private-matter"]
    assert {problem.pointer for problem in problems} == {
        ("steps", 0, "detail"),
        ("variants", 0, "prompt"),
        ("needs", 0, "url"),
    }
    assert all(secret not in str(problem) for problem in problems)


def test_a_tag_stands_alone_only_in_a_small_library() -> None:
    books = [an_entry(f"book-{number}", title=f"Title {number}", tags=("shared",)) for number in range(19)]
    odd = an_entry("odd", title="The odd one", tags=("shared", "alone"))
    assert "tags-are-shared" not in {problem.code for problem in checks.across(a_library(books))}
    found = [problem for problem in checks.across(a_library([*books, odd])) if problem.code == "tags-are-shared"]
    assert [(problem.file, problem.pointer) for problem in found] == [("playbooks/odd.yaml", ("tags", 1))]


@pytest.mark.parametrize(
    ("accent", "contrast"),
    [("#ff0000", "4.0"), ("#777777", "4.5"), ("#00aa00", "3.1"), ("#8080ff", "3.3"), ("#ffffff", "1.0")],
)
def test_an_accent_that_cannot_be_read_on_white_is_told_with_its_contrast(accent: str, contrast: str) -> None:
    (problem,) = checks.of_record(the_site(accent=accent, accent_dark="#9cbdf7"), TODAY)
    assert problem.message.startswith(f"has a contrast of {contrast} to #ffffff, under 4.5; take a darker one")


@pytest.mark.parametrize("accent", ["#767676", "#0000ff", "#008000", "#000000", "#0a0a0a"])
def test_an_accent_that_can_be_read_is_let_by(accent: str) -> None:
    assert found_in(the_site(accent=accent, accent_dark="#9cbdf7")) == []


def test_the_accent_for_the_dark_scheme_is_judged_on_dark() -> None:
    (problem,) = checks.of_record(the_site(accent="#1f4e9e", accent_dark="#1f4e9e"), TODAY)
    assert (problem.pointer, problem.code) == (("accent_dark",), "accents-can-be-read")
    assert "to #16181c, under 4.5; take a lighter one" in problem.message
