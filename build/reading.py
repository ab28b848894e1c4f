"""The first pass of a build: content files to records, kept in memory, so that the next pass reads what changed."""

from collections.abc import Mapping, Sequence
from dataclasses import replace
from datetime import date
from functools import partial
from pathlib import Path
from zlib import compress

import msgspec
from pydantic import TypeAdapter

from library.content import loading
from library.content.loading import Loaded, SourceFile
from library.problems import ContentError, Problem
from library.records.collection import Library, assemble
from library.records.models import Playbook, Site
from library.rules import checks

from .parallel import in_processes

_PLAYBOOK = TypeAdapter(Playbook)
RACY_NS = 2_000_000_000
"""A file changed this shortly before it was read may change again without a new time stamp: it is read again."""


class ReadSource(msgspec.Struct):
    """One content file as it was read: its stat, its digest, and what it gave.

    `record` is what stays of it, of a playbook its entry; `book` is a whole playbook as JSON, compressed; `left` is
    what a draft still lacks. `sure` is false where the file may have changed since without a new time stamp.
    """

    stat: SourceFile = SourceFile("", 0, 0)
    digest: bytes = b""
    record: Loaded | None = None
    book: bytes = b""
    problems: list[Problem] = []
    left: list[Problem] = []
    draft: bool = False
    sure: bool = False


class Sources:
    """The files of a content folder, each as it was last read; `strays` are problems of what is no content file.

    `used` are the files that the last library was made from.
    """

    def __init__(self, content: Path) -> None:
        self.content = content
        self.files: dict[str, ReadSource] = {}
        self.used: dict[str, ReadSource] = {}
        self.strays: list[Problem] = []
        self.today = date.min

    def read(self, today: date, now_ns: int, jobs: int = 1) -> bool:
        """Read what changed since the last time, and everything on another day: whether anything is another.

        `now_ns` is the present moment; files that are many are read in `jobs` processes.
        """
        found, strays = loading.scan(self.content)
        before = self.files if today == self.today else {}
        sure = {source.stat for source in before.values() if source.sure}
        unread = [item for item in found if item not in sure]
        fresh = dict[str, ReadSource]()
        for part in in_processes(partial(_read_files, self.content, today), unread, jobs):
            fresh.update(part)
        moved = strays != self.strays or before.keys() != {item.file for item in found}
        for file, source in fresh.items():
            known = before.get(file)
            if known and source.digest and source.digest == known.digest:  # what was known of it stays the very same
                known.stat = source.stat
                fresh[file] = known
            else:
                moved = True
        for source in fresh.values():
            source.sure = bool(source.digest) and source.stat.changed_ns < now_ns - RACY_NS
        self.files = {item.file: fresh.get(item.file) or before[item.file] for item in found}
        self.strays, self.today = strays, today
        return moved

    def library(self, site_url: str | None, pending: Mapping[str, int]) -> tuple[Library, list[Problem]]:
        """The library of what was read, checked as a whole, and its warnings. Raises `ContentError` with all errors."""
        return self.library_of(self.files, self.strays, site_url, pending)

    def library_of(
        self, files: dict[str, ReadSource], strays: Sequence[Problem], site_url: str | None, pending: Mapping[str, int]
    ) -> tuple[Library, list[Problem]]:
        """As `library`, of some files."""
        problems = [*strays, *(problem for source in files.values() for problem in source.problems)]
        records = [source.record for source in files.values() if source.record]
        broken = {problem.file for problem in loading.errors_in(problems)}
        drafts = frozenset(file for file, source in files.items() if source.draft)
        library = assemble(records, self.today, pending, broken, drafts)
        library = replace(library, site=_at(library.site, site_url))
        problems += loading.placed(checks.across(library), self.content)
        if errors := list(loading.errors_in(problems)):
            raise ContentError(errors)
        self.used = files
        return library, problems

    @property
    def books(self) -> dict[str, bytes]:
        """The whole playbooks as JSON by slug, compressed: whole, they were a third of what forks share."""
        return {Path(file).stem: source.book for file, source in self.used.items() if source.book}


def _read_files(content: Path, today: date, items: Sequence[SourceFile]) -> dict[str, ReadSource]:
    found = {}
    for item in items:
        reading = loading.read(content, item.file, today)
        record = loading.loaded(reading.record) if reading.record else None
        book = compress(_PLAYBOOK.dump_json(reading.record), 1) if isinstance(reading.record, Playbook) else b""
        beside = reading.problems, reading.left, reading.draft
        found[item.file] = ReadSource(item, reading.digest, record, book, *beside)
    return found


def read_site(content: Path, today: date, site_url: str | None) -> Site | None:
    """The site's settings, at another address if one is given; None where `site.yaml` is broken."""
    site = loading.read(content, "site.yaml", today).record
    return _at(site, site_url) if isinstance(site, Site) else None


def _at(site: Site, url: str | None) -> Site:
    return site.model_copy(update={"site_url": url, "api_url": None}) if url else site
