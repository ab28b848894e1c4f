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
from .parallel import in_processes
from .reading import Sources
from .routes import ROUTES, Route
from .shown import key
from .subjects import Subject
from .writer import write

FEW = 64
"""Fewer subjects than this are not worth a second process."""

ASSETS = "assets/"
"""The unit of style sheets, scripts and pictures."""


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


def _grouped() -> dict[str, tuple[Subject, list[Route]]]:
    """The static routes by their subjects."""
    groups: dict[str, tuple[Subject, list[Route]]] = {}
    for route in ROUTES:
        if route.view:
            groups.setdefault(route.subject.name, (route.subject, []))[1].append(route)
    return groups


_GROUPS = _grouped()


def plan(facts: Facts, known: Collection[str] = ()) -> list[Unit]:
    """Every unit of the site but the late ones, single records before lists of them.

    Raises `PathConflict` when two want one path; among units that were `known` already there are none such.
    """
    units = []
    claims: list[tuple[Subject, str]] = []
    for subject, _ in _GROUPS.values():
        for slug in subject.slugs(facts):
            if not subject.late:
                units.append(_unit(facts, subject, slug))
            claims.append((subject, slug))
    if not all(f"{subject.name}/{slug}" in known for subject, slug in claims):
        refuse_two_writers(_claimed(claims))
    return sorted(units, key=lambda unit: not unit.slug)


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
    facts.written = {path: mark for state in states.values() for path, mark in state.files.items()}
    return [
        _unit(facts, subject, slug) for subject, _ in _GROUPS.values() if subject.late for slug in subject.slugs(facts)
    ]


def write_all(
    public: Path,
    changed: Sequence[Unit],
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

    Single records come first and lists after, so that a list never names what is not there. Between them `late` says
    which lists of digests have changed by what was written.
    """
    total = Written()
    work = partial(_write_units, public, known, sources, desk, draft, served)
    leaves, lists = [unit for unit in changed if unit.slug], [unit for unit in changed if not unit.slug]

    if jobs > 1 and len(changed) > FEW:
        desk.warm()

    def run(units: Sequence[Unit]) -> None:
        for part in in_processes(work, units, jobs if len(units) > FEW else 1):
            total.units.update(part.units)
            total.parts += part.parts
            total.hidden += part.hidden
            total.files += part.files
            total.largest = sorted([*total.largest, *part.largest], key=lambda item: -item[1])[:5]

    run(leaves)
    run([*late(total.units), *lists])
    if not served:  # a changed asset makes a new generation, like a changed template
        assets = list(desk.assets.values())
        write(public, assets, served=False)
        total.files += len(assets)
        total.units[ASSETS] = cache.UnitState(b"", {asset.path: asset.digest for asset in assets})
    return total


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
    before = known[unit.name].files if unit.name in known else {}
    artifacts, page = _render(desk, unit, sources)
    fresh = [artifact for artifact in artifacts if before.get(artifact.path) != artifact.digest]
    write(public, fresh, served=served)
    written.files += len(fresh)
    written.largest = sorted(
        [*written.largest, *((item.path, len(item.body)) for item in fresh)], key=lambda item: -item[1]
    )[:5]
    written.units[unit.name] = cache.UnitState(unit.key, {artifact.path: artifact.digest for artifact in artifacts})
    return page


def _render(desk: Desk, unit: Unit, sources: Sources) -> tuple[list[Artifact], object]:
    """All artifacts of a unit, and what their views were given."""
    page = unit.subject.ready(desk, unit.shown, sources.book(unit.slug) if unit.subject.whole else None)
    _, routes = _GROUPS[unit.subject.name]
    bodies = ((route.file_of(unit.slug), route.view(desk, page)) for route in routes if route.view)
    return [Artifact(path, body) for path, body in bodies if body is not None], page
