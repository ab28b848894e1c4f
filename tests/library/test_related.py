"""Which playbooks stand beside one: never itself, never a withdrawn one, at most five."""

from __future__ import annotations

import random

import msgspec
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from library.records.collection import PlaybookEntry
from library.records.vocabulary import Status
from library.rules.related import COMMON, FLOOR, MOST, features, related
from tests.builders import an_entry

_SLUGS = [f"book-{number}" for number in range(12)]
_BOOKS = st.lists(
    st.builds(
        an_entry,
        st.sampled_from(_SLUGS),
        title=st.sampled_from(["Fix flaky tests", "Write tests", "Merge files", "Review papers"]),
        task=st.sampled_from(["one", "two"]),
        tags=st.sampled_from([(), ("testing",), ("testing", "data")]),
        status=st.sampled_from(Status),
        related=st.lists(st.sampled_from([*_SLUGS, "unknown"]), max_size=3, unique=True).map(tuple),
    ),
    max_size=12,
    unique_by=lambda book: book.slug,
)


def _plain(slug: str, title: str, task: str = "", tags: tuple[str, ...] = ()) -> PlaybookEntry:
    return an_entry(slug, title=title, summary="", task=task or slug, tags=tags)


def _found(books: list[PlaybookEntry]) -> dict[str, tuple[str, ...]]:
    return {slug: near.computed for slug, near in related(books).items()}


def _many(chance: random.Random, count: int) -> list[PlaybookEntry]:
    """Playbooks whose words, tags and tasks are shared by a few others or by a good many."""
    words = [f"{first}{second}" for first in ("flaky", "query", "merge", "paper") for second in "abcdefghijk"]
    return [
        an_entry(
            f"book-{number:03}",
            title=" ".join(chance.sample(words, 4)),
            summary=" ".join(chance.choices(words, k=6)),
            task=f"task-{chance.randrange(8)}",
            tags=(f"tag-{chance.randrange(6)}", "everywhere"),
            status=chance.choice([Status.ACTIVE, Status.ACTIVE, Status.ACTIVE, Status.WITHDRAWN]),
        )
        for number in range(count)
    ]


def _by_the_rule(books: list[PlaybookEntry]) -> dict[str, tuple[str, ...]]:
    """The rule as it is said: every one beside every other."""
    weights = {"word": 1, "tag": 3, "task": 6}
    own = {
        book.slug: {name: weights[name.partition(" ")[0]] for name in features(book)}
        for book in books
        if book.status is not Status.WITHDRAWN
    }
    found = {}
    for slug, mine in own.items():
        scores = {
            other: sum(weight for name, weight in theirs.items() if name in mine) for other, theirs in own.items()
        }
        near = sorted((-score, other) for other, score in scores.items() if score >= FLOOR and other != slug)
        found[slug] = tuple(other for _, other in near[:MOST])
    return found


def test_where_nothing_is_common_everyone_is_compared_with_everyone() -> None:
    books = _many(random.Random(1), COMMON)
    assert _found(books) == _by_the_rule(books)


def test_what_many_have_brings_nobody_together_and_counts_beside_something_rarer() -> None:
    crowd = [_plain(f"book-{number:02}", "Alike", "job", ("all",)) for number in range(COMMON + 1)]
    assert set(_found(crowd).values()) == {()}
    crowd[3] = _plain("book-03", "Alike and rare", "job", ("all",))
    crowd[7] = _plain("book-07", "Alike and rare", "job", ("all",))
    crowd[9] = _plain("book-09", "Rare", "other")
    found = _found([*crowd, _plain("book-98", "Alike", "job", ("all",)), _plain("book-99", "Alike", "job", ("all",))])
    assert (found["book-03"], found["book-09"]) == (("book-07",), ())


@pytest.mark.slow
@pytest.mark.parametrize("seed", range(6))
def test_what_is_kept_from_before_gives_what_everything_anew_gives(seed: int) -> None:
    chance = random.Random(seed)
    books = _many(chance, 120)
    before = related(books)
    for _ in range(25):
        place, (other,) = chance.randrange(len(books)), _many(chance, 1)
        slug = books[place].slug
        books[place : place + 1] = chance.choice(
            [
                [],
                [msgspec.structs.replace(other, slug=slug)],
                [books[place], msgspec.structs.replace(other, slug=f"{slug}-b")],
            ]
        )
        after = related(books, before, {slug, f"{slug}-b"})
        assert after == related(books)
        before = after


@pytest.mark.slow
@settings(max_examples=120, deadline=None)
@given(_BOOKS)
def test_only_other_active_playbooks_are_named_at_most_five_and_none_that_the_author_named(
    books: list[PlaybookEntry],
) -> None:
    active = {book.slug: book for book in books if book.status is not Status.WITHDRAWN}
    found = _found(books)
    assert found.keys() == active.keys()
    for slug, near in found.items():
        assert len(near) == len(set(near)) <= MOST == 5
        assert set(near) <= active.keys() - {slug, *active[slug].related}
    assert _found(list(reversed(books))) == found


def test_the_same_task_comes_before_a_shared_tag_before_shared_words() -> None:
    books = [
        _plain("asked", "Untangle merge conflicts quickly tonight", "git", ("vcs", "merging")),
        _plain("words", "Untangle merge conflicts quickly tomorrow"),
        _plain("tags", "Something else", tags=("vcs", "merging")),
        _plain("task", "Rebase", "git", ("vcs",)),
        _plain("nothing", "Paint walls"),
    ]
    assert _found(books)["asked"] == ("task", "tags", "words")


def test_words_that_every_title_has_bring_nothing_together() -> None:
    assert (
        _found(
            [
                _plain("one", "How to use an agent with your project"),
                _plain("two", "How to use an agent with your work"),
            ]
        )["one"]
        == ()
    )


def test_forms_of_a_word_are_one_word() -> None:
    one, two = features(_plain("one", "Queries and tests")), features(_plain("two", "Test the query"))
    assert {*one} & {*two} == {"word test"}


def test_of_equally_near_ones_the_first_by_name_are_taken() -> None:
    books = [_plain(f"book-{letter}", "Same", "job") for letter in "gfedcba"]
    assert _found(books)["book-c"] == ("book-a", "book-b", "book-d", "book-e", "book-f")


def test_a_tag_brings_together_as_many_as_are_not_too_many() -> None:
    tags = ("one", "two")
    enough = [_plain(f"book-{number:03}", "", tags=tags) for number in range(COMMON)]
    assert (COMMON, MOST, FLOOR) == (24, 5, 4)
    assert _found(enough)["book-000"] == tuple(f"book-{number:03}" for number in range(1, MOST + 1))
    assert set(_found([*enough, _plain("one-more", "", tags=tags)]).values()) == {()}


class _Counted(str):
    """A slug that counts how often it is looked up."""

    __slots__ = ()
    looks = 0

    def __hash__(self) -> int:
        _Counted.looks += 1
        return super().__hash__()


def _looks(count: int) -> float:
    """How often slugs are looked up for each of so many playbooks that all have one tag, three of them a job."""
    books = [
        _plain(f"book-{number}", f"Fix topic{number // 3}", f"task-{number // 3}", ("everywhere",))
        for number in range(count)
    ]
    counted = [msgspec.structs.replace(book, slug=_Counted(book.slug)) for book in books]
    _Counted.looks = 0
    related(counted)
    return _Counted.looks / count


def test_the_work_for_each_playbook_is_the_same_in_a_library_of_any_size() -> None:
    assert _looks(40 * COMMON) <= 1.1 * _looks(10 * COMMON)
