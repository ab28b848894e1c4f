"""Read, check, render, write: a whole build in a folder of its own, or an edit of the site that is served.

A whole build moves the link at its end. A builder that stays keeps the library in memory, and renders after an edit
what read something that changed. What each rendering reads is recorded while it is rendered, never declared. Another
day, other templates or other settings of the site make a whole build.
"""

import gc
import hashlib
import os
from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from contextlib import AbstractContextManager, contextmanager
from pathlib import Path
from typing import cast

from library.content.history import History, read_history
from library.problems import LibraryError, UsageError
from library.records.collection import Library
from library.records.vocabulary import Status
from library.search.index import NewIndex, is_whole
from library.variables import missing

from .facts import Facts
from .output.generations import Generations, drop_manifest, write_manifest
from .output.writer import Artifact, differing, remove, write
from .parallel import WorkerLost
from .reading import Sources, library_of
from .recording import WHOLE, Reads, differences
from .settings import PROJECT, BuildReport, BuildSettings
from .units import Unit, Writing, Written, lists, records, refuse_conflicts, relist
from .views.lists import Listing, listings
from .views.rendering import RenderEnvironment

LISTS = "lists"
"""What progress is told when every single record's files are written, and lists are not yet."""
AS_IT_WAS = "what is served stays as it was"


class BuildFailed(LibraryError):
    """The site could not be written: the disk is full, or a folder went away."""


def build(settings: BuildSettings) -> BuildReport:
    """Build the whole site anew.

    Raises `ContentError` with every problem, or `BuildFailed`; what is served stays as it was then.
    """
    with prepared(settings) as generations:
        return WholeBuild(settings, generations, Sources(settings.content), recording=False).run()


@contextmanager
def prepared(settings: BuildSettings, left: Callable[[], str] = lambda: AS_IT_WAS) -> Iterator[Generations]:
    """One builder at a time; what goes wrong is said with what is `left`.

    No collector looks at what was there before, so its pages stay shared with forks.
    """
    if settings.release and (away := missing("release")):
        raise UsageError(f"--release: {away}")
    generations = Generations(settings.out, settings.content)
    with generations.alone(lambda: settings.progress("waiting for another build")):
        generations.drop_unpublished()
        gc.freeze()
        try:
            yield generations
        except OSError as error:
            raise BuildFailed(f"cannot write the site: {error.strerror}; {left()}") from error
        except WorkerLost as error:
            raise BuildFailed(f"{error}; {left()}") from error
        finally:
            gc.unfreeze()
            generations.drop_unpublished()


def looks(settings: BuildSettings) -> bytes:
    """The digest of what pages are made with beside the content: templates, theme, and the project's documents."""
    found = hashlib.sha256()
    for root in (settings.templates, PROJECT / "docs", *([settings.theme] if settings.theme else [])):
        for folder, _, names in sorted(os.walk(root)):
            for name in sorted(name for name in names if not name.startswith(".") and not name.endswith("~")):
                body = Path(folder, name).read_bytes()
                found.update(f"{folder}/{name}:{len(body)}:".encode() + body)
    return found.digest()


class _Run:
    def __init__(self, settings: BuildSettings, generations: Generations, sources: Sources, *, edit: bool) -> None:
        self.settings, self.generations, self.sources = settings, generations, sources
        self.report = BuildReport(edit=edit)

    def stage(self, name: str) -> AbstractContextManager[None]:
        """A stage, said and timed."""
        return self.report.stage(name, self.settings.progress)

    def read(self, before: History | None = None, saved: Collection[str] | None = None) -> tuple[Library, History]:
        """The content, every rule kept, and what git knows of it."""
        settings = self.settings
        with self.stage("read"):
            history = settings.history or read_history(settings.origin, *([before] if before else []))
            self.sources.read(settings.today, settings.clock(), settings.jobs, saved)
        with self.stage("check"):
            library, self.report.warnings = library_of(
                self.sources, settings.today, settings.site_url, dict(settings.pending)
            )
        return library, history

    def finish(self, folder: Path, library: Library, records: Written, lists: Written) -> None:
        """Note what the site is made from, and its sizes."""
        write_manifest(folder, {file: source.digest for file, source in self.sources.files.items()})
        records.note_sizes(lists.largest)
        self.report.playbooks, self.report.largest = len(library.playbooks), records.largest


class WholeBuild(_Run):
    """A whole build; a resident builder goes on from what it leaves, and keeps that up to date."""

    def __init__(self, settings: BuildSettings, generations: Generations, sources: Sources, *, recording: bool) -> None:
        super().__init__(settings, generations, sources, edit=False)
        self.recording = recording
        self.folder = generations.fresh()

    def run(self) -> BuildReport:
        """All stages in order."""
        library, history = self.read()
        with self.stage("plan"):
            self.facts = facts = Facts(library, self.sources.books, history)
            facts.prepare()
            single, many = records(facts), lists(facts)
            self.units = frozenset([*single, *many])
            refuse_conflicts(self.units)
        with self.stage("write"):
            draft = self._write(single, many)
        with self.stage("index"):
            draft.finish([*self.records.parts, *self.lists.parts], synonyms=library.synonyms)
            self.report.files += write_search(self.folder, served=False)
        with self.stage("publish"):
            self.report.written = self.report.files
            self.finish(self.folder, library, self.records, self.lists)
            self.generations.publish(self.folder, durable=self.settings.durable)
        return self.report

    def _write(self, single: Sequence[Unit], many: Sequence[Unit]) -> NewIndex:
        """All files: those of single records, then lists, then what shows digests of them."""
        facts, settings, public = self.facts, self.settings, self.folder / "public"
        self.env = RenderEnvironment(
            facts.site, settings.templates, theme=settings.theme, release=settings.release, texts=facts.history.texts
        )
        self.env.warm()
        gc.freeze()
        draft = NewIndex(self.folder, fresh=True)
        writing = Writing(public, facts, self.env, draft, settings.jobs, recording=self.recording)
        self.records = writing.write(single)
        settings.progress(LISTS)
        arrange(facts, self.records.listings, self.records.skills)
        self.lists = writing.write(many)
        assets = list(self.env.assets.values())
        write(public, assets, served=False)
        self.report.files = self.records.files + self.lists.files + len(assets)
        if settings.release:
            self.report.files += write_bulk(public, facts.library, served=False)
        return draft


def arrange(facts: Facts, found: Mapping[str, Listing], skills: Mapping[str, bytes]) -> None:
    """Let lists know what was worked out with single records, and the digests of instruction files."""
    facts.tables[listings] = {book.slug: found[book.slug] for book in facts.library.listed}
    facts.written = {book.slug: skills[book.slug] for book in facts.library.listed}


def write_bulk(public: Path, library: Library, *, served: bool) -> int:
    """Write the whole-library files, joined from the files that were written: all playbooks as JSON and as markdown.

    For release builds only: they are large, and change with every edit. Withdrawn playbooks are tombstones in the first
    and are left out of the second. Returns the number of files that were others than before.
    """
    folder = public / "api/v1/playbooks"
    items = b",".join((folder / f"{book.slug}.json").read_bytes() for book in library.listed)
    offered = (book.slug for book in library.listed if book.status is not Status.WITHDRAWN)
    texts = [(public / "playbooks" / f"{slug}.md").read_bytes() for slug in offered]
    texts += [(public / "lessons" / f"{slug}.md").read_bytes() for slug in sorted(library.lessons)]
    full = Artifact("api/v1/playbooks/full.json", b'{"total":%d,"items":[%b]}' % (len(library.listed), items))
    fresh = list(differing(public, [full, Artifact("llms-full.txt", b"\n".join(texts))]))
    write(public, fresh, served=served)
    return len(fresh)


def write_search(folder: Path, *, served: bool) -> int:
    """Bring the index that browsers search, `folder/index`, into `folder/public/search`: the number of files written.

    The file that names the others is written last, and what it named before goes after that.
    """
    public = folder / "public"
    made = sorted((folder / "index").glob("*.bin"), key=lambda path: (path.name == "search.bin", path.name))
    fresh = list(differing(public, [Artifact(f"search/{path.name}", path.read_bytes()) for path in made]))
    write(public, fresh, served=served)
    known = {path.name for path in (public / "search").glob("*.bin")}
    remove(public, [f"search/{name}" for name in sorted(known - {path.name for path in made})])
    return len(fresh)


class Resident:
    """One library in memory. The first build is a whole one, and so is each that cannot go on from the last."""

    def __init__(self) -> None:
        self._sources = Sources(Path())
        self._site: WholeBuild | None = None
        self._made_with: object = None
        self._begun = False
        self.library: Library | None = None
        """The library that was built last."""

    @property
    def reads(self) -> tuple[Reads, ...]:
        """What each rendering read: of single records, of lists, and of the playbooks as lists show them."""
        site = self._site
        return (site.records.reads, site.lists.reads, site.records.listing_reads) if site else ()

    def build(self, settings: BuildSettings, saved: Collection[str] | None = None) -> BuildReport:
        """Build what changed. Raises `ContentError`, and all is as it was then, or `BuildFailed`.

        Whoever alone writes into the content names the files that it `saved` since a build last read it.
        """
        self._begun = False
        if self._sources.content != settings.content:
            self._sources, self._site = Sources(settings.content), None
        with prepared(settings, self._left) as generations:
            site, made_with = self._site, (looks(settings), settings.site_url, settings.release, settings.today)
            same = made_with == self._made_with
            if site and same and site.folder == generations.current and is_whole(site.folder):
                edit = _Edit(settings, generations, site, saved)
                if edit.facts.site == site.facts.site:
                    some = edit.plan()
                    self._begun, self._site = (
                        True,
                        None,
                    )  # files are written where readers are: what is known is so no more
                    edit.run(some)
                    self._site, self.library = site, edit.facts.library
                    return edit.report
            whole = WholeBuild(settings, generations, self._sources, recording=True)
            whole.run()
            self._site, self._made_with, self.library = whole, made_with, whole.facts.library
            return whole.report

    def _left(self) -> str:
        return "some of what is served is new already; the next build does the rest" if self._begun else AS_IT_WAS


class _Edit(_Run):
    """The way from one state of the content to the next, where the site is served."""

    def __init__(
        self, settings: BuildSettings, generations: Generations, site: WholeBuild, saved: Collection[str] | None
    ) -> None:
        super().__init__(settings, generations, site.sources, edit=True)
        before = site.facts
        library, history = self.read(before.history, saved)
        changed = cast("set[str]", differences(before.library.playbooks, library.playbooks) - {WHOLE})
        self.site, self.facts = site, Facts(library, self.sources.books, history, before.near, changed)
        site.env.texts = history.texts

    def plan(self) -> list[Unit]:
        """The units of single records that are to be made anew."""
        with self.stage("plan"):
            self.single = records(self.facts)
            if new := frozenset(self.single) - self.site.units:
                refuse_conflicts([*self.single, *lists(self.facts)])
            return self._stale(self.site.records.reads, self.single, new)

    def run(self, some: Sequence[Unit]) -> None:
        """Write what differs: single records first, then lists, so that a list never names what is not there."""
        site, facts, folder = self.site, self.facts, self.site.folder
        drop_manifest(folder)
        draft = NewIndex(folder)
        writing = Writing(folder / "public", facts, site.env, draft, self.settings.jobs, served=True, recording=True)
        with self.stage("write"):
            first = writing.write(some)
        with self.stage(LISTS):
            self._list(first)
            many = lists(facts)
            units = frozenset([*self.single, *many])
            gone, new = site.units - units, units - site.units
            if new:
                refuse_conflicts(units)
            rest = writing.write(self._stale(site.lists.reads, many, new))
        site.records.reads.join(first.reads)
        site.lists.reads.join(rest.reads)
        with self.stage("index"):
            hidden = [*first.hidden, *rest.hidden, *(unit.name for unit in gone)]
            draft.finish([*first.parts, *rest.parts], gone=hidden, synonyms=facts.library.synonyms)
        with self.stage("clear"):
            self._clear(gone, new, first, rest)
        self.finish(folder, facts.library, first, rest)
        site.facts, site.units, site.report = facts, units, self.report

    def _stale(self, reads: Reads, units: Sequence[Unit], new: frozenset[Unit]) -> list[Unit]:
        """Those units that read something which is another now, and those that there were not."""
        stale = reads.stale(self.site.facts, self.facts)
        return [unit for unit in units if unit in stale or unit in new]

    def _list(self, first: Written) -> None:
        """Work out anew how lists show the playbooks that changed for them, and keep all others."""
        site, facts = self.site, self.facts
        before = site.facts.table(listings)
        stale = site.records.listing_reads.stale(site.facts, facts) - first.listings.keys()
        again = relist(facts, [slug for slug in facts.library.playbooks if slug in stale])
        for written in (first, again):
            site.records.listing_reads.join(written.listing_reads)
        found = {**before, **again.listings, **first.listings}
        same = {slug: before[slug] for slug, item in found.items() if before.get(slug) == item}
        arrange(facts, {**found, **same}, {**site.facts.written, **first.skills})

    def _clear(self, gone: frozenset[Unit], new: frozenset[Unit], first: Written, rest: Written) -> None:
        """Files of units that there are no more go, and what is made of the whole site is made anew."""
        site, report, public = self.site, self.report, self.site.folder / "public"
        for reads in (site.records.reads, site.lists.reads):
            reads.forget(gone)
        site.records.listing_reads.forget(unit.slug for unit in gone if unit.subject == "playbook")
        paths = {path for unit in gone for path in unit.files} - {path for unit in new for path in unit.files}
        report.removed = first.removed + rest.removed + remove(public, sorted(paths))
        report.written = first.files + rest.files
        report.files = site.report.files + first.added + rest.added - report.removed
        if self.settings.release and (report.written or report.removed):
            report.written += write_bulk(public, self.facts.library, served=True)
        report.written += write_search(site.folder, served=True)
