"""Whom the edits since the last build touch: records whose lists or pages may show something else than then.

All others show what they showed, and are not looked at. Where it is not sure, everything is touched.
"""

from __future__ import annotations

from collections.abc import Collection, Iterator
from dataclasses import dataclass

import msgspec

from library.entries import PlaybookEntry
from library.models import Lesson

from .artifacts import digest
from .cache import State, recall
from .facts import Facts
from .reading import Sources

_OWN = ("playbooks/", "lessons/", "runs/")
"""Files outside of these folders may show on any page."""


@dataclass(frozen=True)
class Touched:
    """Slugs of what may show something else: playbooks in lists, pages of playbooks, pages of lessons."""

    listed: Collection[str]
    playbooks: Collection[str]
    lessons: Collection[str]


def touched(before: State | None, facts: Facts, sources: Sources) -> Touched | None:
    """Whom the changes between the last build and this one touch; None for everything."""
    library = facts.library
    if before is None or before.today != library.today.isoformat():
        return None
    if not all(file.startswith(_OWN) for file in sources.changed) or _taken_back(before, sources):
        return None
    records = list(_records(before, facts, sources))
    books = sources.changed_books
    lessons = {file[8:-5] for file in sources.changed if file.startswith("lessons/")}
    listed = {*books, *_tried(before, facts, sources)}
    naming = {book for record in records if isinstance(record, Lesson) for book in record.playbooks}
    named = {slug for record in records if isinstance(record, PlaybookEntry) for slug in record.failure_lessons if slug}
    return Touched(
        listed,
        {*listed, *naming, *_beside(before, facts, books, lessons), *_told_anew(before, facts)},
        {*lessons, *named, *(slug for slug, item in library.lessons.items() if not books.isdisjoint(item.playbooks))},
    )


def _taken_back(before: State, sources: Sources) -> bool:
    """Whether a record became a draft: no other names it any more, so that none can be told by its names."""
    return any(file in before.sources and before.sources[file].record for file in sources.changed & sources.drafts)


def _records(before: State, facts: Facts, sources: Sources) -> Iterator[object]:
    """The changed playbooks and lessons as they were and as they are."""
    library = facts.library
    for file in sources.changed:
        folder, _, name = file.partition("/")
        if folder in ("playbooks", "lessons"):
            if file in before.sources and before.sources[file].record:
                yield recall(file, before.sources[file].record)
            now = library.playbooks if folder == "playbooks" else library.lessons
            yield now.get(name.removesuffix(".yaml"))


def _tried(before: State, facts: Facts, sources: Sources) -> Iterator[str]:
    """The playbooks whose runs are others, wait in another number, or count now and did not, or no longer do."""
    library = facts.library
    yield from (file.split("/")[1] for file in sources.changed if file.startswith("runs/"))
    yield from {slug for slug, _ in before.pending.items() ^ library.pending.items()}
    if moved := set(before.counted) ^ facts.counted:
        yield from (file.split("/")[1] for file in moved)


def _beside(before: State, facts: Facts, books: Collection[str], lessons: Collection[str]) -> Iterator[str]:
    """The playbooks whose pages name a changed playbook or lesson, or have other neighbours than before."""
    books, lessons, near = set(books), set(lessons), facts.near
    for slug, book in facts.library.playbooks.items():
        now, then = near.get(slug), before.near.get(slug)
        if (
            not books.isdisjoint(book.related)
            or book.replaced_by in books
            or (now.found if now else ()) != (then.found if then else ())
            or (now and not books.isdisjoint(now.found))
            or not lessons.isdisjoint(book.failure_lessons)
        ):
            yield slug


def _told_anew(before: State, facts: Facts) -> Iterator[str]:
    """The playbooks whose history is another, or names someone who is known by that handle now and was not."""
    if not before.history and not facts.history.mark:
        return
    moved = set(before.handles) ^ set(facts.library.handles)
    told = histories(facts, before)
    for slug, book in facts.library.playbooks.items():
        named_anew = moved and any(change.by in moved for change in facts.history.of(slug, book.aliases))
        if named_anew or told.get(slug) != before.told.get(slug):
            yield slug


def histories(facts: Facts, before: State | None) -> dict[str, bytes]:
    """The digest of each playbook's history, of those that have one; as `before` has it where git knows nothing new."""
    history, books = facts.history, facts.library.playbooks
    if not history.mark:
        return {}
    known = before.told if before is not None and before.history == history.mark else None
    anew = books.keys() if known is None else books.keys() & set(facts.changed)
    found = ((slug, history.of(slug, books[slug].aliases)) for slug in anew)
    told = {slug: digest(msgspec.msgpack.encode(changes)) for slug, changes in found if changes}
    kept = {slug: mark for slug, mark in (known or {}).items() if slug in books and slug not in anew}
    return {**kept, **told}
