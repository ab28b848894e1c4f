"""Whether the library, or the queue, has something already that says nearly the same."""

import re
from collections.abc import Iterable, Iterator, Mapping
from difflib import SequenceMatcher

from library.records.collection import Library
from library.records.entries import folded
from library.records.vocabulary import ResultType, SubmissionKind
from library.search.query import Question, SearchEngine

from .sent import Sent

_LOOKED_AT = 8
_TITLES = 0.85
_SUMMARIES = 0.7
_ENOUGH_WORDS = 8
_ENOUGH_LETTERS = 24
_SMALL = frozenset(
    "a an and as at by for from how in into is it of on or our that the then this to use with your".split()
)

_LIKE: Mapping[str, tuple[ResultType, ...]] = {
    SubmissionKind.PLAYBOOK: (ResultType.PLAYBOOK,),
    SubmissionKind.LESSON: (ResultType.LESSON,),
    SubmissionKind.USE_CASE: (ResultType.PLAYBOOK, ResultType.TASK),
}
"""What a submission of each kind may be a double of; a correction is of nothing."""


def doubles(item: Sent, library: Library, search: SearchEngine | None) -> Iterator[tuple[ResultType, str]]:
    """The records that say nearly what this does: their type and slug.

    Without a search index every title of the library is compared instead.
    """
    named = item.kind == SubmissionKind.USE_CASE and item.playbook is not None
    title = "" if named else item.name or ""
    summary = str(item.payload.get("summary") or item.values.get("body") or "")
    for kind in _LIKE.get(item.kind, ()) if title else ():
        found = _asked(search, title, kind) if search else _titles(library, kind)
        yield from ((kind, slug) for slug, known, text in found if _same(title, known) or _alike(summary, text))


def _asked(search: SearchEngine, title: str, kind: ResultType) -> list[tuple[str, str, str]]:
    answer = search.answer(Question(title, type=kind, limit=_LOOKED_AT))
    return [(hit.slug, hit.title, hit.summary) for hit in answer.items]


def _titles(library: Library, kind: ResultType) -> list[tuple[str, str, str]]:
    if kind is ResultType.PLAYBOOK:
        return [(book.slug, book.title, book.summary) for book in library.listed]
    if kind is ResultType.LESSON:
        return [(slug, lesson.title, lesson.problem) for slug, lesson in library.lessons.items()]
    return [(slug, task.name, task.summary) for slug, task in library.tasks.items()]


def _same(one: str, other: str) -> bool:
    """Whether two titles are the same words, in another order or spelling at most."""
    left, right = _words(one), _words(other)
    if left and left == right:
        return True
    match = SequenceMatcher(None, one.casefold(), other.casefold(), autojunk=False)
    return match.real_quick_ratio() >= _TITLES and match.quick_ratio() >= _TITLES and match.ratio() >= _TITLES


def _alike(one: str, other: str) -> bool:
    """Whether two longer texts share most of their words."""
    left, right = _words(one), _words(other)
    if min(len(left), len(right)) < _ENOUGH_WORDS:
        return False
    return len(left & right) >= _SUMMARIES * len(left | right)


def _words(text: str) -> frozenset[str]:
    return frozenset(re.findall(r"\w+", text.casefold())) - _SMALL


def fingerprint(texts: Iterable[str | None]) -> str:
    """What two items have in common when they say the same; empty where they say little."""
    whole = folded("".join(text or "" for text in texts))
    return whole if len(whole) >= _ENOUGH_LETTERS else ""
