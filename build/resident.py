"""A builder that stays: it keeps the library in memory, and renders after an edit what read something that changed.

What each rendering reads is recorded while it is rendered (`context`), never declared. Another day, other templates
or other settings of the site make a whole build.
"""

from collections.abc import Callable, Collection, Sequence
from contextlib import AbstractContextManager
from pathlib import Path
from typing import cast

from library.content.history import read_history
from library.records.collection import Library
from library.search.index import NewIndex, is_whole

from .facts import Facts
from .output import manifest, pagefind
from .output.generations import Generations
from .output.writer import remove
from .pipeline import AS_IT_WAS, LISTS, WholeBuild, arrange, digests, looks, prepared
from .reading import Sources, library_of
from .recording import WHOLE, Reads, differences
from .settings import BuildReport, BuildSettings
from .units import Unit, Writing, Written, lists, records, refuse_conflicts, relist
from .views import bulk
from .views.rows import listings


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
            site, self._site = self._site, None
            made_with = (looks(settings), settings.site_url, settings.release, settings.today)
            same = made_with == self._made_with
            if site and same and site.folder == generations.current and is_whole(site.folder):
                edit = _Edit(settings, site, self._sources, self._begin)
                try:
                    edit.read(generations, saved)
                    if edit.facts.site == site.facts.site:
                        edit.run()
                        self._site, self.library = site, edit.facts.library
                        return edit.report
                finally:
                    if not self._begun:
                        self._site = self._site or site
            whole = WholeBuild(settings, generations, self._sources, recording=True)
            whole.run()
            self._site, self._made_with, self.library = whole, made_with, whole.library
            return whole.report

    def _begin(self) -> None:
        """From now on files are written where readers are: what was known of them is so no more."""
        self._begun = True

    def _left(self) -> str:
        """What readers find where a build ends before its end."""
        if self._begun:
            return "some of what is served is new already; the next build does the rest"
        return AS_IT_WAS


class _Edit:
    """The way from one state of the content to the next, where the site is served."""

    def __init__(self, settings: BuildSettings, site: WholeBuild, sources: Sources, begin: Callable[[], None]) -> None:
        self.settings, self.site, self.sources, self._begin = settings, site, sources, begin
        self.report = BuildReport(edit=True)

    def _stage(self, name: str) -> AbstractContextManager[None]:
        return self.report.stage(name, self.settings.progress)

    def read(self, generations: Generations, saved: Collection[str] | None) -> None:
        """The content as it is now, every rule kept."""
        settings, before = self.settings, self.site.facts
        with self._stage("read"):
            cache = generations.store / "history"
            history = settings.history or read_history(settings.origin, cache, before.history)
            self.sources.read(settings.today, settings.clock(), settings.jobs, saved)
        with self._stage("check"):
            library, self.report.warnings = library_of(
                self.sources, settings.today, settings.site_url, dict(settings.pending)
            )
            changed = cast("set[str]", differences(before.library.playbooks, library.playbooks) - {WHOLE})
            self.facts = Facts(library, self.sources.books, history, before.near, changed)
            self.site.env.texts = history.texts

    def run(self) -> None:
        """Write what differs: single records first, then lists, so that a list never names what is not there."""
        site, facts, folder = self.site, self.facts, self.site.folder
        with self._stage("plan"):
            single = records(facts)
            if new := frozenset(single) - site.units:
                refuse_conflicts([*single, *lists(facts)])
            some = self._stale(site.records.reads, single, new)
        self._begin()
        manifest.drop(folder)
        draft = NewIndex(folder)
        writing = Writing(folder / "public", facts, site.env, draft, self.settings.jobs, served=True, recording=True)
        with self._stage("write"):
            first = writing.write(some)
        with self._stage(LISTS):
            self._list(first)
            many = lists(facts)
            units = frozenset([*single, *many])
            gone, new = site.units - units, units - site.units
            if new:
                refuse_conflicts(units)
            rest = writing.write(self._stale(site.lists.reads, many, new))
        site.records.reads.join(first.reads)
        site.lists.reads.join(rest.reads)
        with self._stage("index"):
            hidden = [*first.hidden, *rest.hidden, *(unit.name for unit in gone)]
            draft.finish([*first.parts, *rest.parts], gone=hidden, synonyms=facts.library.synonyms)
        with self._stage("clear"):
            self._clear(gone, new, first, rest)
        manifest.save(folder, digests(self.sources))
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
        taken_over = {path for unit in new for path in unit.files}
        paths = {path for unit in gone for path in unit.files} - taken_over
        report.removed = first.removed + rest.removed + remove(public, sorted(paths))
        report.written = first.files + rest.files
        report.files = site.report.files + first.added + rest.added - report.removed
        if self.settings.release and (report.written or report.removed):
            report.written += bulk.write_bulk(public, self.facts.library, served=True)
            report.written += pagefind.write_pagefind(site.folder, served=True)
        first.note_sizes(rest.largest)
        report.playbooks, report.largest = len(self.facts.library.playbooks), first.largest
