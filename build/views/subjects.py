"""What routes are about: subjects, which slugs there are of each, and the context of the page of one."""

from collections.abc import Callable, Iterable
from dataclasses import dataclass

import msgspec

from library.interface.answers import Answer

from ..facts import Facts
from . import lists
from .page_contexts import PlaybookContext
from .pages import PlaybookPage, playbook_page
from .rendering import RenderEnvironment

PageContext = msgspec.Struct | Answer


@dataclass(frozen=True, slots=True)
class Subject:
    """What a route is about: which slugs there are, and how the context of the page of each is picked.

    A `record` has files of its own, which are written before any list: lists may name them, and show their digests.
    """

    name: str
    slugs: Callable[[Facts], Iterable[str]]
    pick: Callable[[Facts, str], PageContext]
    record: bool = False

    def ready(self, env: RenderEnvironment, facts: Facts, slug: str) -> PageContext | PlaybookPage:
        """What the views of this subject are given for one slug."""
        context = self.pick(facts, slug)
        return playbook_page(env, context, facts.book(slug)) if isinstance(context, PlaybookContext) else context


class Nothing(msgspec.Struct, frozen=True):
    """The context of a page that shows nothing of the library."""


def single(name: str, pick: Callable[[Facts], PageContext], *, table: bool = True) -> Subject:
    """A subject that there is one of; its context is a table, so that an edit which moves nothing of it is none.

    One that costs more to work out than to render again is no table.
    """
    if table and pick.__name__ == "<lambda>":
        raise ValueError(f"{name}: a table is known by its function's name, which a lambda lacks")
    return Subject(name, lambda _facts: ("",), lambda facts, _slug: facts.table(pick) if table else pick(facts))


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
