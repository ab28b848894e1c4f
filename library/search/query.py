"""A question in plain words to an answer: Whoosh's own ranking, filters, facets, highlights and a suggestion."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from whoosh.query import And, Or, Query, Term
from whoosh.searching import Searcher

from ..vocabulary import ResultType, Status, Trust
from .answers import Highlight, Hit, SearchAnswer
from .index import ANALYZER, open_index, trust_at_or_above

DEFAULT_LIMIT = 10
MAX_LIMIT = 50
MAX_QUERY = 500
MAX_TERMS = 40
_BOOSTS = {"title": 3.0, "summary": 2.0, "body": 1.0}
_WORD = re.compile(r"\w+")


@dataclass(frozen=True, slots=True)
class Question:
    """What is asked; empty filters do not filter."""

    text: str
    type: ResultType | None = None
    agent: str | None = None
    category: str | None = None
    min_trust: Trust | None = None
    limit: int = DEFAULT_LIMIT


class SearchEngine:
    """Answers questions from the index of one build; open it again when a build wrote another."""

    def __init__(self, folder: Path) -> None:
        self.place = (folder / "index").resolve()
        self._index = open_index(folder)

    def answer(self, question: Question) -> SearchAnswer:
        """The answer; empty when nothing fits. Never fails on what a reader wrote."""
        terms = analysed(question.text)
        with self._index.searcher() as searcher:
            hits = _ranked(searcher, question, terms) if terms else []
            facets = _facets(hits)
            suggestion = None if hits else _suggestion(searcher, question.text)
            items = tuple(_hit(score, fields, terms) for score, fields in hits[: question.limit])
        return SearchAnswer(total=len(hits), items=items, facets=facets, suggestion=suggestion)


def analysed(text: str) -> list[str]:
    """The words of a text as the index knows them, each once, at most `MAX_TERMS`."""
    tokens = (token.text for token in ANALYZER(text))
    return list(dict.fromkeys(tokens))[:MAX_TERMS]


def _ranked(searcher: Searcher, question: Question, terms: list[str]) -> list[tuple[float, dict[str, Any]]]:
    query = Or([Term(field, term, boost=boost) for term in terms for field, boost in _BOOSTS.items()])
    results = searcher.search(query, limit=None, filter=_filter(question))
    wanted = question.text.strip().casefold()
    found = [(float(hit.score), hit.fields()) for hit in results]

    def order(item: tuple[float, dict[str, Any]]) -> tuple[bool, bool, float, str]:
        score, fields = item
        exact = wanted in (
            fields["title"].casefold(),
            fields["id"].partition("/")[2],
            fields["id"].partition("/")[2].replace("-", " "),
        )
        return (not exact, fields["status"] != Status.ACTIVE, -score, fields["id"])

    return sorted(found, key=order)


def _filter(question: Question) -> Query | None:
    wanted: list[Query] = []
    if question.type:
        wanted.append(Term("type", str(question.type)))
    if question.agent:
        wanted.append(Term("agent", question.agent))
    if question.category:
        wanted.append(Term("category", question.category))
    if question.min_trust:
        trusted: list[Query] = [Term("trust", level) for level in trust_at_or_above(question.min_trust)]
        if question.type and question.type is not ResultType.PLAYBOOK:
            trusted.append(Term("type", str(question.type)))
        wanted.append(Or(trusted))
    return And(wanted) if wanted else None


def _facets(hits: Iterable[tuple[float, dict[str, Any]]]) -> dict[str, dict[str, int]]:
    counts: dict[str, Counter[str]] = {name: Counter() for name in ("type", "category", "agent", "trust")}
    for _, fields in hits:
        counts["type"][fields["type"]] += 1
        counts["agent"].update(fields["agents"])
        for name in ("category", "trust"):
            if fields.get(name):
                counts[name][fields[name]] += 1
    return {name: dict(sorted(found.items())) for name, found in counts.items()}


def _hit(score: float, fields: dict[str, Any], terms: list[str]) -> Hit:
    kind, _, slug = fields["id"].partition("/")
    return Hit(
        type=ResultType(kind),
        slug=slug,
        title=fields["title"],
        summary=fields["summary"],
        url=fields["url"],
        score=round(score, 4),
        highlights=tuple(highlights(fields["summary"], terms)),
        trust=Trust(fields["trust"]) if fields.get("trust") else None,
        category=fields.get("category"),
        agents=tuple(fields["agents"]) if kind in (ResultType.PLAYBOOK, ResultType.LESSON) else None,
        status=Status(fields["status"]) if fields["status"] != Status.ACTIVE else None,
    )


def highlights(text: str, terms: Iterable[str]) -> Iterator[Highlight]:
    """Where words of a query stand in a text: offsets, never markup."""
    wanted = set(terms)
    for token in ANALYZER(text, chars=True):
        if token.text in wanted:
            yield Highlight(start=token.startchar, end=token.endchar)


def _suggestion(searcher: Searcher, text: str) -> str | None:
    """The question with words that nothing knows replaced by the nearest known ones.

    None when there is nothing to offer.
    """
    words = _WORD.findall(text.casefold())[:8]
    known: list[str] = []
    reader = searcher.reader()
    for word in words:
        asked = 3 < len(word) < 30 and ("words", word) not in reader
        near = searcher.suggest("words", word, limit=1, maxdist=2, prefix=1) if asked else []
        known.append(near[0] if near else word)
    return " ".join(known) if known != words else None
