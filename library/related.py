"""Which playbooks belong beside one: by task, tags and the words of title and summary.

No weights from the whole library.
"""

from __future__ import annotations

import re
from collections import Counter, defaultdict
from collections.abc import Iterable, Mapping

from .entries import PlaybookEntry
from .vocabulary import Status

MOST = 5
SAME_TASK = 6
SAME_TAG = 3
SAME_WORD = 1
FLOOR = 4
"""Two playbooks that share less than this say nothing to each other's readers."""

_COMMON = frozenset(
    "a about after agent agents all an and are as at be before by can code does each even every file files for from has"
    " have how in into is it its job make many more most new no not of off on one only or other own project run set so"
    " some such than that the their them then there these they this to up use used uses using was what when where which"
    " while who why will with without work works you your".split()
)


def features(book: PlaybookEntry) -> Mapping[str, int]:
    """What a playbook can share with another, each with its weight."""
    words = re.findall(r"[a-z][a-z0-9]{2,}", f"{book.title} {book.summary}".casefold())
    found = {f"word {_stem(word)}": SAME_WORD for word in words if word not in _COMMON}
    found.update({f"tag {tag}": SAME_TAG for tag in book.tags})
    found[f"task {book.task}"] = SAME_TASK
    return found


def related(books: Iterable[PlaybookEntry]) -> dict[str, tuple[str, ...]]:
    """For each playbook the closest others, best first, at most `MOST`.

    Those that its author named already are left out.
    """
    active = [book for book in books if book.status is not Status.WITHDRAWN]
    shared = {book.slug: features(book) for book in active}
    holders: dict[str, list[str]] = defaultdict(list)
    for slug, of_book in shared.items():
        for feature in of_book:
            holders[feature].append(slug)
    return {book.slug: _closest(book, shared[book.slug], holders) for book in active}


def _closest(book: PlaybookEntry, own: Mapping[str, int], holders: Mapping[str, list[str]]) -> tuple[str, ...]:
    scores: Counter[str] = Counter()
    for feature, weight in own.items():
        for slug in holders[feature]:
            scores[slug] += weight
    left_out = {book.slug, *book.related}
    near = sorted((-score, slug) for slug, score in scores.items() if score >= FLOOR and slug not in left_out)
    return tuple(slug for _, slug in near[:MOST])


def _stem(word: str) -> str:
    return re.sub(r"(?:ies|es|s)$", "", word) if len(word) > 4 else word
