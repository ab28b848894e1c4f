"""What is rendered together: all files of one subject and slug; and which of these units there are."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import NamedTuple

from ..facts import Facts
from ..output.artifacts import refuse_two_writers
from .routes import ROUTES, Route
from .subjects import Subject

SKILL_FILE = "/skills/{slug}/SKILL.md"
"""The route whose files' digests are shown elsewhere."""


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


def _grouped() -> dict[str, tuple[Subject, list[Route]]]:
    """The static routes by their subjects."""
    groups: dict[str, tuple[Subject, list[Route]]] = {}
    for route in ROUTES:
        if route.view:
            groups.setdefault(route.subject.name, (route.subject, []))[1].append(route)
    return groups


GROUPS = _grouped()


def records(facts: Facts) -> list[Unit]:
    """The units of single records."""
    return _units(facts, [subject for subject, _ in GROUPS.values() if subject.record])


def lists(facts: Facts) -> list[Unit]:
    """The units of lists, and of all else that an edit of a record can move: those of one page come last."""
    found = _units(facts, [subject for subject, _ in GROUPS.values() if not subject.record])
    return sorted(found, key=lambda unit: not unit.slug)


def _units(facts: Facts, subjects: Iterable[Subject]) -> list[Unit]:
    return [Unit(subject.name, slug) for subject in subjects for slug in subject.slugs(facts)]


def refuse_conflicts(units: Iterable[Unit]) -> None:
    """Raise `PathConflict` when two units want one path."""
    refuse_two_writers(_claimed(units))


def _claimed(units: Iterable[Unit]) -> Iterator[tuple[str, str]]:
    """The path of each file of some units, and who wants it."""
    for subject, slug in sorted(units):
        for route in GROUPS[subject][1]:
            yield route.file_of(slug), f"the {route.about} of {slug!r}" if slug else route.about
