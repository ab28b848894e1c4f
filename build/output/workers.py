"""The way of units to the disk: rendered and written, by several processes, with a note of what each read."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from contextlib import nullcontext
from dataclasses import dataclass, field
from functools import partial
from pathlib import Path

from library.search.documents import Document
from library.search.index import IndexPart, NewIndex

from ..context import Reads, Recorder, recorded
from ..facts import Facts
from ..parallel import in_processes
from ..views.documents import DOCUMENTS, is_found
from ..views.rendering import Desk
from ..views.rows import Listing, listing
from ..views.units import GROUPS, SKILL_FILE, Unit
from .artifacts import Artifact
from .writer import differing, remove, write

FEW = 64
"""Fewer units than this are not worth a second process."""

MOST_LARGE = 5
"""So many of the largest files are told at the end."""


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
        least = self.largest[-1][1] if len(self.largest) == MOST_LARGE else 0
        if large := [item for item in sizes if item[1] >= least]:
            self.largest = sorted([*self.largest, *large], key=lambda item: (-item[1], item[0]))[:MOST_LARGE]


@dataclass
class Writing:
    """What it takes to write units: where to, and all that they are made of.

    In a folder that is `served`, only files whose bytes differ are written, each at once. `recording` notes reads.
    """

    public: Path
    facts: Facts
    desk: Desk
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
                artifacts, page = _render(writing.desk, facts, unit)
            if GROUPS[unit.subject][0].whole:
                written.skills[unit.slug] = artifacts[_SKILL].digest
                _list(facts, unit.slug, written, recorder)
            _put(writing, unit, artifacts, written)
            document = DOCUMENTS[unit.subject](page) if unit.subject in DOCUMENTS else None
            if document and is_found(document):
                yield document
            elif document:
                written.hidden.append(unit.name)

    written.parts = writing.draft.write(documents())
    return written


_SKILL = SKILL_FILE.lstrip("/")
"""The file of an instruction among those of a playbook, its slug still in braces."""


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
        fresh = list(differing(writing.public, fresh))
        kept = {artifact.path for artifact in artifacts.values()}
        written.removed += remove(writing.public, [path for path in unit.files if path not in kept])
    written.added += write(writing.public, fresh, served=writing.served)
    written.files += len(fresh)
    written.note_sizes((item.path, len(item.body)) for item in fresh)


def _render(desk: Desk, facts: Facts, unit: Unit) -> tuple[dict[str, Artifact], object]:
    """The artifact of each route of a unit that has one, by the route's file, and what their views were given."""
    subject, routes = GROUPS[unit.subject]
    page = subject.ready(desk, subject.shown(facts, unit.slug), facts.book(unit.slug) if subject.whole else None)
    bodies = ((route, route.view(desk, page)) for route in routes if route.view)
    return {route.file: Artifact(route.file_of(unit.slug), body) for route, body in bodies if body is not None}, page
