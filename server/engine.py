"""The search engine of the build that is served now: opened once, and again beside the old one for another index."""

from __future__ import annotations

from pathlib import Path
from threading import Lock, Thread

from library.search.index import IndexUnusable
from library.search.query import SearchEngine


class CurrentEngine:
    """Gives the engine in use. Calls may come from several threads.

    Another build's index is opened and read in the background, and takes the place of the old one when no question
    would have to wait for it.
    """

    def __init__(self, out: Path) -> None:
        self.out = out
        self._lock = Lock()
        self._engine: SearchEngine | None = None
        self._opening: Path | None = None

    def __call__(self) -> SearchEngine:
        """The engine. Raises `IndexUnusable` when there is no index, or a damaged one, and none was open before."""
        folder = self.out.resolve().parent
        place = (folder / "index").resolve()
        engine = self._engine
        if engine is not None and engine.place == place:
            return engine
        with self._lock:
            if self._engine is None:
                self._engine = SearchEngine(folder)
                Thread(target=self._engine.warm, daemon=True).start()
            elif place not in {self._engine.place, self._opening}:
                self._opening = place
                Thread(target=self._open, args=(folder,), daemon=True).start()
            return self._engine

    def _open(self, folder: Path) -> None:
        """Open an index and take it into use; one that cannot be used leaves the old one in its place."""
        try:
            engine = SearchEngine(folder)
            engine.warm()
        except IndexUnusable:
            return
        with self._lock:
            self._engine = engine
