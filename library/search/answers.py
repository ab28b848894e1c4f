"""Models of what a search answers."""

from typing import Annotated, Literal

from pydantic import Field

from ..interface.answers import Answer, Links
from ..records.fields import optional
from ..records.vocabulary import Match, ResultType, Status, SubmissionKind, Trust


class Highlight(Answer):
    """A span of the summary that a query's word is in: offsets in characters, the end excluded."""

    start: Annotated[int, Field(ge=0)]
    end: Annotated[int, Field(ge=0)]


class Hit(Answer):
    """One search result."""

    type: ResultType
    slug: str
    title: str
    summary: str
    url: str
    links: Links
    score: float
    highlights: tuple[Highlight, ...]
    trust: Trust | None = optional()
    category: str | None = optional()
    agents: tuple[str, ...] | None = optional()
    status: Status | None = optional()
    proven: bool | None = optional()


class UseCase(Answer):
    """What can be sent to `POST /submissions` as it stands: it asks the library for what was not found."""

    kind: Literal[SubmissionKind.USE_CASE]
    title: str
    body: str


class SearchAnswer(Answer):
    """Search results across playbooks, lessons, agents and jobs."""

    total: int
    items: tuple[Hit, ...]
    facets: dict[str, dict[str, int]]
    suggestion: str | None
    match: Match | None = optional("of a short question; results are below it either way")
    ask_for_it: UseCase | None = optional("with a weak match only")
    notes: tuple[str, ...] | None = optional(
        "sentences about what was not read, and filters that nothing has, each with the nearest name"
    )
