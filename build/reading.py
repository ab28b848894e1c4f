"""The first pass of a build: content files to records, unread where the last build knows them already."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from datetime import date
from functools import partial
from pathlib import Path

from library import checks, loading
from library.collection import Library
from library.loading import Found, Kept
from library.models import Playbook, Site
from library.problems import ContentError, Problem

from .artifacts import digest
from .cache import SourceState, State, keep, recall
from .parallel import in_processes
from .unchanged import RACY_NS


@dataclass
class Sources:
    """All content files as this build has them.

    `books` holds, as JSON, the whole playbooks that were read in this build; the others are where they were.
    """

    content: Path
    today: date
    states: dict[str, SourceState] = field(default_factory=dict)
    records: dict[str, Kept] = field(default_factory=dict)
    books: dict[str, bytes] = field(default_factory=dict)
    problems: list[Problem] = field(default_factory=list)
    changed: set[str] = field(default_factory=set)

    def book(self, slug: str) -> Playbook:
        """One whole playbook."""
        kept = self.books.get(slug)
        if kept is None:
            return loading.read_playbook(self.content, slug, self.today)
        return Playbook.model_validate_json(kept).filed(f"playbooks/{slug}.yaml")

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
    book: bytes | None
    problems: list[Problem]


def read_site(content: Path, today: date, site_url: str | None) -> Site | None:
    """The site's settings, at another address if one is given; None where `site.yaml` is broken."""
    record = loading.read(content, "site.yaml", today).record
    if not isinstance(record, Site):
        return None
    return record.model_copy(update={"site_url": site_url, "api_url": None}) if site_url else record


def read_sources(content: Path, today: date, state: State | None, jobs: int) -> Sources:
    """All content files; those that changed since `state` are read anew, in `jobs` processes when they are many."""
    found, problems = loading.scan(content)
    sources = Sources(content, today, problems=problems)
    unread: list[Found] = []
    for item in found:
        known = state.sources.get(item.file) if state else None
        if (
            known
            and state
            and (known.mtime_ns, known.size) == (item.mtime_ns, item.size)
            and item.mtime_ns < state.started_ns - RACY_NS
        ):
            sources.states[item.file] = known
        else:
            unread.append(item)
    work = partial(
        _read_files,
        content,
        today,
        {item.file: state.sources[item.file] for item in unread if state and item.file in state.sources},
    )
    for results in in_processes(work, unread, jobs if len(unread) > 64 else 1):
        for result in results:
            _take(sources, result)
    if state:
        sources.changed |= state.sources.keys() - sources.states.keys()
    return sources


def _read_files(
    content: Path, today: date, known: dict[str, SourceState], items: Sequence[Found]
) -> list[_Read | SourceStateOf]:
    results: list[_Read | SourceStateOf] = []
    for item in items:
        try:
            raw = loading.some_bytes(content / item.file)
        except OSError as error:
            results.append(
                _Read(item, b"", b"", None, [Problem(item.file, (), "unreadable", f"cannot be read: {error.strerror}")])
            )
            continue
        mark = digest(raw)
        before = known.get(item.file)
        if before and before.digest == mark:
            results.append(SourceStateOf(item.file, SourceState(item.mtime_ns, item.size, mark, before.record)))
            continue
        reading = loading.read_bytes(raw, item.file, today)
        record = reading.record
        book = record.__pydantic_serializer__.to_json(record) if isinstance(record, Playbook) else None
        results.append(_Read(item, mark, keep(loading.kept(record)) if record else b"", book, reading.problems))
    return results


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
    if result.record:
        sources.states[file] = SourceState(result.found.mtime_ns, result.found.size, result.digest, result.record)
    if result.book is not None:
        sources.books[file[10:-5]] = result.book


def library_of(sources: Sources, site: Site | None, pending: dict[str, int]) -> tuple[Library, list[Problem]]:
    """The library, checked as a whole, and its warnings.

    Raises `ContentError` with every error, when there is one.
    """
    records: Iterable[Kept] = [
        recall(file, state.record) for file, state in sources.states.items() if file != "site.yaml"
    ]
    broken = {problem.file for problem in loading.errors_in(sources.problems)}
    library = loading.assemble([*records, *([site] if site else [])], sources.today, pending, broken)
    problems = [*sources.problems, *loading.placed(sources.content, checks.across(library))]
    if errors := list(loading.errors_in(problems)):
        raise ContentError(errors)
    return library, problems
