"""The way of units to the disk: rendered and written where they show something else than before, by several jobs."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from functools import partial
from pathlib import Path

from library.search.documents import Document
from library.search.index import Draft, Part

from . import cache
from .artifacts import Artifact
from .desk import Desk
from .documents import DOCUMENTS, is_found
from .facts import Facts
from .listed import Listed
from .parallel import in_processes
from .reading import Sources
from .rows import arrange, to_list
from .units import GROUPS, Planned, Unit, late, lists, planned
from .writer import write

FEW = 64
"""Fewer subjects than this are not worth a second process."""

MOST_LARGE = 5
"""So many of the largest files are told at the end."""


@dataclass
class Written:
    """What one process wrote: the state of each unit, its parts of the index, counts and the largest files.

    `listed` are the playbooks that were worked out for lists on the way, `hidden` the documents that no search may
    find.
    """

    units: dict[str, cache.UnitState] = field(default_factory=dict)
    listed: dict[str, Listed] = field(default_factory=dict)
    parts: list[Part] = field(default_factory=list)
    hidden: list[str] = field(default_factory=list)
    files: int = 0
    largest: list[tuple[str, int]] = field(default_factory=list)

    def add(self, parts: Iterable[Written]) -> None:
        """Add what other processes wrote."""
        for part in parts:
            self.units.update(part.units)
            self.listed.update(part.listed)
            self.parts += part.parts
            self.hidden += part.hidden
            self.files += part.files
            self.note_sizes(part.largest)

    def note_sizes(self, sizes: Iterable[tuple[str, int]]) -> None:
        """Keep the largest files of all that were noted, by path and bytes."""
        least = self.largest[-1][1] if len(self.largest) == MOST_LARGE else 0
        if large := [item for item in sizes if item[1] >= least]:
            self.largest = sorted([*self.largest, *large], key=lambda item: (-item[1], item[0]))[:MOST_LARGE]


@dataclass
class Writing:
    """What it takes to write units: where to, what was written by the last build, and all that they are made of."""

    public: Path
    known: Mapping[str, cache.UnitState]
    facts: Facts
    sources: Sources
    desk: Desk
    draft: Draft
    jobs: int
    served: bool


def write_all(
    writing: Writing, some: Sequence[Unit], meanwhile: Callable[[], None], begin_lists: Callable[[], None]
) -> Written:
    """Render and write what changed: `some` single records, and then whatever list shows something else than before.

    Single records come first and lists after, so that a list never names what is not there. What is to be done
    `meanwhile` is done while other processes write records, where there are such.
    """
    facts, total = writing.facts, Written()
    if writing.jobs > 1 and len(some) > FEW:
        writing.desk.warm()
    parts = _in_processes(writing, some)
    meanwhile()
    total.add(parts)
    facts.listed.update(total.listed)
    begin_lists()
    if not writing.known:
        arrange(facts)
    rest = _changed(writing, lists(facts))
    rest += _changed(writing, late(facts, {**writing.known, **total.units}))
    total.add(_in_processes(writing, [unit for unit in rest if unit.slug]))
    total.add(_in_processes(writing, [unit for unit in rest if not unit.slug]))
    return total


def _in_processes(writing: Writing, units: Sequence[Unit]) -> Iterator[Written]:
    jobs = writing.jobs if len(units) > FEW else 1
    return in_processes(partial(_write_units, writing), units, jobs, writing.public.parent)


def _changed(writing: Writing, units: Iterable[Unit]) -> list[Unit]:
    """The units that show something else than before. Where nothing was before, each is planned when it is written."""
    if not writing.known:
        return list(units)
    made = (planned(writing.facts, unit) for unit in units)
    return [unit for unit in made if _is_new(writing, unit)]


def _is_new(writing: Writing, unit: Planned) -> bool:
    return unit.name not in writing.known or writing.known[unit.name].key != unit.key


def _write_units(writing: Writing, units: Iterable[Unit], hand: Callable[[Written], None]) -> None:
    """Write some units, and hand back after each what was written of it; what they are in the index comes last."""

    def documents() -> Iterator[Document]:
        for unit in units:
            written = Written()
            if unit.subject.whole and unit.slug not in writing.facts.listed:
                book = writing.facts.library.playbooks[unit.slug]
                written.listed[unit.slug] = to_list(writing.facts, book)
            made = planned(writing.facts, unit)
            page = _write_unit(writing, made, written) if _is_new(writing, made) else None
            document = DOCUMENTS[unit.subject.name](page) if page and unit.subject.name in DOCUMENTS else None
            if document and not is_found(document):
                written.hidden.append(unit.name)
                document = None
            hand(written)
            if document:
                yield document

    hand(Written(parts=writing.draft.write(documents())))


def _write_unit(writing: Writing, unit: Planned, written: Written) -> object:
    """Write one unit, add to what was `written`, and give what its views were given."""
    known = writing.known
    before = known[unit.name].marks if unit.name in known else b""
    artifacts, page = _render(writing.desk, unit, writing.sources)
    marks = [artifact.digest if artifact else cache.NO_FILE for artifact in artifacts]
    places = zip(artifacts, marks, range(0, len(marks) * cache.MARK, cache.MARK), strict=True)
    fresh = [item for item, mark, at in places if item and before[at : at + cache.MARK] != mark]
    write(writing.public, fresh, served=writing.served)
    written.files += len(fresh)
    written.note_sizes((item.path, len(item.body)) for item in fresh)
    written.units[unit.name] = cache.UnitState(unit.key, b"".join(marks), sum(item is not None for item in artifacts))
    return page


def _render(desk: Desk, unit: Planned, sources: Sources) -> tuple[list[Artifact | None], object]:
    """The artifact of each route of a unit, where it has one, and what their views were given."""
    page = unit.subject.ready(desk, unit.shown, sources.book(unit.slug) if unit.subject.whole else None)
    _, routes = GROUPS[unit.subject.name]
    bodies = ((route.file_of(unit.slug), route.view(desk, page)) for route in routes if route.view)
    return [None if body is None else Artifact(path, body) for path, body in bodies], page
