"""The first pass of a build: content files to records, unread where the last build knows them already."""

from __future__ import annotations

import os
import weakref
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, field
from datetime import date
from functools import cached_property, partial
from pathlib import Path
from tempfile import NamedTemporaryFile
from types import MappingProxyType
from typing import IO

from library import checks, drafts, loading
from library.collection import Library, assemble
from library.loading import Found, Kept
from library.models import Playbook, Site
from library.problems import ContentError, Problem
from library.quick import from_json

from .artifacts import digest
from .cache import SourceState, State, keep, recall
from .parallel import in_processes
from .unchanged import RACY_NS

SPOOL = "books-"


def drop_spools(scratch: Path) -> None:
    """Remove what a reading left that was killed, or could not be finished."""
    for left in scratch.glob(f"{SPOOL}*"):
        left.unlink(missing_ok=True)


class Spool:
    """A file that keeps whole playbooks out of memory; it has no name any more, and goes when nobody needs it."""

    def __init__(self, path: Path) -> None:
        self._file = os.open(path, os.O_RDONLY | os.O_CLOEXEC)
        path.unlink()
        weakref.finalize(self, os.close, self._file)

    def read(self, start: int, end: int) -> bytes:
        """The bytes from one place to another."""
        return os.pread(self._file, end - start, start)


@dataclass
class Sources:
    """All content files as this build has them.

    `books` says where the whole playbooks that were read in this build lie, as JSON: in which of the `spools`, from
    where to where. They are not kept in memory; the others are where they were.
    """

    content: Path
    today: date
    states: dict[str, SourceState] = field(default_factory=dict)
    records: dict[str, Kept] = field(default_factory=dict)
    books: dict[str, tuple[int, int, int]] = field(default_factory=dict)
    spools: list[Spool] = field(default_factory=list)
    problems: list[Problem] = field(default_factory=list)
    changed: set[str] = field(default_factory=set)

    @cached_property
    def drafts(self) -> frozenset[str]:
        """The files that are no records yet: nothing is kept of them."""
        return frozenset(file for file, state in self.states.items() if not state.record)

    def book(self, slug: str) -> Playbook:
        """One whole playbook."""
        if slug not in self.books:
            return drafts.without(loading.read_playbook(self.content, slug, self.today), self.drafts)
        spool, start, end = self.books[slug]
        kept = self.spools[spool].read(start, end)
        return drafts.without(from_json(Playbook, kept).filed(f"playbooks/{slug}.yaml"), self.drafts)

    @property
    def changed_books(self) -> set[str]:
        """The slugs of the playbooks that are others than the last build knew, new or gone."""
        return {file[10:-5] for file in self.changed if file.startswith("playbooks/")}

    @property
    def digests(self) -> dict[str, bytes]:
        """The digest of each playbook's file, by slug."""
        return {file[10:-5]: state.digest for file, state in self.states.items() if file.startswith("playbooks/")}


@dataclass(frozen=True, slots=True)
class _Read:
    found: Found
    digest: bytes
    record: bytes
    book: tuple[int, int] | None
    problems: list[Problem]
    draft: bool = False


def read_site(content: Path, today: date, site_url: str | None) -> Site | None:
    """The site's settings, at another address if one is given; None where `site.yaml` is broken."""
    record = loading.read(content, "site.yaml", today).record
    if not isinstance(record, Site):
        return None
    return record.model_copy(update={"site_url": site_url, "api_url": None}) if site_url else record


def read_sources(
    content: Path,
    today: date,
    state: State | None,
    jobs: int,
    scratch: Path | None = None,
    now: Mapping[str, tuple[int, int]] = MappingProxyType({}),
    meanwhile: Callable[[], None] = lambda: None,
) -> Sources:
    """All content files; those that changed since `state` are read anew, in `jobs` processes when they are many.

    In the folder `scratch` each process leaves what it read; the file loses its name as soon as it is known here.
    `now` is how the files are, where that is known: names that were content in the last build need no second look.
    What is to be done `meanwhile` is done while other processes read, where there are such.
    """
    if state and now and now.keys() <= state.sources.keys() and now.keys() >= loading.REQUIRED:
        sources = Sources(content, today)
        found = [Found(file, *stat) for file, stat in now.items()]
    else:
        found, problems = loading.scan(content)
        sources = Sources(content, today, problems=problems)
    sources.states = {item.file: known for item in found if (known := _as_it_was(item, state))}
    unread = [item for item in found if item.file not in sources.states]
    work = partial(
        _read_files,
        content,
        today,
        {item.file: state.sources[item.file] for item in unread if state and item.file in state.sources},
        scratch,
    )
    read = in_processes(work, unread, jobs if len(unread) > 64 else 1, scratch)
    meanwhile()
    for piece in read:
        if isinstance(piece, str):
            sources.spools.append(Spool(Path(piece)))
        else:
            _take(sources, piece)
    sources.states = {item.file: sources.states[item.file] for item in found if item.file in sources.states}
    if state:
        sources.changed |= state.sources.keys() - sources.states.keys()
    return sources


def _as_it_was(item: Found, state: State | None) -> SourceState | None:
    """What the last build knew of a file, where nothing can have changed it since."""
    known = state.sources.get(item.file) if state else None
    if known is None or state is None or (known.changed_ns, known.size) != (item.changed_ns, item.size):
        return None
    return known if item.changed_ns < state.started_ns - RACY_NS else None


def _read_files(
    content: Path,
    today: date,
    known: dict[str, SourceState],
    scratch: Path | None,
    items: Iterable[Found],
    hand: Callable[[str | _Read | SourceStateOf], None],
) -> None:
    """Hand back the name of the spool that whole playbooks are in, and each file as it was read."""
    with NamedTemporaryFile(prefix=SPOOL, dir=scratch, delete=False) as spool:
        hand(spool.name)
        for item in items:
            hand(_read_file(content, today, known, spool, item))


def _read_file(
    content: Path, today: date, known: dict[str, SourceState], spool: IO[bytes], item: Found
) -> _Read | SourceStateOf:
    try:
        raw = loading.some_bytes(content / item.file)
    except OSError as error:
        problem = Problem(item.file, (), "unreadable", f"cannot be read: {error.strerror}")
        return _Read(item, b"", b"", None, [problem])
    mark = digest(raw)
    before = known.get(item.file)
    if before and before.digest == mark:
        return SourceStateOf(item.file, SourceState(item.changed_ns, item.size, mark, before.record))
    reading = loading.read_bytes(raw, item.file, today)
    record = reading.record
    place = None
    if isinstance(record, Playbook):
        start = spool.tell()
        place = start, start + spool.write(record.__pydantic_serializer__.to_json(record))
    return _Read(item, mark, keep(loading.kept(record)) if record else b"", place, reading.problems, reading.draft)


@dataclass(frozen=True, slots=True)
class SourceStateOf:
    """A file whose time stamp changed and whose bytes did not."""

    file: str
    state: SourceState


def _take(sources: Sources, result: _Read | SourceStateOf) -> None:
    if isinstance(result, SourceStateOf):
        sources.states[result.file] = result.state
        return
    file = result.found.file
    sources.changed.add(file)
    sources.problems.extend(result.problems)
    if result.record or result.draft:
        sources.states[file] = SourceState(result.found.changed_ns, result.found.size, result.digest, result.record)
    if result.book is not None:
        sources.books[file[10:-5]] = (len(sources.spools) - 1, *result.book)


def library_of(
    sources: Sources,
    site: Site | None,
    pending: dict[str, int],
    known: dict[str, tuple[SourceState, Kept]] | None = None,
) -> tuple[Library, list[Problem]]:
    """The library, checked as a whole, and its warnings. `known` are records that were read back before, by file.

    Raises `ContentError` with every error, when there is one.
    """
    known = {} if known is None else known
    before = dict(known)
    known.clear()
    for file, state in sources.states.items():
        if file != "site.yaml" and state.record:
            kept = before.get(file)
            known[file] = kept if kept and kept[0] is state else (state, recall(file, state.record))
    records = (record for _, record in known.values())
    broken = {problem.file for problem in loading.errors_in(sources.problems)}
    library = assemble([*records, *([site] if site else [])], sources.today, pending, broken, sources.drafts)
    problems = [*sources.problems, *loading.placed(sources.content, checks.across(library))]
    if errors := list(loading.errors_in(problems)):
        raise ContentError(errors)
    return library, problems
