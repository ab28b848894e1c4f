"""The content as review sees it, tried and shown without writing; and what of it is in the built site."""

import hashlib
import time
from collections.abc import Callable, Iterator, Mapping
from datetime import date
from functools import cache, partial
from pathlib import Path
from threading import Lock

from build.output.generations import Manifest, manifest_of
from build.reading import Sources, library_of
from build.settings import theme_beside
from build.views.draft import preview
from build.views.rendering import RenderEnvironment
from library.content.git import Git, GitError
from library.content.loading import read_bytes, some_bytes
from library.records.collection import Library
from library.records.models import Lesson, Playbook, Run, Task
from library.rules.judgment import with_records
from writeapi.review.publishing.publish import DecisionResult, awaited, is_merged, settle
from writeapi.store import Store
from writeapi.store.records import OutboxEntry

from .environment import site_url_of


class ContentShelf:
    """A content folder. `today` is asked each time; calls may come from several threads."""

    def __init__(
        self,
        content: Path,
        today: Callable[[], date],
        site_url: str | None = None,
        clock_ns: Callable[[], int] = time.time_ns,
    ) -> None:
        self.content = content
        self._today = today
        self._site_url = site_url
        self._clock_ns = clock_ns
        self._lock = Lock()
        self._sources = Sources(content)
        self._library: Library | None = None

    def library(self) -> Library:
        """The library of today; files that did not change are not read again. Raises `ContentError`."""
        with self._lock:
            today, known = self._today(), self._library
            if not self._sources.read(today, self._clock_ns()) and known is not None and known.today == today:
                return known
            self._library = None
            self._library, _ = library_of(self._sources, today, self._site_url, {})
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
        readings = {name: read_bytes(body, name, library.today) for name, body in files.items()}
        records = [reading.record for reading in readings.values() if reading.record]
        after = with_records(library, records)
        record = readings[file].record if file in readings else None
        if isinstance(record, Run):
            file = f"playbooks/{record.playbook}.yaml"
            body = (self.text(file) or "").encode()
            record = read_bytes(body, file, library.today).record
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
    manifest = _manifest(out)
    files = awaited(store) if manifest else frozenset()
    if manifest and files:
        built = {file: _still(content / file, mark) for file, mark in manifest.content.items() if file in files}
        repository = cache(partial(Git, content, environment))

        def merged(entry: OutboxEntry) -> bool:
            """Whether a change on a branch is merged; no, where the content is in no repository that can be asked."""
            try:
                return is_merged(repository(), entry, some_bytes(content / entry.file))
            except (GitError, OSError):
                return False

        yield from settle(store, built, site_url or site_url_of(out.absolute()), merged)


def is_built(out: Path) -> bool:
    """Whether there is a site behind `out` that was built to its end."""
    return _manifest(out) is not None


def _still(path: Path, built: str) -> str:
    """The SHA-256 of a file as the site was made from it; empty where it was changed since."""
    try:
        return built if hashlib.sha256(some_bytes(path)).hexdigest() == built else ""
    except OSError:
        return ""


def _manifest(out: Path) -> Manifest | None:
    """What the site that is served now was made from; None for none, or one that was cut short."""
    return manifest_of(out.absolute().resolve().parent)
