"""The library in memory: what it has to know of each playbook, maps and look-ups; no I/O."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from datetime import date
from functools import cached_property
from typing import TYPE_CHECKING, Any, TypeVar
from urllib.parse import urlsplit

import msgspec

from ..problems import Problem, Severity, wrong
from . import models as kinds
from .models import Lesson, Playbook, Run, version_of
from .trials import ProofRecord, SkillScript, TrialSpec
from .vocabulary import Account, Arm, Difficulty, Outcome, Risk, RunState, SandboxKind, Status
from .who import by_names, folded

if TYPE_CHECKING:
    from ..content.loading import Loaded

K = TypeVar("K")
R = TypeVar("R")
E = TypeVar("E", bound=msgspec.Struct)
_CODE_FORGES = frozenset({"github.com", "gitlab.com", "codeberg.org", "bitbucket.org", "sr.ht"})


class EvidenceEntry(msgspec.Struct, frozen=True, omit_defaults=True):
    """What the trust rule asks of one account."""

    site: str
    author: str | None = None
    account: Account | None = None
    vendor: str | None = None
    outcome: Outcome | None = None
    incident: str | None = None
    agent: str = ""  # in the account's own words
    title: str = ""
    url: str = ""


class TestedEntry(msgspec.Struct, frozen=True, omit_defaults=True):
    """What the trust rule asks of one test by an editor."""

    version: str
    agent: str
    outcome: Outcome
    arm: Arm | None = None
    case_digest: str | None = None
    watched: bool = False  # of a run on a trial: its commands ran in a sandbox, its transcript was kept and read


class PlaybookEntry(msgspec.Struct, frozen=True, omit_defaults=True):
    """One playbook as the others see it."""

    slug: str
    title: str
    summary: str
    task: str
    agents: tuple[str, ...]
    difficulty: Difficulty
    risk: Risk
    time: str
    version: str
    updated: str
    status: Status = Status.ACTIVE
    status_reason: str | None = None
    replaced_by: str | None = None
    tags: tuple[str, ...] = ()
    aliases: tuple[str, ...] = ()
    related: tuple[str, ...] = ()
    contributors: tuple[str, ...] = ()
    failure_lessons: tuple[str | None, ...] = ()
    variants: tuple[str, ...] = ()  # the agents of its variants
    evidence: tuple[EvidenceEntry, ...] = ()
    tested: tuple[TestedEntry, ...] = ()
    references_checked: tuple[str, ...] = ()
    no_trial: str | None = None
    essence: str | None = None
    asked: tuple[str, ...] = ()
    minutes: tuple[int, int] | None = None  # the least and the most that it takes, which lists sort by

    @property
    def file(self) -> str:
        """The playbook's file, relative to the content folder."""
        return f"playbooks/{self.slug}.yaml"

    def wrong(self, field: str, message: str, severity: Severity = Severity.ERROR) -> Problem:
        """A problem with one field of this playbook, or with one item of it."""
        return wrong(self.file, field, message, severity)


def entry(book: Playbook) -> PlaybookEntry:
    """The entry of one playbook."""
    worked_out: dict[str, Any] = {
        "version": version(book),
        "updated": book.updated.isoformat(),
        "contributors": tuple(contributor.handle for contributor in book.contributors),
        "failure_lessons": tuple(failure.lesson for failure in book.failures),
        "variants": tuple(variant.agent for variant in book.variants),
        "evidence": tuple(map(_evidence, book.evidence)),
        "tested": tuple(map(_tested, book.tested)),
        "minutes": (book.minutes.least, book.minutes.most) if book.minutes else None,
        "references_checked": tuple(reference.checked.isoformat() for reference in book.references),
    }
    return _as_typed(PlaybookEntry, book, worked_out)


def _as_typed(kind: type[E], record: object, worked_out: Mapping[str, object]) -> E:
    """An entry of a record: what has the same name in both is as it was typed."""
    typed = {name: getattr(record, name) for name in kind.__struct_fields__ if name not in worked_out}
    return kind(**typed, **worked_out)


def version(book: Playbook) -> str:
    """The version of what an agent is told to do."""

    def texts(items: Iterable[kinds.Variant | kinds.Step]) -> list[dict[str, str]]:
        return [{name: text for name, text in vars(item).items() if text is not None} for item in items]

    return version_of({"prompt": book.prompt, "variants": texts(book.variants), "steps": texts(book.steps)})


def site_of(url: str) -> str:
    """What counts as one site: the host; on a code forge the owner and repository too."""
    address = urlsplit(url)
    host = (address.hostname or "").removeprefix("www.")
    if host in _CODE_FORGES:
        return "/".join([host, *[part.lower() for part in address.path.split("/") if part][:2]])
    return host


def _tested(item: kinds.Tested) -> TestedEntry:
    sandboxed = item.sandbox is not None and item.sandbox is not SandboxKind.NONE
    watched = sandboxed and item.transcript_digest is not None and item.transcript_read is True
    return _as_typed(TestedEntry, item, {"watched": watched})


def _evidence(item: kinds.Evidence) -> EvidenceEntry:
    names = {name: folded(getattr(item, name) or "") or None for name in ("author", "vendor")}
    return _as_typed(EvidenceEntry, item, {"site": site_of(item.url), **names})


@dataclass(frozen=True)
class Library:
    """All records by slug, on one day.

    `runs` holds each playbook's reports, withdrawn ones included, newest first. `pending` counts, by playbook, the
    reports that wait in the queue; the build is handed it from outside. `scripts` are known by the playbook's slug and
    their names. `unreadable` names files that are there but broken, so that one mistake is not told twice; `drafts`
    those that are not published yet.
    """

    site: kinds.Site
    today: date
    synonyms: tuple[kinds.Synonym, ...] = ()
    models: tuple[kinds.AIModel, ...] = ()
    categories: Mapping[str, kinds.Category] = field(default_factory=dict)
    tasks: Mapping[str, kinds.Task] = field(default_factory=dict)
    agents: Mapping[str, kinds.Agent] = field(default_factory=dict)
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
        return self.playbooks.get(slug) or self.former.get(slug)

    @cached_property
    def former(self) -> Mapping[str, PlaybookEntry]:
        """The playbook that each former slug leads to."""
        return {alias: book for book in self.all_books for alias in book.aliases}

    def approved_runs(self, slug: str) -> tuple[Run, ...]:
        """The approved reports of one playbook, newest first."""
        return tuple(run for run in self.runs.get(slug, ()) if run.status is RunState.APPROVED)

    @cached_property
    def all_runs(self) -> tuple[Run, ...]:
        """Every report that was ever approved, newest first."""
        return tuple(sorted((run for runs in self.runs.values() for run in runs), key=newest_first))

    @cached_property
    def all_approved_runs(self) -> tuple[Run, ...]:
        """Every approved report, newest first."""
        return tuple(run for run in self.all_runs if run.status is RunState.APPROVED)

    @cached_property
    def lessons_by_playbook(self) -> Mapping[str, tuple[str, ...]]:
        """For each playbook the slugs of the lessons that name it, and of those that its failures name."""
        named = [(book, slug) for slug, lesson in self.lessons.items() for book in lesson.playbooks]
        named += [(slug, lesson) for slug, book in self.playbooks.items() for lesson in book.failure_lessons if lesson]
        return {book: tuple(sorted({*lessons})) for book, lessons in grouped(named).items()}

    @cached_property
    def scripts_by_playbook(self) -> Mapping[str, tuple[SkillScript, ...]]:
        """For each playbook the scripts that travel with its skill, by name."""
        return grouped((script.playbook, script) for _, script in sorted(self.scripts.items()))

    @cached_property
    def playbooks_by_task(self) -> Mapping[str, tuple[PlaybookEntry, ...]]:
        """For each task its playbooks, by slug."""
        return grouped((book.task, book) for book in self.all_books)

    @cached_property
    def playbooks_by_agent(self) -> Mapping[str, tuple[PlaybookEntry, ...]]:
        """For each agent the playbooks that apply to it, by slug."""
        return grouped((agent, book) for book in self.all_books for agent in book.agents)

    @cached_property
    def playbooks_by_category(self) -> Mapping[str, tuple[PlaybookEntry, ...]]:
        """For each category its playbooks, by slug."""
        return grouped((self.category_of(book), book) for book in self.all_books)

    @cached_property
    def tasks_by_category(self) -> Mapping[str, tuple[kinds.Task, ...]]:
        """For each category its tasks, by slug."""
        return grouped((self.tasks[slug].category, self.tasks[slug]) for slug in sorted(self.tasks))

    @cached_property
    def all_books(self) -> tuple[PlaybookEntry, ...]:
        """All playbooks by slug, withdrawn ones included: a tombstone is never a silent hole."""
        return tuple(self.playbooks[slug] for slug in sorted(self.playbooks))

    @cached_property
    def agents_by_name(self) -> Mapping[str, str]:
        """The slug of each agent by its names, folded."""
        return by_names((slug, (agent.name, *agent.aliases)) for slug, agent in sorted(self.agents.items()))

    @cached_property
    def models_by_name(self) -> Mapping[str, str]:
        """The slug of each model by its names, folded."""
        return by_names((model.slug, (model.name, *model.aliases)) for model in self.models)

    @cached_property
    def handles(self) -> tuple[str, ...]:
        """Everyone who wrote something, or whose report with a key was approved."""
        handles = {handle for book in self.all_books for handle in book.contributors}
        handles.update(contributor.handle for lesson in self.lessons.values() for contributor in lesson.contributors)
        handles.update(run.reporter for run in self.all_approved_runs if run.verified and run.reporter)
        return tuple(sorted(handles))

    def category_of(self, book: PlaybookEntry) -> str:
        """The category of a playbook, which is its task's."""
        return self.tasks[book.task].category


_HERE = "http://127.0.0.1"
_UNNAMED = kinds.Site(title="?", tagline="?", site_url=_HERE, licence=kinds.Licence(name="?", url=_HERE), contact=_HERE)
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
    categories = by_kind[kinds.Categories]["categories"].categories if by_kind[kinds.Categories] else ()
    return Library(
        site=by_kind[kinds.Site].get("site", _UNNAMED),
        today=today,
        synonyms=by_kind[kinds.Synonyms]["synonyms"].synonyms if by_kind[kinds.Synonyms] else (),
        models=by_kind[kinds.AIModels]["models"].models if by_kind[kinds.AIModels] else (),
        categories={category.slug: category for category in categories},
        tasks=by_kind[kinds.Task],
        agents=by_kind[kinds.Agent],
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


def without(record: R, drafts: Collection[str]) -> R:
    """A record that names no draft, which are files, where it need not name anything."""
    return naming(record, lambda folder, slug: f"{folder}/{slug}.yaml" not in drafts) if drafts else record


def naming(record: R, there: Callable[[str, str], bool]) -> R:
    """A record with those names alone of what belongs beside it or in its place that are `there`, by folder and slug.

    What a record needs, its task and its agents, stays: a rule tells of it.
    """

    def left(folder: str, slugs: tuple[str, ...]) -> tuple[str, ...]:
        return tuple(slug for slug in slugs if there(folder, slug))

    def known(folder: str, slug: str | None) -> str | None:
        return slug if slug and there(folder, slug) else None

    if isinstance(record, Lesson):
        return record.model_copy(update={"playbooks": left("playbooks", record.playbooks)})
    if not isinstance(record, Playbook | PlaybookEntry):
        return record
    named = {"related": left("playbooks", record.related), "replaced_by": known("playbooks", record.replaced_by)}
    if isinstance(record, Playbook):
        failures = tuple(item.model_copy(update={"lesson": known("lessons", item.lesson)}) for item in record.failures)
        return record.model_copy(update={**named, "failures": failures})
    lessons = tuple(known("lessons", slug) for slug in record.failure_lessons)
    other = msgspec.structs.replace(record, failure_lessons=lessons, **named)
    return record if other == record else other  # most name none: what is the same can be told by being the same


def newest_first(run: Run) -> tuple[float, str]:
    """The sort key that puts the latest report first; reports of the same moment by their files."""
    return (-run.reported.timestamp(), run.file)


def _slugs(folder: str, files: Iterable[str]) -> Iterator[str]:
    return (file.removeprefix(f"{folder}/").removesuffix(".yaml") for file in files if file.startswith(f"{folder}/"))


def grouped(pairs: Iterable[tuple[K, R]]) -> dict[K, tuple[R, ...]]:
    """What the pairs name second, by what they name first; both in the order in which they come."""
    found: dict[K, list[R]] = defaultdict(list)
    for name, record in pairs:
        found[name].append(record)
    return {name: tuple(records) for name, records in found.items()}
