"""What each page shows, as plain values.

They are all that a rendering may use, and so exactly what its cache key is made from.
"""

from __future__ import annotations

from collections.abc import Mapping

import msgspec
from pydantic import BaseModel

from library.answers import (
    AgentAnswer,
    CategoryAnswer,
    LessonAnswer,
    PlaybookSummary,
    RunAnswer,
    RunStatistics,
    Stats,
    TaskAnswer,
    TaskName,
)
from library.statistics import Tally
from library.trust import Verdict

from .artifacts import digest
from .history import Change

LATEST_RUNS = 100


class Link(msgspec.Struct, frozen=True):
    """A record as others point to it."""

    slug: str
    title: str


class Row(msgspec.Struct, frozen=True):
    """A playbook as one row of a list."""

    slug: str
    title: str
    summary: str
    verdict: str
    trust: str
    newly_failing: bool
    risk: str
    difficulty: str
    time: str
    task: Link
    category: Link
    agents: tuple[Link, ...]
    updated: str
    status: str
    runs: int
    worked: int
    accounts: int
    last_run: str | None
    minutes: int | None


class PlaybookShown(msgspec.Struct, frozen=True):
    """What a playbook's renditions need beside its own file, of which `source` is the digest.

    `offer` says to an agent what it does and when to use it.
    """

    slug: str
    source: bytes
    version: str
    offer: str
    task: TaskName
    category: Link
    agents: tuple[Link, ...]
    verdict: Verdict
    runs: RunStatistics
    latest: tuple[RunAnswer, ...]
    related: tuple[Link, ...]
    related_computed: tuple[Link, ...]
    lessons: tuple[Link, ...]
    replaced_by: Link | None
    stale_before: str
    history: tuple[Change, ...] = ()
    months: tuple[Tally, ...] = ()


class ListShown(msgspec.Struct, frozen=True):
    """A page with rows of playbooks: of everything, a task, a category, an agent or a contributor."""

    rows: tuple[Row, ...]
    subject: AgentAnswer | TaskAnswer | CategoryAnswer | str | None = None
    parent: Link | None = None
    tasks: tuple[TaskAnswer, ...] = ()
    lessons: tuple[LessonAnswer, ...] = ()
    runs: tuple[RunAnswer, ...] = ()


class ListPage(msgspec.Struct, frozen=True):
    """A page of a long list that is not its first: its rows, the list's name and place, and where it lies in the list.

    `total` counts the rows of the whole list; `above` is the list of such lists.
    """

    rows: tuple[Row, ...]
    name: str
    place: str
    number: int
    total: int
    above: Link | None


class RunShown(msgspec.Struct, frozen=True):
    """Where a run report stands, for whoever knows its id: never what it says, never who sent it."""

    id: str
    playbook: str
    playbook_version: str
    state: str
    received: str
    updated: str


class LessonsPage(msgspec.Struct, frozen=True):
    """A page of the list of lessons; `total` counts all of them."""

    lessons: tuple[LessonAnswer, ...]
    number: int
    total: int


class LessonShown(msgspec.Struct, frozen=True):
    """A lesson with the names of what it names."""

    lesson: LessonAnswer
    playbooks: tuple[Link, ...]
    agents: tuple[Link, ...]


class HomeShown(msgspec.Struct, frozen=True):
    """The home page."""

    categories: tuple[CategoryAnswer, ...]
    tasks: Mapping[str, tuple[TaskAnswer, ...]]
    agents: tuple[AgentAnswer, ...]
    confirmed: tuple[Row, ...]
    failing: tuple[Row, ...]
    untested: tuple[Row, ...]
    stats: Stats


class Everything(msgspec.Struct, frozen=True):
    """All lists at once, for the machine-readable lists, feeds and the site map."""

    playbooks: tuple[PlaybookSummary, ...] = ()
    lessons: tuple[LessonAnswer, ...] = ()
    agents: tuple[AgentAnswer, ...] = ()
    tasks: tuple[TaskAnswer, ...] = ()
    categories: tuple[CategoryAnswer, ...] = ()
    handles: tuple[str, ...] = ()
    runs: tuple[RunAnswer, ...] = ()
    total_runs: int = 0


class Skill(msgspec.Struct, frozen=True):
    """A playbook as indexes of skills offer it; `digest` is SHA-256 of its instruction file, in hex."""

    name: str
    description: str
    digest: str


class Skills(msgspec.Struct, frozen=True):
    """Every skill that is offered."""

    items: tuple[Skill, ...]


class Alias(msgspec.Struct, frozen=True):
    """A former slug and where it leads now."""

    slug: str
    to: Link


class Aliases(msgspec.Struct, frozen=True):
    """Every former slug and where it leads now."""

    slugs: Mapping[str, str]


class Nothing(msgspec.Struct, frozen=True):
    """A page that shows nothing of the library."""


def key(shown: msgspec.Struct) -> bytes:
    """The cache key of what a rendering shows."""
    return digest(msgspec.msgpack.encode(shown, enc_hook=_encode))


def _encode(value: object) -> object:
    if isinstance(value, BaseModel):
        return value.__pydantic_serializer__.to_json(value)
    raise NotImplementedError(type(value))
