"""What is kept of a document: counted stems for ranking, whole values for filters, and what a hit shows."""

from collections.abc import Iterable

from whoosh.fields import STORED, FieldType, Schema
from whoosh.formats import Existence

from .documents import Document
from .words import folded, normalised, split, stem

TEXTS = ("title", "asked", "summary", "body")
FILTERS = ("type", "category", "agent", "trust", "status", "proven")
EXACT = ("id", "named", "job", *FILTERS)
"""Fields of whole values. `named` are the names of the record itself, normalised, and `job` that of its task."""

PROVEN = "true"
"""What the field `proven` holds of a playbook whose checks are."""
SPELT = "spelt"
"""The different words of all texts as they are spelt: what suggestions are made from."""

FIELDS = tuple(sorted((*TEXTS, *EXACT, SPELT)))


class Terms(FieldType):  # type: ignore[misc]  # Whoosh ships no types
    """Terms that are made here and not by Whoosh: each with its count as its weight, and no positions."""

    def __init__(self, *, scorable: bool = False) -> None:
        self.format = Existence()
        self.scorable, self.indexed, self.stored, self.unique = scorable, True, False, False
        self.analyzer = self.vector = self.column_type = None

    def process_text(self, text: str, **_options: object) -> list[str]:
        """The terms of a word in a query that Whoosh parses: stems in texts, and values as they are."""
        return [stem(folded(word)) for word in split(text)] if self.scorable else [text]


def schema() -> Schema:
    """The fields of the index."""
    return Schema(
        **{name: Terms(scorable=True) for name in TEXTS},
        **{name: Terms() for name in (*EXACT, SPELT)},
        shown=STORED(),
    )


def texts(item: Document) -> Iterable[tuple[str, str]]:
    """Each field of text with what stands in it."""
    yield "title", item.title
    yield "asked", "\n".join(item.asked)
    yield "summary", item.summary
    yield "body", "\n".join([item.body, *item.names])


def values(item: Document) -> Iterable[tuple[str, str]]:
    """Each whole value with its field."""
    yield "id", item.id
    yield "type", item.type
    yield "status", item.status
    for name in {normalised(item.title), normalised(item.slug), *map(normalised, item.former)}:
        yield "named", name
    for agent in item.agents:
        yield "agent", agent
    yield "job", normalised(item.job)
    yield "category", item.category or ""
    yield "trust", item.trust or ""
    yield "proven", PROVEN if item.proven else ""


def stored(item: Document) -> dict[str, object]:
    """What a hit shows."""
    return {
        "id": item.id,
        "shown": {
            "title": item.title,
            "summary": item.summary,
            "url": item.url,
            "trust": str(item.trust) if item.trust else None,
            "category": item.category,
            "agents": list(item.agents),
            "status": str(item.status),
            "proven": item.proven,
        },
    }
