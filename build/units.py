"""What is rendered together: all files of one subject, its cache key, and their way to the disk."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from functools import partial
from pathlib import Path

import msgspec

from library.search.documents import Document
from library.search.index import Draft, Part

from . import cache
from .artifacts import Artifact, refuse_two_writers
from .desk import Desk
from .documents import DOCUMENTS, is_found
from .facts import Facts
from .keys import key
from .parallel import in_processes
from .reading import Sources
from .routes import ROUTES, Route
from .subjects import Subject
from .touched import Touched
from .writer import write

FEW = 64
"""Fewer subjects than this are not worth a second process."""

SKILL_FILE = "/skills/{slug}/SKILL.md"
"""The route whose files' digests are shown elsewhere."""

MOST_LARGE = 5
"""So many of the largest files are told at the end."""


@dataclass(frozen=True, slots=True)
class Unit:
    """One subject of one slug: what is shown of it, and the routes that show it."""

    name: str
    subject: Subject
    slug: str
    shown: msgspec.Struct
    key: bytes


@dataclass
class Written:
    """What one process wrote: the state of each unit, its parts of the index, counts and the largest files.

    `hidden` are the documents that no search may find.
    """

    units: dict[str, cache.UnitState] = field(default_factory=dict)
    parts: list[Part] = field(default_factory=list)
    hidden: list[str] = field(default_factory=list)
    files: int = 0
    largest: list[tuple[str, int]] = field(default_factory=list)

    def add(self, parts: Iterable[Written]) -> None:
        """Add what other processes wrote."""
        for part in parts:
            self.units.update(part.units)
            self.parts += part.parts
            self.hidden += part.hidden
            self.files += part.files
            self.note_sizes(part.largest)

    def note_sizes(self, sizes: Iterable[tuple[str, int]]) -> None:
        """Keep the largest files of all that were noted, by path and bytes, the earlier of two equal ones first."""
        least = self.largest[-1][1] if len(self.largest) == MOST_LARGE else -1
        if large := [item for item in sizes if item[1] > least]:
            self.largest = sorted([*self.largest, *large], key=lambda item: -item[1])[:MOST_LARGE]


def _grouped() -> dict[str, tuple[Subject, list[Route]]]:
    """The static routes by their subjects."""
    groups: dict[str, tuple[Subject, list[Route]]] = {}
    for route in ROUTES:
        if route.view:
            groups.setdefault(route.subject.name, (route.subject, []))[1].append(route)
    return groups


_GROUPS = _grouped()


def plan_records(facts: Facts, known: Collection[str] = (), touched: Touched | None = None) -> list[Unit]:
    """The units of single records that may show something else than before."""
    return [
        _unit(facts, subject, slug)
        for subject, _ in _GROUPS.values()
        if subject.touched
        for slug in _of_interest(facts, subject, known, subject.touched(touched) if touched else None)
    ]


def _of_interest(facts: Facts, subject: Subject, known: Collection[str], some: Collection[str] | None) -> list[str]:
    """The slugs that may show something else: `some` of those that were there before, and each that was not."""
    slugs = subject.slugs(facts)
    return [slug for slug in slugs if some is None or slug in some or f"{subject.name}/{slug}" not in known]


def plan_lists(facts: Facts) -> list[Unit]:
    """The units of lists, and of all else that an edit of a record can move."""
    subjects = [subject for subject, _ in _GROUPS.values() if not (subject.touched or subject.late)]
    return [_unit(facts, subject, slug) for subject in subjects for slug in subject.slugs(facts)]


def all_names(facts: Facts, known: Collection[str] = ()) -> set[str]:
    """The names of all units that there are.

    Raises `PathConflict` when two want one path; among units that were `known` already there are none such.
    """
    claims = [(subject, slug) for subject, _ in _GROUPS.values() for slug in subject.slugs(facts)]
    names = {f"{subject.name}/{slug}" for subject, slug in claims}
    if not names.issubset(known):
        refuse_two_writers(_claimed(claims))
    return names


def _claimed(claims: Iterable[tuple[Subject, str]]) -> Iterator[tuple[str, str]]:
    """The path of each file of some subjects, and who wants it."""
    for subject, slug in claims:
        for route in _GROUPS[subject.name][1]:
            yield route.file_of(slug), f"the {route.about} of {slug!r}" if slug else route.about


def _unit(facts: Facts, subject: Subject, slug: str) -> Unit:
    shown = subject.shown(facts, slug)
    return Unit(f"{subject.name}/{slug}", subject, slug, shown, key(shown))


def plan_late(facts: Facts, states: Mapping[str, cache.UnitState]) -> list[Unit]:
    """The units that show digests of files that other units wrote, as `states` has them."""
    at = next(number for number, route in enumerate(_GROUPS["playbook"][1]) if route.path == SKILL_FILE) * cache.MARK
    facts.written = {slug: states[f"playbook/{slug}"].marks[at : at + cache.MARK] for slug in facts.library.playbooks}
    return [
        _unit(facts, subject, slug) for subject, _ in _GROUPS.values() if subject.late for slug in subject.slugs(facts)
    ]


def write_all(
    public: Path,
    records: Sequence[Unit],
    lists: Callable[[], Sequence[Unit]],
    late: Callable[[Mapping[str, cache.UnitState]], Sequence[Unit]],
    known: Mapping[str, cache.UnitState],
    sources: Sources,
    desk: Desk,
    draft: Draft,
    jobs: int,
    *,
    served: bool,
) -> Written:
    """Render and write what changed.

    Single records come first and lists after, so that a list never names what is not there. `lists` plans them while
    other processes write records, where there are such; `late` says which lists of digests are others by what was
    written.
    """
    total = Written()
    work = partial(_write_units, public, known, sources, desk, draft, served)
    if jobs > 1 and len(records) > FEW:
        desk.warm()
    parts = in_processes(work, records, jobs if len(records) > FEW else 1)
    rest = [*lists()]
    total.add(parts)
    rest += late(total.units)
    for units in ([unit for unit in rest if unit.slug], [unit for unit in rest if not unit.slug]):
        total.add(in_processes(work, units, jobs if len(units) > FEW else 1))
    return total


def files_of(states: Mapping[str, cache.UnitState]) -> Iterator[tuple[str, bytes]]:
    """Every file of some units with its digest."""
    for name, state in states.items():
        subject, _, slug = name.partition("/")
        for number, route in enumerate(_GROUPS[subject][1]):
            mark = state.marks[number * cache.MARK : (number + 1) * cache.MARK]
            if mark != cache.NO_FILE:
                yield route.file_of(slug), mark


def stale(
    known: Mapping[str, cache.UnitState], now: Collection[str], written: Mapping[str, cache.UnitState]
) -> set[str]:
    """The files of what was `known` that no unit writes any more: `now` names all, `written` are those written anew."""
    gone = {name: state for name, state in known.items() if name not in now}
    anew = {name: known[name] for name in written if name in known}
    return {path for path, _ in files_of({**gone, **anew})} - {path for path, _ in files_of(written)}


def _write_units(
    public: Path,
    known: Mapping[str, cache.UnitState],
    sources: Sources,
    desk: Desk,
    draft: Draft,
    served: bool,
    units: Sequence[Unit],
) -> Written:
    written = Written()

    def documents() -> Iterator[Document]:
        for unit in units:
            page = _write_unit(public, known, sources, desk, served, unit, written)
            if unit.subject.name in DOCUMENTS:
                document = DOCUMENTS[unit.subject.name](page)
                if is_found(document):
                    yield document
                else:
                    written.hidden.append(unit.name)

    written.parts = draft.write(documents())
    return written


def _write_unit(
    public: Path,
    known: Mapping[str, cache.UnitState],
    sources: Sources,
    desk: Desk,
    served: bool,
    unit: Unit,
    written: Written,
) -> object:
    """Write one unit, add to what was `written`, and give what its views were given."""
    before = known[unit.name].marks if unit.name in known else b""
    artifacts, page = _render(desk, unit, sources)
    marks = [artifact.digest if artifact else cache.NO_FILE for artifact in artifacts]
    places = zip(artifacts, marks, range(0, len(marks) * cache.MARK, cache.MARK), strict=True)
    fresh = [item for item, mark, at in places if item and before[at : at + cache.MARK] != mark]
    write(public, fresh, served=served)
    written.files += len(fresh)
    written.note_sizes((item.path, len(item.body)) for item in fresh)
    written.units[unit.name] = cache.UnitState(unit.key, b"".join(marks), sum(item is not None for item in artifacts))
    return page


def _render(desk: Desk, unit: Unit, sources: Sources) -> tuple[list[Artifact | None], object]:
    """The artifact of each route of a unit, where it has one, and what their views were given."""
    page = unit.subject.ready(desk, unit.shown, sources.book(unit.slug) if unit.subject.whole else None)
    _, routes = _GROUPS[unit.subject.name]
    bodies = ((route.file_of(unit.slug), route.view(desk, page)) for route in routes if route.view)
    return [None if body is None else Artifact(path, body) for path, body in bodies], page
