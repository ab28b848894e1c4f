"""What is rendered together: all files of one subject, with its cache key, and which units there are."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator, Mapping
from dataclasses import dataclass

import msgspec

from . import cache
from .artifacts import refuse_two_writers
from .facts import Facts
from .keys import key
from .routes import ROUTES, Route
from .subjects import Subject
from .touched import Touched

SKILL_FILE = "/skills/{slug}/SKILL.md"
"""The route whose files' digests are shown elsewhere."""


@dataclass(frozen=True, slots=True)
class Unit:
    """One subject of one slug, all of whose routes are rendered together."""

    name: str
    subject: Subject
    slug: str


@dataclass(frozen=True, slots=True)
class Planned(Unit):
    """A unit with what is shown of it, and the key of that."""

    shown: msgspec.Struct
    key: bytes


def planned(facts: Facts, unit: Unit) -> Planned:
    """A unit with what it shows now."""
    if isinstance(unit, Planned):
        return unit
    shown = unit.subject.shown(facts, unit.slug)
    return Planned(unit.name, unit.subject, unit.slug, shown, key(shown))


def _grouped() -> dict[str, tuple[Subject, list[Route]]]:
    """The static routes by their subjects."""
    groups: dict[str, tuple[Subject, list[Route]]] = {}
    for route in ROUTES:
        if route.view:
            groups.setdefault(route.subject.name, (route.subject, []))[1].append(route)
    return groups


GROUPS = _grouped()


def records(facts: Facts, known: Collection[str] = (), touched: Touched | None = None) -> list[Unit]:
    """The units of single records that may show something else than before."""
    return [
        unit
        for subject, _ in GROUPS.values()
        if subject.touched
        for unit in _of_interest(_units(facts, subject), known, subject.touched(touched) if touched else None)
    ]


def _units(facts: Facts, subject: Subject) -> list[Unit]:
    return [Unit(f"{subject.name}/{slug}", subject, slug) for slug in subject.slugs(facts)]


def _of_interest(units: list[Unit], known: Collection[str], some: Collection[str] | None) -> list[Unit]:
    """The units that may show something else: `some` of those that were there before, and each that was not."""
    return [unit for unit in units if some is None or unit.slug in some or unit.name not in known]


def lists(facts: Facts) -> list[Unit]:
    """The units of lists, and of all else that an edit of a record can move."""
    subjects = [subject for subject, _ in GROUPS.values() if not (subject.touched or subject.late)]
    return [unit for subject in subjects for unit in _units(facts, subject)]


def all_names(facts: Facts, known: Collection[str] = ()) -> set[str]:
    """The names of all units that there are.

    Raises `PathConflict` when two want one path; among units that were `known` already there are none such.
    """
    claims = [(subject, slug) for subject, _ in GROUPS.values() for slug in subject.slugs(facts)]
    names = {f"{subject.name}/{slug}" for subject, slug in claims}
    if not names.issubset(known):
        refuse_two_writers(_claimed(claims))
    return names


def _claimed(claims: Iterable[tuple[Subject, str]]) -> Iterator[tuple[str, str]]:
    """The path of each file of some subjects, and who wants it."""
    for subject, slug in claims:
        for route in GROUPS[subject.name][1]:
            yield route.file_of(slug), f"the {route.about} of {slug!r}" if slug else route.about


def late(facts: Facts, states: Mapping[str, cache.UnitState]) -> list[Unit]:
    """The units that show digests of files that other units wrote, as `states` has them."""
    at = next(number for number, route in enumerate(GROUPS["playbook"][1]) if route.path == SKILL_FILE) * cache.MARK
    facts.written = {slug: states[f"playbook/{slug}"].marks[at : at + cache.MARK] for slug in facts.library.playbooks}
    return [unit for subject, _ in GROUPS.values() if subject.late for unit in _units(facts, subject)]


def files_of(states: Mapping[str, cache.UnitState]) -> Iterator[tuple[str, bytes]]:
    """Every file of some units with its digest."""
    for name, state in states.items():
        subject, _, slug = name.partition("/")
        for number, route in enumerate(GROUPS[subject][1]):
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
