"""The content as review sees it: read again where files changed, tried and shown without writing anything."""

import time
from collections.abc import Callable, Mapping
from datetime import date
from pathlib import Path
from threading import Lock

from build.reading import Sources, library_of
from build.settings import theme_beside
from build.views.draft import preview
from build.views.rendering import RenderEnvironment
from library.content.loading import read_bytes, some_bytes
from library.records.collection import Library
from library.records.models import Lesson, Playbook, Run, Task
from library.rules.judgment import with_records


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
