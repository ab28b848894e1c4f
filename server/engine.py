"""The search engine of the build that is served now: opened once, and again beside the old one for another index."""

import gc
from contextlib import suppress
from pathlib import Path
from threading import Lock, Thread

from library.search.index import IndexUnusable
from library.search.query import SearchEngine


class CurrentEngine:
    """Gives the engine in use. Calls may come from several threads.

    Another build's index is opened and read in the background, and takes the place of the old one when no question
    would have to wait for it. One that cannot be used is left alone, and the old one stays.
    """

    def __init__(self, out: Path) -> None:
        self.out = out
        self._lock = Lock()
        self._engine: SearchEngine | None = None
        self._opened: Path | None = None

    def __call__(self) -> SearchEngine:
        """The engine. Raises `IndexUnusable` when there is no index, or a damaged one, and none was open before."""
        folder = self.out.resolve().parent
        place = (folder / "index").resolve()
        with self._lock:
            if self._engine is None:
                self._engine, self._opened = SearchEngine(folder), place
                Thread(target=_warm, args=(self._engine,), daemon=True).start()
            elif place != self._opened:
                self._opened = place
                Thread(target=self._open, args=(folder,), daemon=True).start()
            return self._engine

    def _open(self, folder: Path) -> None:
        """Open an index and take it into use, unless a still later one is there by then."""
        with suppress(IndexUnusable, OSError):  # damaged, or two builds later gone already
            engine = SearchEngine(folder)
            _warm(engine)
            if engine.place == self._opened:
                self._engine = engine


def _warm(engine: SearchEngine) -> None:
    """Read the whole index; then leave it out of what the collector walks through again and again.

    That walk stops every answer; with 10,000 playbooks it is long.
    """
    engine.warm()
    gc.unfreeze()
    gc.collect()
    gc.freeze()
