"""What each page shows, as plain values.

They are all that a rendering may use, beside the whole playbook.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import msgspec

from library.content.history import Change
from library.interface.answers import (
    AgentAnswer,
    CategoryAnswer,
    LessonAnswer,
    RunAnswer,
    RunStatistics,
    Stats,
    TaskAnswer,
    TaskName,
)
from library.rules.statistics import Tally
from library.rules.trust import Verdict

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
    """What a playbook's renditions need beside its own file.

    `offer` says to an agent what it does and when to use it.
    """

    slug: str
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

    rows: Sequence[Row]
    subject: AgentAnswer | TaskAnswer | CategoryAnswer | str | None = None
    parent: Link | None = None
    tasks: tuple[TaskAnswer, ...] = ()
    lessons: Sequence[LessonAnswer] = ()
    runs: tuple[RunAnswer, ...] = ()


class AllShown(ListShown, frozen=True):
    """All playbooks: in the readers' order, and once more by the name of their category, in that order within one."""

    by_category: Sequence[Row] = ()


class ListPage(msgspec.Struct, frozen=True):
    """A page of a long list that is not its first: its rows, the list's name and place, and where it lies in the list.

    `total` counts the rows of the whole list; `above` is the list of such lists.
    """

    rows: Sequence[Row]
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

    lessons: Sequence[LessonAnswer]
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
    """All lists at once, for the machine-readable lists."""

    lessons: Sequence[LessonAnswer] = ()
    agents: tuple[AgentAnswer, ...] = ()
    tasks: tuple[TaskAnswer, ...] = ()
    categories: tuple[CategoryAnswer, ...] = ()
    handles: tuple[str, ...] = ()


class Summaries(msgspec.Struct, frozen=True):
    """All playbooks, each as its `PlaybookSummary` in JSON."""

    items: Sequence[bytes]


class Overview(msgspec.Struct, frozen=True):
    """The library for language models: its categories, and its playbooks by slug, where they are few."""

    categories: tuple[CategoryAnswer, ...]
    rows: Sequence[Row]


class Skills(msgspec.Struct, frozen=True):
    """Every skill that is offered: its entry in JSON up to the digest, and the SHA-256 of its file."""

    items: tuple[tuple[bytes, bytes], ...]


class Alias(msgspec.Struct, frozen=True):
    """A former slug and where it leads now."""

    slug: str
    to: Link


class Names(msgspec.Struct, frozen=True):
    """What agents and categories are called, by their slugs, where only slugs are told."""

    agent: Mapping[str, str]
    category: Mapping[str, str]


class Nothing(msgspec.Struct, frozen=True):
    """A page that shows nothing of the library."""
