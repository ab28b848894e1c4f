"""Load, plan, write: the only orchestrator of a build."""

from __future__ import annotations

import gc
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from functools import cached_property

from library.extras import missing
from library.problems import LibraryError, UsageError
from library.search.index import Draft

from . import bulk, cache, pagefind, unchanged
from .desk import Desk
from .facts import Facts
from .generations import Generations
from .gitlog import read_history
from .memory import Memory
from .parallel import WorkerLost
from .reading import drop_spools, library_of, read_site, read_sources
from .settings import PROJECT, Report, Settings
from .stages import Stages
from .theme import ThemeBroken
from .touched import histories, touched
from .units import all_names, files_of, records, stale
from .writer import remove, write
from .writing import Writing, write_all

__all__ = ["LISTS", "BuildFailed", "Report", "Settings", "build"]
LISTS = "lists"
"""What progress is told when every single record's files are written, and lists are not yet."""


class BuildFailed(LibraryError):
    """The site could not be written: the disk is full, or a folder went away."""


def build(settings: Settings, content: unchanged.Stats | None = None) -> Report:
    """Build the site; `content` is how its files are now, where that was looked up a moment ago.

    Raises `ContentError` with every problem, and the site stays as it was then, or `BuildFailed`, which says how it is.
    """
    if settings.release and (away := missing("release")):
        raise UsageError(f"--release: {away}")
    content = content or unchanged.content_stats(settings.content)
    generations = Generations(settings.out, settings.content)
    with generations.alone(lambda: settings.progress("waiting for another build")), _no_collection():
        work = _Build(settings, generations, content)
        try:
            return work.run()
        except OSError as error:
            raise BuildFailed(f"cannot write the site: {error.strerror}; {work.left()}") from error
        except WorkerLost as error:
            raise BuildFailed(f"{error}; {work.left()}") from error
        finally:
            generations.drop_unpublished()
            drop_spools(generations.store)


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

    def __init__(self, settings: Settings, generations: Generations, content: unchanged.Stats) -> None:
        self.settings = settings
        self.content = content
        self.memory = settings.memory or Memory()
        self.names: set[str] = set()
        self.state: cache.State | None = None
        self.folder = generations.store
        self.generations = generations
        self.report = Report()
        self.started = settings.clock()

    def run(self) -> Report:
        """All stages in order."""
        stages = Stages(self.report, self.settings.progress)
        stages.begin("read")
        self.read()
        for stage in self.stages():
            stages.begin(stage.__name__)
            stage()
        stages.begin("")
        return self.report

    def left(self) -> str:
        """What readers find where a build ends before its end."""
        if self.state is None or not (self.folder / "unfinished").exists():
            return "what is served stays as it was"
        return "some of what is served is new already; the next build does the rest"

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
        self.state = self.memory.last(self.generations.current, self.mark, settings)
        current = self.generations.current
        self.folder = current if self.state and current else self.generations.fresh()
        self.history = settings.history or read_history(settings.origin, self.generations.store / "history")
        drop_spools(self.generations.store)
        self.sources = read_sources(
            settings.content, settings.today, self.state, settings.jobs, self.generations.store, self.content, self.warm
        )

    def check(self) -> None:
        """The library, every rule kept."""
        pending = dict(self.settings.pending)
        self.library, self.report.warnings = library_of(self.sources, self.site, pending, self.memory.records)

    def plan(self) -> None:
        """The units of the site, and which of them show something else than before."""
        self.report.cold = self.state is None
        self.known = self.state.units if self.state else {}
        near = self.state.near if self.state else {}
        self.facts = Facts(self.library, self.sources.digests, self.history, near, self.sources.changed_books)
        self.touched = touched(self.state, self.facts, self.sources)
        if self.state and self.touched:
            some = self.touched.listed
            self.facts.listed = {slug: item for slug, item in self.state.listed.items() if slug not in some}
        self.records = records(self.facts, self.known, self.touched)
        if self.state and any(unit.name not in self.known for unit in self.records):
            self.name()  # before anything is written where readers are
        self.facts.prepare()

    def name(self) -> None:
        """The names of all units, no two of which want one path."""
        if not self.names:
            self.names = all_names(self.facts, self.known)

    def lists(self) -> None:
        """Lists come now; every single record's files are written."""
        self.settings.progress(LISTS)
        self.name()

    def write(self) -> None:
        """The files that differ, into a fresh generation or into the one that is served."""
        served = self.state is not None
        (self.folder / "unfinished").touch()
        public = self.folder / "public"
        desk = self.desk
        self.draft = Draft(self.folder, fresh=self.report.cold)
        writing = Writing(public, self.known, self.facts, self.sources, desk, self.draft, self.settings.jobs, served)
        meanwhile = (lambda: None) if served else self.name
        self.written = write_all(writing, self.records, meanwhile, self.lists)
        self.assets = self.state.assets if self.state else {}
        if not served:  # a changed asset makes a new generation, like a changed template
            assets = list(desk.assets.values())
            write(public, assets, served=False)
            self.written.files += len(assets)
            self.assets = {asset.path: asset.digest for asset in assets}
        if self.settings.release:
            self.written.files += bulk.write_bulk(public, self.library, served=served)

    @cached_property
    def desk(self) -> Desk:
        """The templates and all else that every page is made with: as the last build had it, where nothing changed."""
        memory = self.memory
        if self.state is None or memory.desk is None or memory.made_for != self.mark:
            memory.made_for = self.mark
            memory.desk = Desk(
                self.site or self.library.site,
                self.settings.templates,
                theme=self.settings.theme,
                release=self.settings.release,
                compiled=self.folder / "templates",
            )
        memory.desk.texts = self.history.texts
        return memory.desk

    def warm(self) -> None:
        """Compile the templates while other processes read. What is wrong with them is told when they are used."""
        if self.state is None and self.site and self.settings.jobs > 1:
            with suppress(ThemeBroken):
                self.desk.warm()

    def index(self) -> None:
        """The search index: what the writers of pages wrote of it, without what is gone."""
        gone = [name for name in self.known if name not in self.names]
        self.draft.finish(self.written.parts, gone=[*gone, *self.written.hidden], synonyms=self.library.synonyms)

    def clear(self) -> None:
        """What no unit writes any more goes."""
        kept = {name: state for name, state in self.known.items() if name in self.names}
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
            self.assets,
            self.facts.listed,
            sorted(self.facts.counted),
            list(self.library.handles),
            histories(self.facts, self.state),
        )
        gone = sorted(stale(self.known, self.names, self.written.units))
        remove(self.folder / "public", gone)
        self.report.removed = len(gone)

    def pagefind(self) -> None:
        """The search of the browser alone, where a page is another than before."""
        before = _pages(self.state) if self.state and (self.folder / "public" / pagefind.FOLDER).exists() else None
        if before != _pages(self.now):
            self.written.files += pagefind.write_pagefind(self.folder, served=not self.report.cold)

    def know(self) -> None:
        """Keep what tells the next build that it has nothing to do."""
        settings, now = self.settings, self.now
        known = unchanged.Known(
            unchanged.around(settings.templates, settings.theme),
            settings.site_url,
            now.today,
            now.started_ns,
            now.pending,
            now.history,
            {
                **{file: (state.changed_ns, state.size) for file, state in now.sources.items()},
                **{name: stat for name, stat in self.content.items() if name[-1:] == "/"},
            },
            unchanged.stat_of(self.folder / "state"),
            playbooks=len(self.library.playbooks),
            files=now.files,
        )
        unchanged.keep(self.folder, known)

    def publish(self) -> None:
        """The state is kept, and a fresh generation takes its place."""
        cache.save(self.folder / "state", self.now)
        self.memory.keep(self.folder / "state", self.now)
        self.know()
        (self.folder / "unfinished").unlink()
        if self.report.cold:
            self.generations.publish(self.folder)
        report = self.report
        report.playbooks, report.files = len(self.library.playbooks), self.now.files
        report.written, report.largest = self.written.files, self.written.largest


def _pages(state: cache.State) -> dict[str, bytes]:
    """The pages with their digests."""
    return {path: mark for path, mark in files_of(state.units) if path.endswith(".html")}
