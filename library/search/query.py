"""A question in plain words to an answer: what it means, what fits, in which order, and what else to offer."""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from ..interface.answers import links_of
from ..problems import nearest
from ..records.vocabulary import ANY_AGENT, Match, Profile, ResultType, Status, SubmissionKind, Trust
from ..records.who import spellings
from .answers import Highlight, Hit, SearchAnswer, UseCase
from .closeness import is_close
from .compact import Compact
from .fields import FILTERS, PROVEN
from .index import open_index
from .meaning import Meaning, QuestionReader
from .memory import give_back
from .postings import JOB, NAMED
from .ranking import Scores, near_top, of_parts, with_feedback
from .words import normalised, spelt, stem

DEFAULT_LIMIT = 10
MAX_LIMIT = 50
MAX_QUERY = 8_000
"""Of a longer text so many characters are read."""

LONGEST_NAME = 128
LONGEST_TITLE = 200
WHOLE = 255_000
"""What a score is divided by that is shown: impacts are whole numbers up to 255, and rarities thousandths."""

LEAST = 255.0
"""The score of a document that is found by its whole name alone."""

TRUST_BONUS = 0.01
"""What each level of trust adds to a score: it breaks near-ties, and lifts nothing over a better match."""

KIND_WEIGHTS = {ResultType.TASK: 0.7, ResultType.LESSON: 0.7, ResultType.AGENT: 0.7}
"""What a score of another kind counts beside a playbook's: a short record fits few words too easily."""

Mask = NDArray[np.bool_]
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


class SearchEngine:
    """Answers questions from the index of one build; open it again when a build wrote another. Threads may share it."""

    def __init__(self, folder: Path) -> None:
        open_index(folder).close()  # one that is damaged is refused
        self.place = (folder / "index").resolve()
        self.index = Compact(self.place)
        self._reader = QuestionReader(self.index)
        self._masks: dict[tuple[str, str], Mask] = {}

    def warm(self) -> None:
        """Read everything now, so that no question waits for it."""
        self.index.warm()
        self._reader.warm()
        _ = self._standing
        give_back()

    def answer(self, question: Question) -> SearchAnswer:
        """The answer; empty when nothing fits. Never fails on what a reader wrote."""
        asked, question = question.agent, self._by_slug(question)
        meaning, scores, best = self.asked(question)
        matched = scores > 0
        items = tuple(self._hit(found, float(scores[number]), meaning.marked) for number, found in best)
        total = int(np.count_nonzero(matched))
        read = [f"“{asked}” is read as the agent “{question.agent}”."] if asked != question.agent else []
        notes = (*read, *self._notes(question)) or None
        facets = self.facets(matched)
        match = self._match(meaning, best)
        return SearchAnswer(
            total=total,
            items=items,
            facets=facets,
            suggestion=meaning.suggestion,
            match=match,
            ask_for_it=_use_case(question.text) if match is Match.WEAK else None,
            notes=notes,
        )

    def ranked(self, question: Question) -> list[tuple[str, float]]:
        """The ids and scores of an answer's hits alone, in their order."""
        _, scores, best = self.asked(self._by_slug(question))
        return [(found["id"], float(scores[number]) / WHOLE) for number, found in best]

    def _by_slug(self, question: Question) -> Question:
        """The question with the slug of the agent that it filters by, where that is called otherwise."""
        if not question.agent or question.agent in self._values["agent"]:
            return question
        agents = self.having("type", ResultType.AGENT)
        for name in spellings(question.agent[:LONGEST_NAME]):
            found = self.index.of(NAMED + normalised(name.replace("_", " ")))
            for number in found.documents.tolist() if found else ():
                if agents[number]:
                    _, _, slug = self.index.stored(number)["id"].partition("/")
                    return replace(question, agent=slug)
        return question

    def asked(self, question: Question) -> tuple[Meaning, Scores, list[tuple[int, Stored]]]:
        """What a question means, the scores of all documents, and the first of them: number and what is stored."""
        text = question.text[:MAX_QUERY]
        meaning = self._reader.read(text, typing=question.profile is Profile.FAST)
        named = self._named(text)
        scores = self._scores(question, meaning, named)
        own = self.having("agent", question.agent) if question.agent else np.ones_like(scores, dtype=np.bool_)
        return meaning, scores, self._order(scores, named, own, question.limit)

    def _scores(self, question: Question, meaning: Meaning, named: Tiers) -> Scores:
        scores = of_parts(self.index, meaning.parts)
        if question.profile is Profile.BEST and len(meaning.parts) == 1:
            scores = with_feedback(self.index, meaning.parts[0], scores)
        scores[(named > 0) & (scores <= 0)] = LEAST  # a title of stop words alone is found by its whole name
        scores *= self._standing
        wanted = self._wanted(question)
        return scores if wanted is None else np.where(wanted, scores, 0.0)

    def _order(self, scores: Scores, named: Tiers, own: Mask, limit: int) -> list[tuple[int, Stored]]:
        """The first documents of those that were matched: whole names first, what is not active last, then by score.

        `own` are those that name the agent that is asked for: they come before those for any agent. Equal ones come by
        number, which is by id.
        """
        active = self.having("status", Status.ACTIVE)
        apart = (named > 0) | ~active
        sides = (~own,) if own.all() else (~own, own)
        plain = [near_top(np.where(apart | other, 0.0, scores), limit) for other in sides]
        found = np.sort(np.concatenate([np.flatnonzero(apart & (scores > 0)), *plain]))  # only these few are sorted
        order = np.lexsort((-scores[found], ~own[found], ~active[found], -named[found]))[:limit]
        return [(number, self.index.stored(number)) for number in found[order].tolist()]

    def _match(self, meaning: Meaning, best: Sequence[tuple[int, Stored]]) -> Match | None:
        """Whether the first of what was found fits; of a long text nobody can say."""
        if meaning.pasted:
            return None
        return Match.CLOSE if best and is_close(self.index, meaning, best[0][0]) else Match.WEAK

    def having(self, field: str, value: str) -> Mask:
        """Which documents have a value in a field that filters."""
        known = self._masks.get((field, value))
        if known is None:
            known = self.index.having(field, value)
            if value in self._values.get(field, ()):  # what a reader makes up is not kept
                self._masks[field, value] = known
        return known

    @cached_property
    def _values(self) -> Mapping[str, tuple[str, ...]]:
        return {field: self.index.values(field) for field in FILTERS}

    @cached_property
    def _standing(self) -> Scores:
        """What each document's score is multiplied with: by its kind and its trust."""
        found = np.ones(self.index.size)
        for kind, weight in KIND_WEIGHTS.items():
            found[self.having("type", kind)] *= weight
        for level in Trust:
            found[self.having("trust", level)] *= 1 + TRUST_BONUS * level.rank
        return found

    def _named(self, text: str) -> Tiers:
        """2 for a document that the question names whole, 1 for a playbook whose job it names, else 0."""
        name = normalised(text)
        found = np.zeros(self.index.size, dtype=np.int8)
        for tier, mark in ((1, JOB), (2, NAMED)):
            if name and (posting := self.index.of(mark + name)):
                found[posting.documents] = tier
        return found

    def _wanted(self, question: Question) -> Mask | None:
        """What the filters let through; None when there are none."""
        masks: list[Mask] = []
        if question.type:
            masks.append(self.having("type", question.type))
        if question.agent:
            own = self.having("agent", question.agent)
            masks.append(own | self.having("agent", ANY_AGENT) if own.any() else own)
        if question.category:
            masks.append(self.having("category", question.category))
        if question.min_trust:
            levels = [level for level in Trust if level.reaches(question.min_trust)]
            trusted = np.logical_or.reduce([self.having("trust", level) for level in levels])
            other = question.type and question.type is not ResultType.PLAYBOOK
            masks.append(trusted | self.having("type", str(question.type)) if other else trusted)
        if question.proven:
            masks.append(self.having("proven", PROVEN))
        if question.only is not None:
            masks.append(np.array([name in question.only for name in self.index.ids()], dtype=np.bool_))
        return np.logical_and.reduce(masks) if masks else None

    def _notes(self, question: Question) -> Iterator[str]:
        """A sentence on what was not read, and for each filter that lets nothing through whatever is asked."""
        if len(question.text) > MAX_QUERY:
            yield f"The question has {len(question.text):,} characters; the first {MAX_QUERY:,} were read."
        for field, value in (("agent", question.agent), ("category", question.category)):
            if value and value not in self._values[field]:
                asked = value[:LONGEST_NAME]
                near = nearest(asked, self._values[field])
                meant = f"; did you mean “{near}”?" if near else "."
                yield f"Nothing here has the {field} “{asked}”{meant}"

    def facets(self, matched: Mask) -> dict[str, dict[str, int]]:
        """For each field that filters, how many of the matched have each value; values that none has are left out."""
        facets = {}
        for field in ("type", "category", "agent", "trust", "proven"):
            having = {value: self.having(field, value) for value in self._values[field]}
            counts = {value: int(np.count_nonzero(matched & mask)) for value, mask in having.items()}
            facets[field] = {value: count for value, count in counts.items() if count}
        return facets

    def _hit(self, stored: Stored, score: float, words: frozenset[str]) -> Hit:
        kind, _, slug = stored["id"].partition("/")
        return Hit(
            type=ResultType(kind),
            slug=slug,
            title=stored["title"],
            summary=stored["summary"],
            url=stored["url"],
            links=links_of(stored["url"].removesuffix(f"/{kind}s/{slug}/"), f"{kind}s", slug),
            score=round(score / WHOLE, 4),
            highlights=tuple(highlights(stored["summary"], words)),
            trust=Trust(stored["trust"]) if stored["trust"] else None,
            category=stored["category"],
            agents=tuple(stored["agents"]) if kind in (ResultType.PLAYBOOK, ResultType.LESSON) else None,
            status=Status(stored["status"]) if stored["status"] != Status.ACTIVE else None,
            proven=stored["proven"] or None,
        )


def highlights(text: str, words: Iterable[str]) -> Iterator[Highlight]:
    """Where words of a question, as stems, stand in a text: offsets, never markup."""
    wanted = frozenset(words)
    for word, start, end in spelt(text):
        if stem(word) in wanted:
            yield Highlight(start=start, end=end)


def _use_case(text: str) -> UseCase:
    """What asks the library for what a question is about."""
    words = " ".join(text.split())
    return UseCase(kind=SubmissionKind.USE_CASE, title=words[:LONGEST_TITLE], body=words)
