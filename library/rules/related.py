"""Which playbooks belong beside one: by task, tags and the words of title and summary.

No weights from the whole library, so that one edit moves few neighbours.
"""

import re
from collections import Counter
from collections.abc import Collection, Iterable, Mapping
from itertools import chain
from pathlib import Path
from sys import intern
from types import MappingProxyType

import msgspec.yaml

from ..records.collection import PlaybookEntry
from ..records.vocabulary import Status

MOST = 5
FLOOR = 4  # two playbooks that share less than this say nothing to each other's readers
COMMON = 24
"""What more playbooks than this have brings nobody together: such a word says nothing, and such a task or tag counts
only where something rarer is shared too. It keeps the work for each playbook the same in a library of any size."""

_COMMON_WORDS = frozenset(msgspec.yaml.decode(Path(__file__).with_name("words.yaml").read_bytes())["common"].split())
_WORD = re.compile(r"[a-z][a-z0-9]{2,}")
_WEIGHTS = {"word": 1, "tag": 3, "task": 6}  # what each kind of feature counts that two playbooks share


class Near(msgspec.Struct, frozen=True, array_like=True):
    """A playbook's features, and the closest others, best first."""

    features: tuple[str, ...]
    computed: tuple[str, ...]


def features(book: PlaybookEntry) -> tuple[str, ...]:
    """What a playbook can share with another; many share one, so it is one object in memory."""
    words = _WORD.findall(f"{book.title} {book.summary}".casefold())
    kept = [f"word {_stem(word)}" for word in words if word not in _COMMON_WORDS]
    return tuple(dict.fromkeys(map(intern, [*kept, *(f"tag {tag}" for tag in book.tags), f"task {book.task}"])))


def related(
    books: Iterable[PlaybookEntry], known: Mapping[str, Near] = MappingProxyType({}), changed: Collection[str] = ()
) -> dict[str, Near]:
    """For each playbook that is not withdrawn the closest others, at most `MOST`.

    Those that its author named already are left out. `known` is what an earlier call gave, `changed` are the slugs of
    all playbooks that are others than then, or new: only what they can move is worked out anew.
    """
    active = {book.slug: book for book in books if book.status is not Status.WITHDRAWN}
    moved = {slug for slug in active if slug in changed or slug not in known}
    other = moved | (known.keys() - active.keys())
    if not other:
        return dict(known)
    own = {slug: features(book) if slug in moved else known[slug].features for slug, book in active.items()}
    counts = Counter(chain.from_iterable(own.values()))
    touched = [*(known[slug].features for slug in known.keys() & other), *(own[slug] for slug in moved)]
    shaken = {feature for feature in chain.from_iterable(touched) if counts[feature] <= COMMON + len(other)}
    anew = {slug for slug, found in own.items() if slug in moved or not shaken.isdisjoint(found)}
    wanted = set(chain.from_iterable(own[slug] for slug in anew))
    holders: dict[str, set[str]] = {
        feature: set()
        for feature in wanted
        if counts[feature] > 1 and (counts[feature] <= COMMON or not feature.startswith("word "))
    }
    for slug, found in own.items():
        for feature in holders.keys() & found:
            holders[feature].add(slug)
    return {
        slug: Near(own[slug], _closest(book, own[slug], holders)) if slug in anew else known[slug]
        for slug, book in active.items()
    }


def _closest(book: PlaybookEntry, own: tuple[str, ...], holders: Mapping[str, set[str]]) -> tuple[str, ...]:
    shared = [(holders[feature], _WEIGHTS[feature.partition(" ")[0]]) for feature in own if feature in holders]
    rare = (slugs for slugs, weight in shared if len(slugs) <= COMMON for _ in range(weight))
    scores = Counter(chain.from_iterable(rare))
    for slug in (book.slug, *book.related):
        scores.pop(slug, None)
    for slugs, weight in shared:
        if len(slugs) > COMMON:  # this way round it looks at the few that have a score, not at the many that have it
            for slug in slugs.intersection(scores):
                scores[slug] += weight
    near = sorted((-score, slug) for slug, score in scores.items() if score >= FLOOR)
    return tuple(slug for _, slug in near[:MOST])


def _stem(word: str) -> str:
    if len(word) <= 4 or word[-1] != "s":
        return word
    return word[:-3] if word.endswith("ies") else word[:-2] if word.endswith("es") else word[:-1]
