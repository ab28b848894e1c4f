"""Read, check, render, write: a build makes the whole site, in a folder of its own, and then moves the link."""

import gc
import hashlib
import os
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path

from library.content.history import read_history
from library.problems import LibraryError, UsageError
from library.search.index import NewIndex
from library.variables import missing

from .facts import Facts
from .output import manifest, pagefind
from .output.artifacts import digest
from .output.generations import Generations
from .output.writer import write
from .parallel import WorkerLost
from .reading import Sources, library_of
from .settings import PROJECT, BuildReport, BuildSettings
from .units import Writing, Written, lists, records, refuse_conflicts
from .views import bulk
from .views.rendering import RenderEnvironment
from .views.rows import Listing, listings

__all__ = ["LISTS", "BuildFailed", "BuildReport", "BuildSettings", "WholeBuild", "build", "looks", "prepared"]
LISTS = "lists"
"""What progress is told when every single record's files are written, and lists are not yet."""
AS_IT_WAS = "what is served stays as it was"
YOUNG = 20_000
"""So many new objects are made before the collector looks at them."""


class BuildFailed(LibraryError):
    """The site could not be written: the disk is full, or a folder went away."""


def build(settings: BuildSettings) -> BuildReport:
    """Build the whole site anew.

    Raises `ContentError` with every problem, or `BuildFailed`; what is served stays as it was then.
    """
    with prepared(settings) as generations:
        return WholeBuild(settings, generations, Sources(settings.content)).run()


@contextmanager
def prepared(settings: BuildSettings, left: Callable[[], str] = lambda: AS_IT_WAS) -> Iterator[Generations]:
    """One builder at a time, with few looks of the collector; what goes wrong is said with what is `left`."""
    if settings.release and (away := missing("release")):
        raise UsageError(f"--release: {away}")
    generations = Generations(settings.out, settings.content)
    with generations.alone(lambda: settings.progress("waiting for another build")), _few_collections():
        generations.drop_unpublished()
        try:
            yield generations
        except OSError as error:
            raise BuildFailed(f"cannot write the site: {error.strerror}; {left()}") from error
        except WorkerLost as error:
            raise BuildFailed(f"{error}; {left()}") from error
        finally:
            generations.drop_unpublished()


@contextmanager
def _few_collections() -> Iterator[None]:
    """What was there before is not looked at: records have no cycles, and their pages stay shared with forks.

    What rendering leaves has: without a collector each page's context would stay in memory.
    """
    was, threshold = gc.isenabled(), gc.get_threshold()
    gc.disable()
    try:
        yield
    finally:
        gc.set_threshold(*threshold)
        gc.unfreeze()
        if was:
            gc.enable()


def looks(settings: BuildSettings) -> bytes:
    """The digest of what pages are made with beside the content: templates, theme, and the project's documents."""
    found = hashlib.sha256()
    for root in (settings.templates, PROJECT / "docs", *([settings.theme] if settings.theme else [])):
        for folder, _, names in sorted(os.walk(root)):
            for name in sorted(name for name in names if not name.startswith(".") and not name.endswith("~")):
                found.update(digest(f"{folder}/{name}".encode()) + digest(Path(folder, name).read_bytes()))
    return found.digest()


class WholeBuild:
    """A whole build on its way; a resident builder goes on from what it leaves, and keeps that up to date."""

    def __init__(
        self, settings: BuildSettings, generations: Generations, sources: Sources, *, recording: bool = False
    ) -> None:
        self.settings = settings
        self.generations = generations
        self.sources = sources
        self.recording = recording
        self.folder = generations.fresh()
        self.public = self.folder / "public"
        self.report = BuildReport()
        self.records = self.lists = Written()

    def run(self) -> BuildReport:
        """All stages in order."""
        for stage in (self.read, self.check, self.plan, self.write, self.index, self.pagefind, self.publish):
            if stage != self.pagefind or self.settings.release:
                with self.report.stage(stage.__name__, self.settings.progress):
                    stage()
        return self.report

    def read(self) -> None:
        """The content files, and what git knows of them."""
        settings = self.settings
        self.history = settings.history or read_history(settings.origin, self.generations.store / "history")
        self.sources.read(settings.today, settings.clock(), settings.jobs)

    def check(self) -> None:
        """The library, every rule kept."""
        settings = self.settings
        self.library, self.report.warnings = library_of(
            self.sources, settings.today, settings.site_url, dict(settings.pending)
        )

    def plan(self) -> None:
        """What follows from the library, and the units of the site, no two of which want one path."""
        self.facts = Facts(self.library, self.sources.books, self.history)
        self.facts.prepare()
        self.single, self.many = records(self.facts), lists(self.facts)
        self.units = frozenset([*self.single, *self.many])
        refuse_conflicts(self.units)

    def write(self) -> None:
        """All files: those of single records, then lists, then what shows digests of them."""
        self.env = environment_of(self.settings, self.facts, self.generations)
        self.env.warm()
        gc.freeze()
        gc.set_threshold(YOUNG, 10, 1_000)
        gc.enable()
        self.draft = NewIndex(self.folder, fresh=True)
        writing = Writing(self.public, self.facts, self.env, self.draft, self.settings.jobs, recording=self.recording)
        self.records = writing.write(self.single)
        self.settings.progress(LISTS)
        arrange(self.facts, self.records.listings, self.records.skills)
        self.lists = writing.write(self.many)
        assets = list(self.env.assets.values())
        write(self.public, assets, served=False)
        files = self.records.files + self.lists.files + len(assets)
        if self.settings.release:
            files += bulk.write_bulk(self.public, self.library, served=False)
        self.report.files = self.report.written = files

    def index(self) -> None:
        """The search index: what the writers of pages wrote of it."""
        self.draft.finish([*self.records.parts, *self.lists.parts], synonyms=self.library.synonyms)

    def pagefind(self) -> None:
        """The search of the browser alone."""
        self.report.files = self.report.written = self.report.written + pagefind.write_pagefind(
            self.folder, served=False
        )

    def publish(self) -> None:
        """All of it is on the disk, and takes the place of what was served."""
        manifest.save(self.folder, digests(self.sources))
        self.generations.publish(self.folder, durable=self.settings.durable)
        self.records.note_sizes(self.lists.largest)
        self.report.playbooks, self.report.largest = len(self.library.playbooks), self.records.largest


def environment_of(settings: BuildSettings, facts: Facts, generations: Generations) -> RenderEnvironment:
    """The templates and all else that every page is made with."""
    return RenderEnvironment(
        facts.site,
        settings.templates,
        theme=settings.theme,
        release=settings.release,
        texts=facts.history.texts,
        compiled=generations.store / "templates",
    )


def arrange(facts: Facts, found: Mapping[str, Listing], skills: Mapping[str, bytes]) -> None:
    """Let lists know what was worked out with single records, and the digests of instruction files."""
    facts.tables[listings] = {book.slug: found[book.slug] for book in facts.library.listed}
    facts.written = {book.slug: skills[book.slug] for book in facts.library.listed}


def digests(sources: Sources) -> dict[str, bytes]:
    """The digest of each content file."""
    return {file: source.digest for file, source in sources.files.items()}
