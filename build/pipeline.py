"""Load, plan, write: the only orchestrator of a build."""

from __future__ import annotations

import gc
import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from datetime import date
from pathlib import Path

from library.problems import LibraryError, Problem
from library.search.index import Draft, is_whole

from . import bulk, cache, pagefind
from .desk import PROJECT, TEMPLATES, Desk
from .facts import Facts
from .generations import Generations
from .gitlog import read_history
from .history import History
from .reading import Sources, library_of, read_site, read_sources
from .theme import theme_beside
from .units import ASSETS, Unit, plan, plan_late, write_all
from .writer import remove


@dataclass(frozen=True)
class Settings:
    """What a build is told.

    `site_url` takes the place of the content's own; `pending` counts waiting reports by playbook. `history` takes the
    place of what git knows of the content.
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
    history: History | None = None

    @property
    def theme(self) -> Path | None:
        """The folder of the owner's templates and assets."""
        return theme_beside(self.content)


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
    with generations.alone(lambda: settings.progress("waiting for another build")), _no_collection():
        try:
            return _Build(settings, generations).run()
        except OSError as error:
            raise BuildFailed(f"cannot write the site: {error.strerror}; what is served stays as it was") from error
        finally:
            generations.drop_unpublished()


@contextmanager
def _no_collection() -> Iterator[None]:
    """Records are kept to the end of a build and have no cycles: a collector would only look at them, over and over."""
    enabled = gc.isenabled()
    gc.disable()
    try:
        yield
    finally:
        if enabled:
            gc.enable()


class _Build:
    """One build on its way: what each stage leaves for the next."""

    def __init__(self, settings: Settings, generations: Generations) -> None:
        self.settings = settings
        self.generations = generations
        self.report = Report()
        self.started = settings.clock()

    def run(self) -> Report:
        """All stages in order, or only the first where there is nothing to do."""
        stages = Stages(self.report, self.settings.progress)
        stages.begin("read")
        self.read()
        if self.state and _same(self.state, self.sources, self.settings, self.history):
            self.report.files, self.report.playbooks = len(self.state.files), len(self.sources.digests)
        else:
            for stage in self.stages():
                stages.begin(stage.__name__)
                stage()
        stages.begin("")
        return self.report

    def stages(self) -> tuple[Callable[[], None], ...]:
        """What follows on reading. Pagefind, which costs seconds where the library is large, is for release builds."""
        pages = (self.pagefind,) if self.settings.release else ()
        return (self.check, self.plan, self.write, self.index, self.clear, *pages, self.publish)

    def read(self) -> None:
        """The content files, and what the last build knew."""
        settings = self.settings
        self.generations.drop_unpublished()
        self.site = read_site(settings.content, settings.today, settings.site_url)
        kind = f"release {pagefind.version()}" if settings.release else ""
        self.mark = cache.settings(self.site, PROJECT, settings.templates, settings.theme, kind)
        self.state = _last(self.generations.current, self.mark, settings)
        self.history = settings.history or read_history(settings.content, self.generations.store / "history")
        self.sources = read_sources(settings.content, settings.today, self.state, settings.jobs)

    def check(self) -> None:
        """The library, every rule kept."""
        self.library, self.report.warnings = library_of(self.sources, self.site, dict(self.settings.pending))

    def plan(self) -> None:
        """The units of the site, and which of them show something else than before."""
        self.report.cold = self.state is None
        self.known = self.state.units if self.state else {}
        near = self.state.near if self.state else {}
        self.facts = Facts(self.library, self.sources.digests, self.history, near, self.sources.changed_books)
        self.units = plan(self.facts)
        self.changed = self._changed(self.units)

    def _changed(self, units: Sequence[Unit]) -> list[Unit]:
        """Those that show something else than before."""
        known = self.known
        return [unit for unit in units if unit.name not in known or known[unit.name].key != unit.key]

    def late(self, written: Mapping[str, cache.UnitState]) -> list[Unit]:
        """The units that show the digests of what is written by now, those that changed."""
        units = plan_late(self.facts, {**self.known, **written})
        self.units += units
        return self._changed(units)

    def write(self) -> None:
        """The files that differ, into a fresh generation or into the one that is served."""
        served = self.generations.current if self.state else None
        self.folder = served or self.generations.fresh()
        (self.folder / "unfinished").touch()
        public = self.folder / "public"
        desk = Desk(
            self.library.site,
            self.settings.templates,
            theme=self.settings.theme,
            release=self.settings.release,
            texts=self.history.texts,
        )
        self.draft = Draft(self.folder, fresh=self.report.cold)
        self.written = write_all(
            public,
            self.changed,
            self.late,
            self.known,
            self.sources,
            desk,
            self.draft,
            self.settings.jobs,
            served=served is not None,
        )
        if self.settings.release:
            self.written.files += bulk.write_bulk(public, self.library, served=served is not None)

    def index(self) -> None:
        """The search index: what the writers of pages wrote of it, without what is gone."""
        names = {ASSETS, *(unit.name for unit in self.units)}
        gone = [name for name in self.known if name not in names]
        self.draft.finish(self.written.parts, gone=[*gone, *self.written.hidden], synonyms=self.library.synonyms)

    def clear(self) -> None:
        """What no unit writes any more goes."""
        names = [ASSETS, *(unit.name for unit in self.units)]
        kept = {name: self.known[name] for name in names if name not in self.written.units}
        self.now = cache.State(
            cache.FORMAT,
            self.mark,
            self.settings.today.isoformat(),
            self.started,
            dict(self.settings.pending),
            self.sources.states,
            {**kept, **self.written.units},
            self.history.mark,
            dict(self.facts.near),
        )
        stale = sorted(self.state.files.keys() - self.now.files.keys()) if self.state else []
        remove(self.folder / "public", stale)
        self.report.removed = len(stale)

    def pagefind(self) -> None:
        """The search of the browser alone, where a page is another than before."""
        before = _pages(self.state) if self.state and (self.folder / "public" / pagefind.FOLDER).exists() else None
        if before != _pages(self.now):
            self.written.files += pagefind.write_pagefind(self.folder, served=not self.report.cold)

    def publish(self) -> None:
        """The state is kept, and a fresh generation takes its place."""
        cache.save(self.folder / "state", self.now)
        (self.folder / "unfinished").unlink()
        if self.report.cold:
            self.generations.publish(self.folder)
        report = self.report
        report.playbooks, report.files = len(self.library.playbooks), len(self.now.files)
        report.written, report.largest = self.written.files, self.written.largest


def _pages(state: cache.State) -> dict[str, bytes]:
    """The pages with their digests."""
    return {path: body for path, body in state.files.items() if path.endswith(".html")}


def _last(current: Path | None, mark: bytes, settings: Settings) -> cache.State | None:
    """What the last build knew, if this one may build on it.

    Not when it was cut short, when code, templates or site settings changed, or when it checked dates against a later
    day.
    """
    if settings.fresh or current is None or (current / "unfinished").exists() or not is_whole(current):
        return None
    state = cache.load(current / "state")
    if state is None or state.settings != mark or state.today > settings.today.isoformat():
        return None
    return state


def _same(state: cache.State, sources: Sources, settings: Settings, history: History) -> bool:
    """Whether there is nothing to do."""
    unchanged = not sources.changed and not sources.problems and state.pending == dict(settings.pending)
    return (
        unchanged
        and state.history == history.mark
        and state.today == settings.today.isoformat()
        and settings.out.exists()
    )
