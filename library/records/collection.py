"""The library in memory: maps and look-ups, no I/O."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Collection, Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from datetime import date
from functools import cached_property
from typing import TYPE_CHECKING, Any, TypeVar

from .drafts import without
from .entries import PlaybookEntry
from .models import Agent, Categories, Category, Lesson, Licence, Run, Site, Synonym, Synonyms, Task
from .trials import ProofRecord, SkillScript, TrialSpec
from .vocabulary import RunState

if TYPE_CHECKING:
    from ..content.loading import Loaded

R = TypeVar("R")


@dataclass(frozen=True)
class Library:
    """All records by slug, on one day.

    `runs` holds each playbook's reports, withdrawn ones included, newest first. `pending` counts, by playbook, the
    reports that wait in the queue; the build is handed it from outside. `scripts` are known by the playbook's slug and
    their names. `unreadable` names files that are there but broken, so that one mistake is not told twice; `drafts`
    those that are not published yet.
    """

    site: Site
    today: date
    synonyms: tuple[Synonym, ...] = ()
    categories: Mapping[str, Category] = field(default_factory=dict)
    tasks: Mapping[str, Task] = field(default_factory=dict)
    agents: Mapping[str, Agent] = field(default_factory=dict)
    lessons: Mapping[str, Lesson] = field(default_factory=dict)
    playbooks: Mapping[str, PlaybookEntry] = field(default_factory=dict)
    runs: Mapping[str, tuple[Run, ...]] = field(default_factory=dict)
    pending: Mapping[str, int] = field(default_factory=dict)
    trials: Mapping[str, TrialSpec] = field(default_factory=dict)
    proofs: Mapping[str, ProofRecord] = field(default_factory=dict)
    scripts: Mapping[str, SkillScript] = field(default_factory=dict)
    unreadable: frozenset[str] = frozenset()
    drafts: frozenset[str] = frozenset()

    def has(self, folder: str, slug: str) -> bool:
        """Whether there is a record of that name, readable or not, published or not.

        `folder` is `playbooks`, `lessons`, `agents`, `tasks` or `categories`.
        """
        file = f"{folder}/{slug}.yaml"
        return slug in getattr(self, folder) or file in self.unreadable or file in self.drafts

    def known(self, folder: str) -> frozenset[str]:
        """The slugs of all records of which `has` says that there are some."""
        return frozenset([*getattr(self, folder), *_slugs(folder, self.unreadable | self.drafts)])

    def names(self, folder: str) -> list[str]:
        """The slugs of a folder's records (or of the categories), those that cannot be read too."""
        return sorted({*getattr(self, folder), *_slugs(folder, self.unreadable)})

    def playbook(self, slug: str) -> PlaybookEntry | None:
        """The playbook of this slug, or the one that had it formerly."""
        return self.playbooks.get(slug) or self.playbooks.get(self._former.get(slug, ""))

    @cached_property
    def _former(self) -> Mapping[str, str]:
        return {alias: book.slug for book in self.listed for alias in book.aliases}

    def approved_runs(self, slug: str) -> tuple[Run, ...]:
        """The approved reports of one playbook, newest first."""
        return tuple(run for run in self.runs.get(slug, ()) if run.status is RunState.APPROVED)

    @cached_property
    def all_approved_runs(self) -> tuple[Run, ...]:
        """Every approved report, newest first."""
        return tuple(sorted((run for slug in self.runs for run in self.approved_runs(slug)), key=newest_first))

    @cached_property
    def lessons_by_playbook(self) -> Mapping[str, tuple[str, ...]]:
        """For each playbook the slugs of the lessons that name it, and of those that its failures name."""
        found: dict[str, set[str]] = defaultdict(set)
        for slug, lesson in self.lessons.items():
            for book in lesson.playbooks:
                found[book].add(slug)
        for book_slug, book_entry in self.playbooks.items():
            for lesson_slug in filter(None, book_entry.failure_lessons):
                found[book_slug].add(lesson_slug)
        return {book: tuple(sorted(lessons)) for book, lessons in found.items()}

    @cached_property
    def scripts_by_playbook(self) -> Mapping[str, tuple[SkillScript, ...]]:
        """For each playbook the scripts that travel with its skill, by name."""
        return _grouped((script.playbook, script) for _, script in sorted(self.scripts.items()))

    @cached_property
    def playbooks_by_task(self) -> Mapping[str, tuple[PlaybookEntry, ...]]:
        """For each task its playbooks, by slug."""
        return _grouped((book.task, book) for book in self.listed)

    @cached_property
    def playbooks_by_agent(self) -> Mapping[str, tuple[PlaybookEntry, ...]]:
        """For each agent the playbooks that apply to it, by slug."""
        return _grouped((agent, book) for book in self.listed for agent in book.agents)

    @cached_property
    def playbooks_by_category(self) -> Mapping[str, tuple[PlaybookEntry, ...]]:
        """For each category its playbooks, by slug."""
        return _grouped((self.category_of(book), book) for book in self.listed)

    @cached_property
    def tasks_by_category(self) -> Mapping[str, tuple[Task, ...]]:
        """For each category its tasks, by slug."""
        return _grouped((self.tasks[slug].category, self.tasks[slug]) for slug in sorted(self.tasks))

    @cached_property
    def listed(self) -> tuple[PlaybookEntry, ...]:
        """All playbooks by slug, withdrawn ones included: a tombstone is never a silent hole."""
        return tuple(self.playbooks[slug] for slug in sorted(self.playbooks))

    @cached_property
    def handles(self) -> tuple[str, ...]:
        """Everyone who wrote something, or whose report with a key was approved."""
        handles = {handle for book in self.listed for handle in book.contributors}
        handles.update(contributor.handle for lesson in self.lessons.values() for contributor in lesson.contributors)
        handles.update(run.reporter for run in self.all_approved_runs if run.verified and run.reporter)
        return tuple(sorted(handles))

    def category_of(self, book: PlaybookEntry) -> str:
        """The category of a playbook, which is its task's."""
        return self.tasks[book.task].category


_HERE = "http://127.0.0.1"
_NAMELESS = Site(title="?", tagline="?", site_url=_HERE, licence=Licence(name="?", url=_HERE), contact=_HERE)
"""Stands in where `site.yaml` is broken, so that everything else is checked all the same."""


def assemble(
    records: Iterable[Loaded],
    today: date,
    pending: Mapping[str, int] | None = None,
    unreadable: Iterable[str] = (),
    left_out: Collection[str] = (),
) -> Library:
    """The library of these records; `unreadable` names the files that are there but gave none, `left_out` drafts."""
    by_kind: dict[type, dict[str, Any]] = defaultdict(dict)
    runs: dict[str, list[Run]] = defaultdict(list)
    for record in (without(record, left_out) for record in records) if left_out else records:
        if isinstance(record, Run):
            runs[record.file.split("/")[1]].append(record)
        else:
            by_kind[type(record)][record.slug] = record
    categories = by_kind[Categories]["categories"].categories if by_kind[Categories] else ()
    return Library(
        site=by_kind[Site].get("site", _NAMELESS),
        today=today,
        synonyms=by_kind[Synonyms]["synonyms"].synonyms if by_kind[Synonyms] else (),
        categories={category.slug: category for category in categories},
        tasks=by_kind[Task],
        agents=by_kind[Agent],
        lessons=by_kind[Lesson],
        playbooks=by_kind[PlaybookEntry],
        runs={book: tuple(sorted(some, key=newest_first) if some[1:] else some) for book, some in runs.items()},
        pending=pending or {},
        trials=by_kind[TrialSpec],
        proofs=by_kind[ProofRecord],
        scripts=by_kind[SkillScript],
        unreadable=frozenset(unreadable),
        drafts=frozenset(left_out),
    )


def newest_first(run: Run) -> tuple[float, str]:
    """The sort key that puts the latest report first; reports of the same moment by their files."""
    return (-run.reported.timestamp(), run.file)


def _slugs(folder: str, files: Iterable[str]) -> Iterator[str]:
    return (file.removeprefix(f"{folder}/").removesuffix(".yaml") for file in files if file.startswith(f"{folder}/"))


def _grouped(pairs: Iterable[tuple[str, R]]) -> dict[str, tuple[R, ...]]:
    found: dict[str, list[R]] = defaultdict(list)
    for name, record in pairs:
        found[name].append(record)
    return {name: tuple(records) for name, records in found.items()}
