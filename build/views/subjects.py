"""What routes are about: subjects, which slugs there are of each, and what is shown of one."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass
from typing import Any

import msgspec

from library.interface.answers import Answer
from library.records.models import Playbook
from library.records.vocabulary import Status

from ..facts import Facts
from . import api, changes, lists, pages, select
from .rendering import Desk


@dataclass(frozen=True, slots=True)
class Subject:
    """What a route is about: which slugs there are, and what is shown of each.

    `ready` turns what is shown, and the playbook itself where `whole`, into what views are given. A `record` has files
    of its own, which are written before any list: lists may name them, and show their digests.
    """

    name: str
    slugs: Callable[[Facts], Iterable[str]]
    shown: Callable[[Facts, str], msgspec.Struct | Answer]
    whole: bool = False
    record: bool = False

    def ready(self, desk: Desk, seen: Any, book: Playbook | None) -> Any:  # noqa: ANN401 - each view knows its own
        """What the views of this subject are given."""
        if book is None:
            return seen
        told = changes.told(seen.history, desk.texts if book.status is not Status.WITHDRAWN else None)
        return pages.PlaybookPage(api.playbook_answer(book, seen, desk.addresses, told), seen, book.asked, told)


def single(name: str, shown_: Callable[[Facts], msgspec.Struct | Answer]) -> Subject:
    """A subject that there is one of; what it shows is a table, so that an edit which moves nothing of it is none."""
    if shown_.__name__ == "<lambda>":
        raise ValueError(f"{name}: a table is known by its function's name, which a lambda lacks")
    return Subject(name, lambda _facts: ("",), lambda facts, _slug: facts.table(shown_))


def lists_of(*names: str) -> Subject:
    """The named lists of everything, as one subject."""
    name = "lists of " + ", ".join(names)
    return Subject(name, lambda _facts: ("",), lambda facts, _slug: select.everything(facts, *names))


def later_pages(kind: str) -> Subject:
    """The pages of the long lists of one kind, but their first ones, each called `<slug>/<number>`."""
    return Subject(
        f"pages of {kind}",
        lambda facts: lists.slugs_of_pages(lists.BOOKS[kind](facts.library)),
        lambda facts, name: lists.page_of(facts, kind, name),
    )


LATER_LESSONS = Subject(
    "pages of lessons",
    lambda facts: [f"/{number}" for number in range(2, lists.count(len(facts.library.lessons)) + 1)],
    lists.lessons_of,
)
"""The pages of the list of lessons but its first, each called `/<number>`."""
