"""A question in plain words to an answer: what it means, what fits, in which order, and what else to offer."""

import time
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from ..interface.answers import Highlight, Hit, SearchAnswer, UseCase, links_of
from ..problems import LibraryError, did_you_mean
from ..records.vocabulary import ANY_AGENT, Match, Profile, ResultType, Status, SubmissionKind, Trust
from ..records.who import spellings
from .compact import JOB, NAMED, Compact, Mask, Scores, evidence, is_close, near_top, of_parts, with_feedback
from .documents import PROVEN
from .index import sealed
from .meaning import Meaning, QuestionReader
from .words import WORD, Analyzer

DEFAULT_LIMIT, MAX_LIMIT = 10, 50
MAX_QUERY = 8_000  # of a longer text so many characters are read
LONGEST_NAME, LONGEST_TITLE = 128, 200
LONGEST_WHOLE = 1_000  # a longer question is no title, with whatever spaces between its words
WHOLE = 255_000  # a score is shown as a part of it: impacts are whole numbers up to 255, and rarities thousandths
SECONDS = 2.0  # no search takes longer: it is ended between two words
LEAST = 255.0  # the score of a document that is found by its whole name alone
TRUST_BONUS = 0.01  # what each level of trust adds: it breaks near-ties, and lifts nothing over a better match
OTHER_KINDS = 0.7  # what a score of another kind counts: a short record fits few words too easily
Tiers = NDArray[np.int8]
Stored = dict[str, Any]


@dataclass(frozen=True, slots=True)
class Question:
    """What is asked; empty filters do not filter.

    `best` is for a question that was sent: feedback and synonyms count. `fast` is for one that is being typed: its
    last word may be a beginning. `only` are the ids of what may be found, where something else chose them.
    """

    text: str
    type: ResultType | None = None
    agent: str | None = None
    category: str | None = None
    min_trust: Trust | None = None
    limit: int = DEFAULT_LIMIT
    profile: Profile = Profile.BEST
    proven: bool = False
    only: frozenset[str] | None = None


class TooLong(LibraryError):
    """A search took longer than anybody should keep others waiting."""


class SearchEngine:
    """Answers questions from the index of one build; open it again when a build wrote another. Threads may share it."""

    def __init__(self, folder: Path, clock: Callable[[], float] = time.monotonic) -> None:
        self._clock = clock
        self.place = sealed(folder)
        self.index = Compact(self.place)
        self._reader = QuestionReader(self.index)

    def warm(self) -> None:
        """Read everything now, so that no question waits for it."""
        self.asked(Question("unheardof"))  # what mends a word is made for one that nothing knows, however long it takes

    def answer(self, question: Question) -> SearchAnswer:
        """The answer; empty when nothing fits. Raises `TooLong` after `SECONDS`, and for nothing else in a question."""
        asked, question = question.agent, self._by_slug(question)
        until = self._clock() + SECONDS

        def in_time() -> None:
            if self._clock() > until:
                raise TooLong(f"The search took more than {SECONDS:g} seconds; ask again in a moment, or ask for less.")

        meaning, scores, best = self.asked(question, in_time)
        notes = [f"“{asked}” is read as the agent “{question.agent}”."] if asked != question.agent else []
        match = self._match(meaning, best)
        words = " ".join(question.text.split())
        wanted = UseCase(kind=SubmissionKind.USE_CASE, title=words[:LONGEST_TITLE], body=words)
        return SearchAnswer(
            total=int(np.count_nonzero(scores)),
            items=tuple(
                _hit(found, float(scores[number]), meaning.marked, self.index.analyzer) for number, found in best
            ),
            facets=self._facets(scores > 0),
            suggestion=meaning.suggestion,
            match=match,
            ask_for_it=wanted if match is Match.WEAK else None,
            notes=(*notes, *self._notes(question)) or None,
        )

    def asked(
        self, question: Question, in_time: Callable[[], None] = lambda: None
    ) -> tuple[Meaning, Scores, list[tuple[int, Stored]]]:
        """What a question means, the scores of all documents, and the first of them: number and what is stored.

        `in_time` is called again and again, and may raise.
        """
        text = question.text[:MAX_QUERY]
        meaning = self._reader.read(text, typing=question.profile is Profile.FAST, in_time=in_time)
        named = self._named(text if len(text) <= LONGEST_WHOLE else "")
        scores = of_parts(self.index, meaning.parts)
        in_time()
        if question.profile is Profile.BEST and len(meaning.parts) == 1:
            scores = with_feedback(self.index, meaning.parts[0], scores)
        scores[(named > 0) & (scores <= 0)] = LEAST  # a title of stop words alone is found by its whole name
        scores *= self._standing
        for wanted in self._wanted(question):
            scores[~wanted] = 0
        return meaning, scores, self._order(scores, named, question)

    def _by_slug(self, question: Question) -> Question:
        """The question with the slug of the agent that it filters by, where that is called otherwise."""
        if not question.agent or question.agent in self.index.values["agent"]:
            return question
        agents = self.index.having("type", ResultType.AGENT)
        for name in spellings(question.agent[:LONGEST_NAME]):
            found = self.index.of(NAMED + self.index.analyzer.normalised(name.replace("_", " ")))
            for number in found.documents.tolist() if found else ():
                if agents[number]:
                    return replace(question, agent=self.index.stored(number)["id"].partition("/")[2])
        return question

    def _order(self, scores: Scores, named: Tiers, question: Question) -> list[tuple[int, Stored]]:
        """The first documents of those that were matched: whole names first, what is not active last, then by score.

        Those that name the agent that is asked for come before those for any agent. Equal ones come by number, which is
        by id.
        """
        own = self.index.having("agent", question.agent) if question.agent else np.ones_like(scores, dtype=np.bool_)
        active = self.index.having("status", Status.ACTIVE)
        apart = (named > 0) | ~active
        plain = [
            near_top(np.where(apart | ~side, 0.0, scores), question.limit)
            for side in ((own, ~own) if question.agent else (own,))
        ]
        found = np.sort(np.concatenate([np.flatnonzero(apart & (scores > 0)), *plain]))  # only these few are sorted
        order = np.lexsort((-scores[found], ~own[found], ~active[found], -named[found]))[: question.limit]
        return [(number, self.index.stored(number)) for number in found[order].tolist()]

    def _match(self, meaning: Meaning, best: Sequence[tuple[int, Stored]]) -> Match | None:
        """Whether the first of what was found fits; of a long text nobody can say."""
        if meaning.pasted:
            return None
        close = best and is_close(evidence(self.index, meaning.parts[0], meaning.unknown, best[0][0]))
        return Match.CLOSE if close else Match.WEAK

    @cached_property
    def _standing(self) -> Scores:
        """What each document's score is multiplied with: by its kind and its trust."""
        found = np.where(self.index.having("type", ResultType.PLAYBOOK), 1.0, OTHER_KINDS)
        for level in Trust:
            found[self.index.having("trust", level)] *= 1 + TRUST_BONUS * level.rank
        return found

    def _named(self, text: str) -> Tiers:
        """2 for a document that the question names whole, 1 for a playbook whose job it names, else 0."""
        name = self.index.analyzer.normalised(text)
        found = np.zeros(self.index.size, dtype=np.int8)
        for tier, mark in ((1, JOB), (2, NAMED)):
            if posting := self.index.of(mark + name):
                found[posting.documents] = tier
        return found

    def _wanted(self, question: Question) -> Iterator[Mask]:
        """What each filter lets through."""
        having = self.index.having
        if question.type:
            yield having("type", question.type)
        if question.agent:
            own = having("agent", question.agent)
            yield own | having("agent", ANY_AGENT) if own.any() else own
        if question.category:
            yield having("category", question.category)
        if question.min_trust:
            levels = [having("trust", level) for level in Trust if level.reaches(question.min_trust)]
            other = question.type is not None and question.type is not ResultType.PLAYBOOK
            yield np.logical_or.reduce([*levels, np.full(self.index.size, other)])
        if question.proven:
            yield having("proven", PROVEN)
        if question.only is not None:
            ids = (self.index.stored(number)["id"] for number in range(self.index.size))
            yield np.array([name in question.only for name in ids], dtype=np.bool_)

    def _notes(self, question: Question) -> Iterator[str]:
        """A sentence on what was not read, and for each filter that lets nothing through whatever is asked."""
        if len(question.text) > MAX_QUERY:
            yield f"The question has {len(question.text):,} characters; the first {MAX_QUERY:,} were read."
        for field, value in (("agent", question.agent), ("category", question.category)):
            known = self.index.values[field]
            if value and value not in known:
                asked, others = value[:LONGEST_NAME], f"; others are {', '.join([*known][:24])}."
                yield f"Nothing here has the {field} “{asked}”{did_you_mean(asked, known, others)}"

    def _facets(self, matched: Mask) -> dict[str, dict[str, int]]:
        """For each field that filters, how many of the matched have each value; values that none has are left out."""
        facets = {}
        for field in ("type", "category", "agent", "trust", "proven"):
            values = self.index.values[field]
            counts = {value: int(np.count_nonzero(matched & self.index.having(field, value))) for value in values}
            facets[field] = {value: count for value, count in counts.items() if count}
        return facets


def _hit(stored: Stored, score: float, words: frozenset[str], analyzer: Analyzer) -> Hit:
    kind, _, slug = stored["id"].partition("/")
    same = {name: stored[name] for name in ("title", "summary", "url", "category")}
    return Hit(
        **same,
        type=ResultType(kind),
        slug=slug,
        links=links_of(stored["url"].removesuffix(f"/{kind}s/{slug}/"), f"{kind}s", slug),
        score=round(score / WHOLE, 4),
        highlights=tuple(highlights(stored["summary"], words, analyzer)),
        trust=Trust(stored["trust"]) if stored["trust"] else None,
        agents=tuple(stored["agents"]) if kind in (ResultType.PLAYBOOK, ResultType.LESSON) else None,
        status=Status(stored["status"]) if stored["status"] != Status.ACTIVE else None,
        proven=stored["proven"] or None,
    )


def highlights(text: str, words: frozenset[str], analyzer: Analyzer) -> Iterator[Highlight]:
    """Where words of a question, as stems, stand in a text: offsets, never markup."""
    for found in WORD.finditer(text):
        if any(root in words for root in analyzer.roots(analyzer.folded(found[0]))):
            yield Highlight(start=found.start(), end=found.end())
