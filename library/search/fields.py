"""What Whoosh keeps of a document: counted stems for ranking, whole values for filters, and what a hit shows."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from whoosh.fields import ID, KEYWORD, STORED, FieldType, Schema
from whoosh.formats import Existence, Frequency
from whoosh.system import pack_uint

from .words import STOP_WORDS, counted, spelt

TEXTS = ("title", "asked", "summary", "body")
FILTERS = ("type", "category", "agent", "trust", "status")
EXACT = ("named", "job")
"""Whole names, normalised: of the record itself, and of a playbook's task."""


class Stems(FieldType):  # type: ignore[misc]  # Whoosh ships no types
    """Text as counted stems, without positions, which cost more than they bring."""

    def __init__(self) -> None:
        self.format = Frequency()
        self.scorable, self.indexed, self.stored, self.unique = True, True, False, False
        self.analyzer = self.vector = self.column_type = None

    def index(self, value: str, **_options: Any) -> Iterator[tuple[bytes, int, float, bytes]]:  # noqa: ANN401 - Whoosh's
        """Each stem with how often it stands there: (stem, count, weight, packed count)."""
        for word, count in counted(value).items():
            yield word.encode(), count, float(count), pack_uint(count)


class Spelt(FieldType):  # type: ignore[misc]  # Whoosh ships no types
    """Text as the different words that stand in it, as they are spelt: what suggestions are made from."""

    def __init__(self) -> None:
        self.format = Existence()
        self.scorable, self.indexed, self.stored, self.unique = False, True, False, False
        self.analyzer = self.vector = self.column_type = None

    def index(self, value: str, **_options: Any) -> Iterator[tuple[bytes, int, float, bytes]]:  # noqa: ANN401 - Whoosh's
        """Each word once."""
        for word in {word for word, _, _ in spelt(value)} - STOP_WORDS:
            if len(word) > 2:
                yield word.encode(), 1, 1.0, b""


def schema() -> Schema:
    """The fields of the index."""
    return Schema(
        id=ID(unique=True, stored=True),
        title=Stems(),
        asked=Stems(),
        summary=Stems(),
        body=Stems(),
        spelt=Spelt(),
        named=KEYWORD(commas=True, lowercase=False),
        job=ID(),
        type=ID(),
        category=ID(),
        agent=KEYWORD(commas=True),
        trust=ID(),
        status=ID(),
        shown=STORED(),
    )
