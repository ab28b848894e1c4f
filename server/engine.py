"""The search engine of the build that is served now: opened once, opened again when a build wrote another index."""

from __future__ import annotations

from pathlib import Path
from threading import Lock

from library.search.query import SearchEngine


class CurrentEngine:
    """Gives the engine in use. Calls may come from several threads."""

    def __init__(self, out: Path) -> None:
        self.out = out
        self._lock = Lock()
        self._engine: SearchEngine | None = None

    def __call__(self) -> SearchEngine:
        """The engine. Raises `IndexUnusable` when there is no index, or a damaged one, and none was open before."""
        folder = self.out.resolve().parent
        place = (folder / "index").resolve()
        engine = self._engine
        if engine is not None and engine.place == place:
            return engine
        with self._lock:
            self._engine = SearchEngine(folder)
            return self._engine
