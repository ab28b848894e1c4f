"""The content as review sees it, tried and shown without writing; and what of it is in the built site."""

import hashlib
import time
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field
from datetime import date
from functools import cache, partial
from pathlib import Path
from threading import Lock

from build.output.generations import manifest_of
from build.reading import Sources
from build.settings import theme_beside
from build.views.draft import preview
from build.views.rendering import RenderEnvironment
from library.content.git import Git, GitError
from library.content.loading import read, read_bytes, some_bytes
from library.records.collection import Library
from library.records.models import Lesson, Playbook, Run, Task
from library.rules.judgment import with_records
from writeapi.review.publishing.publish import DecisionResult, awaited, is_merged, settle
from writeapi.store import Store
from writeapi.store.records import OutboxEntry

from .environment import site_url_of


@dataclass
class ContentShelf:
    """A content folder. `today` is asked each time; calls may come from several threads."""

    content: Path
    today: Callable[[], date]
    site_url: str | None = None
    clock_ns: Callable[[], int] = time.time_ns
    _lock: Lock = field(default_factory=Lock)
    _library: Library | None = None

    def __post_init__(self) -> None:
        """Begin with nothing read."""
        self._sources = Sources(self.content)

    def library(self) -> Library:
        """The library of today; files that did not change are not read again. Raises `ContentError`."""
        with self._lock:
            today, known = self.today(), self._library
            if not self._sources.read(today, self.clock_ns()) and known is not None and known.today == today:
                return known
            self._library = None
            self._library, _ = self._sources.library(self.site_url, {})
            return self._library

    def text(self, file: str) -> str | None:
        """The text of a content file; None when there is none."""
        path = self.content / file
        try:
            return None if path.is_symlink() else some_bytes(path).decode()
        except (OSError, UnicodeDecodeError):
            return None

    def page(self, files: Mapping[str, bytes], file: str) -> bytes | None:
        """The HTML page that `file` would give if `files` were in the content; None when it cannot be made.

        Of a run report it is the page of its playbook.
        """
        library = self.library()
        records = {name: read_bytes(body, name, library.today).record for name, body in files.items()}
        after = with_records(library, filter(None, records.values()))
        record = records.get(file)
        if isinstance(record, Run):
            record = read(self.content, f"playbooks/{record.playbook}.yaml", library.today).record
        if not isinstance(record, Playbook | Lesson | Task):
            return None
        try:
            return preview(RenderEnvironment(after.site, theme=theme_beside(self.content)), after, record)
        except LookupError:
            return None


def settled(
    store: Store, content: Path, out: Path, environment: Mapping[str, str], site_url: str | None = None
) -> Iterator[DecisionResult]:
    """Publish what was accepted and is in the site behind `out`; nothing where no site was built.

    `environment` is that of git; `site_url` takes the place of the address that the site was built for.
    """
    manifest = manifest_of(out.absolute().resolve().parent) or {}
    files = awaited(store) if manifest else frozenset()
    if files:
        built = {file: _still(content / file, mark) for file, mark in manifest.items() if file in files}
        repository = cache(partial(Git, content, environment))

        def merged(entry: OutboxEntry) -> bool:
            """Whether a change on a branch is merged; no, where the content is in no repository that can be asked."""
            try:
                return is_merged(repository(), entry)
            except GitError:
                return False

        yield from settle(store, built, site_url or site_url_of(out.absolute()), merged)


def is_built(out: Path) -> bool:
    """Whether there is a site behind `out` that was built to its end."""
    return manifest_of(out.absolute().resolve().parent) is not None


def _still(path: Path, built: str) -> str:
    """The SHA-256 of a file as the site was made from it; empty where it was changed since."""
    try:
        return built if hashlib.sha256(some_bytes(path)).hexdigest() == built else ""
    except OSError:
        return ""
