"""Which playbooks stand beside one: never itself, never a withdrawn one, at most five."""

from __future__ import annotations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from library.entries import PlaybookEntry
from library.related import MOST, features, related
from library.vocabulary import Status
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


@pytest.mark.slow
@settings(max_examples=120, deadline=None)
@given(_BOOKS)
def test_only_other_active_playbooks_are_named_at_most_five_and_none_that_the_author_named(
    books: list[PlaybookEntry],
) -> None:
    active = {book.slug: book for book in books if book.status is not Status.WITHDRAWN}
    found = related(books)
    assert found.keys() == active.keys()
    for slug, near in found.items():
        assert len(near) == len(set(near)) <= MOST == 5
        assert set(near) <= active.keys() - {slug, *active[slug].related}
    assert related(reversed(books)) == found


def test_the_same_task_comes_before_a_shared_tag_before_shared_words() -> None:
    books = [
        _plain("asked", "Untangle merge conflicts quickly tonight", "git", ("vcs", "merging")),
        _plain("words", "Untangle merge conflicts quickly tomorrow"),
        _plain("tags", "Something else", tags=("vcs", "merging")),
        _plain("task", "Rebase", "git", ("vcs",)),
        _plain("nothing", "Paint walls"),
    ]
    assert related(books)["asked"] == ("task", "tags", "words")


def test_words_that_every_title_has_bring_nothing_together() -> None:
    assert (
        related(
            [
                _plain("one", "How to use an agent with your project"),
                _plain("two", "How to use an agent with your work"),
            ]
        )["one"]
        == ()
    )


def test_forms_of_a_word_are_one_word() -> None:
    assert features(_plain("one", "Queries and tests")).keys() & features(_plain("two", "Test the query")).keys() == {
        "word test"
    }


def test_of_equally_near_ones_the_first_by_name_are_taken() -> None:
    books = [_plain(f"book-{letter}", "Same", "job") for letter in "gfedcba"]
    assert related(books)["book-c"] == ("book-a", "book-b", "book-d", "book-e", "book-f")
