"""What is rendered together, which of these units there are, and their way to the disk, by several processes.

On that way the search index is given the plain text of each record, taken from what its page is given.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import nullcontext
from dataclasses import dataclass, field
from functools import partial
from heapq import nsmallest
from pathlib import Path
from typing import Any, NamedTuple, cast

from library.interface.answers import AgentAnswer, TaskAnswer
from library.records.vocabulary import ResultType, Status
from library.search.documents import Document
from library.search.index import IndexPart, NewIndex

from .facts import Facts
from .output.writer import Artifact, differing, refuse_two_writers, remove, write
from .parallel import in_processes
from .recording import Reads, Recorder, recorded
from .views.lists import Listing, listing
from .views.page_contexts import LessonContext, ListContext
from .views.pages import PlaybookPage
from .views.rendering import RenderEnvironment
from .views.routes import ROUTES, Route, Subject

SKILL_FILE = "skills/{slug}/SKILL.md"
BUNDLE_FILE = "s/{slug}/skill.zip"
"""The files of a playbook's skill: the second where it is offered. Indexes show the digest of what they name."""

FEW = 64
"""Fewer units than this are not worth a second process."""

MOST_LARGE = 5
"""So many of the largest files are told at the end."""


class Unit(NamedTuple):
    """One subject, by its name, of one slug: all its routes are rendered together."""

    subject: str
    slug: str

    @property
    def name(self) -> str:
        """What the search index calls it too."""
        return f"{self.subject}/{self.slug}"

    @property
    def files(self) -> list[str]:
        """The files that it may have."""
        return [route.file_of(self.slug) for route in GROUPS[self.subject][1]]


GROUPS: dict[str, tuple[Subject, list[Route]]] = {}
"""The static routes by the names of their subjects."""

for _route in ROUTES:
    if _route.view:
        GROUPS.setdefault(_route.subject.name, (_route.subject, []))[1].append(_route)


def records(facts: Facts) -> list[Unit]:
    """The units of single records."""
    return [
        Unit(name, slug) for name, (subject, _) in GROUPS.items() if subject.record for slug in subject.slugs(facts)
    ]


def lists(facts: Facts) -> list[Unit]:
    """The units of lists, and of all else that an edit of a record can move: those of one page come last."""
    subjects = [subject for subject, _ in GROUPS.values() if not subject.record]
    found = [Unit(subject.name, slug) for subject in subjects for slug in subject.slugs(facts)]
    return sorted(found, key=lambda unit: not unit.slug)


def refuse_conflicts(units: Iterable[Unit]) -> None:
    """Raise `PathConflict` when two units want one path."""
    refuse_two_writers(
        (route.file_of(slug), f"the {route.about} of {slug!r}" if slug else route.about)
        for subject, slug in sorted(units)
        for route in GROUPS[subject][1]
    )


def _document_of_playbook(page: PlaybookPage) -> Document:
    book = page.answer
    body = [book.outcome, book.prompt, book.task.name, *book.tags]
    body += [text for step in book.steps for text in (step.title, step.detail, step.check)]
    body += [text for failure in book.failures for text in (failure.problem, failure.fix)]
    body += [need.name for need in book.needs]
    return Document(
        type=ResultType.PLAYBOOK,
        slug=book.slug,
        title=book.title,
        summary=book.summary,
        body="\n".join(body),
        url=book.url,
        trust=book.trust,
        category=book.category,
        agents=book.agents,
        names=tuple(link.title for link in page.context.agents),
        former=book.aliases,
        job=book.task.name,
        asked=page.asked,
        status=book.status,
        proven=bool(book.proven),
    )


def _document_of_lesson(page: LessonContext) -> Document:
    lesson = page.lesson
    said = ResultType.LESSON, lesson.slug, lesson.title, lesson.problem, "\n".join([lesson.fix, *lesson.tags])
    return Document(*said, lesson.url, agents=lesson.agents)


def _document_of_agent(page: ListContext) -> Document:
    agent = cast("AgentAnswer", page.subject)
    said = ResultType.AGENT, agent.slug, agent.name, agent.summary, agent.vendor, agent.url
    return Document(*said, former=agent.aliases, agents=(agent.slug,))


def _document_of_task(page: ListContext) -> Document:
    task = cast("TaskAnswer", page.subject)
    return Document(ResultType.TASK, task.slug, task.name, task.summary, "", task.url, category=task.category)


DOCUMENTS: Mapping[str, Callable[[Any], Document]] = {
    "playbook": _document_of_playbook,
    "lesson": _document_of_lesson,
    "agent": _document_of_agent,
    "task": _document_of_task,
}
"""By the name of the subject: what makes its document."""


@dataclass
class Written:
    """What was written: counts (`added` of files that were not there), the largest, and what renderings read.

    `listings` are the playbooks that were worked out for lists on the way, with `listing_reads`; `skills` the digests
    of their instruction files; `hidden` the documents that no search may find.
    """

    reads: Reads = field(default_factory=Reads)
    listings: dict[str, Listing] = field(default_factory=dict)
    listing_reads: Reads = field(default_factory=Reads)
    skills: dict[str, bytes] = field(default_factory=dict)
    parts: list[IndexPart] = field(default_factory=list)
    hidden: list[str] = field(default_factory=list)
    files: int = 0
    added: int = 0
    removed: int = 0
    largest: list[tuple[str, int]] = field(default_factory=list)

    def add(self, other: Written) -> None:
        """Add what another process wrote."""
        self.reads.join(other.reads)
        self.listings.update(other.listings)
        self.listing_reads.join(other.listing_reads)
        self.skills.update(other.skills)
        self.parts += other.parts
        self.hidden += other.hidden
        self.files += other.files
        self.added += other.added
        self.removed += other.removed
        self.note_sizes(other.largest)

    def note_sizes(self, sizes: Iterable[tuple[str, int]]) -> None:
        """Keep the largest files of all that were noted, by path and bytes."""
        self.largest = nsmallest(MOST_LARGE, [*self.largest, *sizes], key=lambda item: (-item[1], item[0]))


@dataclass
class Writing:
    """What it takes to write units: where to, and all that they are made of.

    In a folder that is `served`, only files whose bytes differ are written, each at once. `recording` notes reads.
    """

    public: Path
    facts: Facts
    env: RenderEnvironment
    draft: NewIndex
    jobs: int = 1
    served: bool = False
    recording: bool = False

    def write(self, units: Sequence[Unit]) -> Written:
        """Render and write some units."""
        total = Written()
        for part in in_processes(partial(_write_units, self), units, self.jobs if len(units) > FEW else 1):
            total.add(part)
        return total


def _write_units(writing: Writing, units: Sequence[Unit]) -> Written:
    written = Written()
    recorder = Recorder(written.reads) if writing.recording else None
    facts = recorded(writing.facts, recorder) if recorder else writing.facts

    def documents() -> Iterator[Document]:
        for unit in units:
            with recorder.rendering(unit) if recorder else nullcontext():
                subject, routes = GROUPS[unit.subject]
                page = subject.ready(writing.env, facts, unit.slug)
                bodies = ((route, route.view(writing.env, page)) for route in routes if route.view)
                artifacts = {at.file: Artifact(at.file_of(unit.slug), body) for at, body in bodies if body is not None}
            if isinstance(page, PlaybookPage):
                written.skills[unit.slug] = (artifacts.get(BUNDLE_FILE) or artifacts[SKILL_FILE]).digest
                _list(facts, unit.slug, written, recorder)
            _put(writing, unit, artifacts, written)
            document = DOCUMENTS[unit.subject](page) if unit.subject in DOCUMENTS else None
            if document and document.status is Status.WITHDRAWN:  # it has its address, and is offered to nobody
                written.hidden.append(unit.name)
            elif document:
                yield document

    written.parts = writing.draft.write(documents())
    return written


def _list(facts: Facts, slug: str, written: Written, recorder: Recorder | None) -> None:
    """Work out a playbook as lists show it, while what its page took is at hand."""
    with recorder.rendering(slug, written.listing_reads) if recorder else nullcontext():
        written.listings[slug] = listing(facts, facts.library.playbooks[slug])


def relist(facts: Facts, slugs: Iterable[str]) -> Written:
    """Some playbooks as lists show them, with what was read for each."""
    written = Written()
    recorder = Recorder(written.listing_reads)
    seen = recorded(facts, recorder)
    for slug in slugs:
        _list(seen, slug, written, recorder)
    return written


def _put(writing: Writing, unit: Unit, artifacts: dict[str, Artifact], written: Written) -> None:
    fresh = list(artifacts.values())
    if writing.served:
        kept = {artifact.path for artifact in fresh}
        fresh = list(differing(writing.public, fresh))
        written.removed += remove(writing.public, [path for path in unit.files if path not in kept])
    written.added += write(writing.public, fresh, served=writing.served)
    written.files += len(fresh)
    written.note_sizes((item.path, len(item.body)) for item in fresh)
