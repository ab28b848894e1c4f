"""Load, plan, write: the only orchestrator of a build."""

from __future__ import annotations

import time
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import date
from functools import partial
from pathlib import Path

import msgspec

from library.problems import LibraryError, Problem
from library.search.documents import Document
from library.search.index import update_index

from . import bulk, cache
from .artifacts import Artifact, refuse_two_writers
from .desk import PROJECT, TEMPLATES, Desk
from .documents import DOCUMENTS, is_found
from .facts import Facts
from .generations import Generations
from .parallel import in_processes
from .reading import Sources, library_of, read_site, read_sources
from .routes import ROUTES, Route, Subject
from .shown import key
from .writer import remove, write

FEW = 64
"""Fewer subjects than this are not worth a second process."""


ASSETS = "assets/"
"""The unit of style sheets, scripts and pictures."""


@dataclass(frozen=True)
class Settings:
    """What a build is told.

    `site_url` takes the place of the content's own; `pending` counts waiting reports by playbook.
    """

    content: Path
    out: Path
    today: date
    jobs: int = 2
    site_url: str | None = None
    pending: Mapping[str, int] = field(default_factory=dict)
    templates: Path = TEMPLATES
    release: bool = False
    fresh: bool = False
    clock: Callable[[], int] = time.time_ns
    progress: Callable[[str], None] = lambda _stage: None


@dataclass
class Report:
    """What a build did: counts of playbooks and files, and seconds by stage."""

    playbooks: int = 0
    files: int = 0
    written: int = 0
    removed: int = 0
    cold: bool = False
    warnings: list[Problem] = field(default_factory=list)
    seconds: dict[str, float] = field(default_factory=dict)
    largest: list[tuple[str, int]] = field(default_factory=list)


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
    """What one process wrote: the state of each unit, its documents for the index, counts and the largest files."""

    units: dict[str, cache.UnitState] = field(default_factory=dict)
    documents: dict[str, Document] = field(default_factory=dict)
    files: int = 0
    largest: list[tuple[str, int]] = field(default_factory=list)


class Stages:
    """Says each stage as it begins, and keeps how long it took."""

    def __init__(self, report: Report, progress: Callable[[str], None]) -> None:
        self.seconds = report.seconds
        self.progress = progress
        self.name = ""
        self.began = time.perf_counter()

    def begin(self, name: str) -> None:
        """The stage that begins now; the one before has ended."""
        now = time.perf_counter()
        if self.name:
            self.seconds[self.name] = now - self.began
        self.name, self.began = name, now
        if name:
            self.progress(name)


class BuildFailed(LibraryError):
    """The site could not be written: the disk is full, or a folder went away."""


def build(settings: Settings) -> Report:
    """Build the site. Raises `ContentError` with every problem, or `BuildFailed`; the site stays as it was then."""
    generations = Generations(settings.out, settings.content)
    with generations.alone(lambda: settings.progress("waiting for another build")):
        try:
            return _build(settings, generations)
        except OSError as error:
            raise BuildFailed(f"cannot write the site: {error.strerror}; what is served stays as it was") from error
        finally:
            generations.drop_unpublished()


def _build(settings: Settings, generations: Generations) -> Report:
    report = Report()
    stages = Stages(report, settings.progress)
    stages.begin("reading")
    started = settings.clock()
    generations.drop_unpublished()
    site = read_site(settings.content, settings.today, settings.site_url)
    mark = cache.settings(site, PROJECT, settings.templates, release=settings.release)
    state = _last(generations.current, mark, settings)
    sources = read_sources(settings.content, settings.today, state, settings.jobs)
    if state and _same(state, sources, settings):
        report.files, report.playbooks = len(state.files), len(sources.digests)
        stages.begin("")
        return report
    stages.begin("checking")
    library, report.warnings = library_of(sources, site, dict(settings.pending))
    facts = Facts(library, sources.digests)
    stages.begin("planning")
    report.cold = state is None
    known = state.units if state and not report.cold else {}
    units = _plan(facts)
    changed = [unit for unit in units if unit.name not in known or known[unit.name].key != unit.key]
    stages.begin("writing")
    folder = generations.fresh() if report.cold or generations.current is None else generations.current
    (folder / "unfinished").touch()
    written = _write_all(
        folder / "public",
        changed,
        known,
        sources,
        Desk(library.site, settings.templates),
        settings.jobs,
        served=not report.cold,
    )
    names = [ASSETS, *(unit.name for unit in units)]
    kept = {name: known[name] for name in names if name not in written.units}
    fresh = cache.State(
        cache.FORMAT,
        mark,
        settings.today.isoformat(),
        started,
        dict(settings.pending),
        sources.states,
        {**kept, **written.units},
    )
    stale = sorted(state.files.keys() - fresh.files.keys()) if state and not report.cold else []
    remove(folder / "public", stale)
    if settings.release:
        written.files += bulk.write_full(folder / "public", sorted(library.playbooks))
    stages.begin("indexing")
    offered = [document for document in written.documents.values() if is_found(document)]
    gone = [name for name in known if name not in fresh.units]
    gone += [name for name, document in written.documents.items() if not is_found(document)]
    update_index(folder, offered, gone=gone, fresh=report.cold)
    stages.begin("publishing")
    cache.save(folder / "state", fresh)
    (folder / "unfinished").unlink()
    if report.cold:
        generations.publish(folder)
    report.playbooks, report.files = len(library.playbooks), len(fresh.files)
    report.written, report.removed, report.largest = written.files, len(stale), written.largest
    stages.begin("")
    return report


def _last(current: Path | None, mark: bytes, settings: Settings) -> cache.State | None:
    """What the last build knew, if this one may build on it.

    Not when it was cut short, when code, templates or site settings changed, or when it checked dates against a later
    day.
    """
    if settings.fresh or current is None or (current / "unfinished").exists() or not (current / "index").exists():
        return None
    state = cache.load(current / "state")
    if state is None or state.settings != mark or state.today > settings.today.isoformat():
        return None
    return state


def _same(state: cache.State, sources: Sources, settings: Settings) -> bool:
    """Whether there is nothing to do."""
    unchanged = not sources.changed and not sources.problems and state.pending == dict(settings.pending)
    return unchanged and state.today == settings.today.isoformat() and settings.out.exists()


def _grouped() -> dict[str, tuple[Subject, list[Route]]]:
    """The static routes by their subjects."""
    groups: dict[str, tuple[Subject, list[Route]]] = {}
    for route in ROUTES:
        if route.view:
            groups.setdefault(route.subject.name, (route.subject, []))[1].append(route)
    return groups


GROUPS = _grouped()


def _plan(facts: Facts) -> list[Unit]:
    """Every unit of the site, single records before lists of them. Raises `PathConflict` when two want one path."""
    units = []
    claims: list[tuple[str, str]] = []
    for subject, routes in GROUPS.values():
        for slug in subject.slugs(facts):
            shown = subject.shown(facts, slug)
            units.append(Unit(f"{subject.name}/{slug}", subject, slug, shown, key(shown)))
            claims.extend(
                (route.file_of(slug), f"the {route.about} of {slug!r}" if slug else route.about) for route in routes
            )
    refuse_two_writers(claims)
    return sorted(units, key=lambda unit: not unit.slug)


def _write_all(
    public: Path,
    changed: Sequence[Unit],
    known: Mapping[str, cache.UnitState],
    sources: Sources,
    desk: Desk,
    jobs: int,
    *,
    served: bool,
) -> Written:
    """Render and write what changed.

    Single records come first and lists after, so that a list never names what is not there.
    """
    total = Written()
    work = partial(_write_units, public, known, sources, desk, served)
    leaves, lists = [unit for unit in changed if unit.slug], [unit for unit in changed if not unit.slug]
    for stage in (leaves, lists):
        for part in in_processes(work, stage, jobs if len(stage) > FEW else 1):
            total.units.update(part.units)
            total.documents.update(part.documents)
            total.files += part.files
            total.largest = sorted([*total.largest, *part.largest], key=lambda item: -item[1])[:5]
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
    served: bool,
    units: Sequence[Unit],
) -> Written:
    written = Written()
    for unit in units:
        before = known[unit.name].files if unit.name in known else {}
        artifacts, page = _render(desk, unit, sources)
        fresh = [artifact for artifact in artifacts if before.get(artifact.path) != artifact.digest]
        write(public, fresh, served=served)
        written.files += len(fresh)
        written.largest = sorted(
            [*written.largest, *((item.path, len(item.body)) for item in fresh)], key=lambda item: -item[1]
        )[:5]
        written.units[unit.name] = cache.UnitState(unit.key, {artifact.path: artifact.digest for artifact in artifacts})
        if unit.subject.name in DOCUMENTS:
            written.documents[unit.name] = DOCUMENTS[unit.subject.name](page)
    return written


def _render(desk: Desk, unit: Unit, sources: Sources) -> tuple[list[Artifact], object]:
    """All artifacts of a unit, and what their views were given."""
    page = unit.subject.ready(desk, unit.shown, sources.book(unit.slug) if unit.subject.whole else None)
    _, routes = GROUPS[unit.subject.name]
    return [Artifact(route.file_of(unit.slug), route.view(desk, page)) for route in routes if route.view], page
