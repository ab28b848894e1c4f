"""The search engine of the build that is served now: opened once, and again beside the old one for another index."""

import gc
from pathlib import Path
from threading import Lock, Thread

from library.search.index import IndexUnusable
from library.search.query import SearchEngine


class CurrentEngine:
    """Gives the engine in use. Calls may come from several threads.

    Another build's index is opened and read in the background, one at a time, and takes the place of the old one when
    no question would have to wait for it. One that cannot be used is left alone, and the old one stays.
    """

    def __init__(self, out: Path) -> None:
        self.out = out
        self._lock = Lock()
        self._engine: SearchEngine | None = None
        self._opening = False
        self._refused: Path | None = None

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
                Thread(target=_warm, args=(self._engine,), daemon=True).start()
            elif not self._opening and place not in {self._engine.place, self._refused}:
                self._opening = True
                Thread(target=self._open, args=(folder, place), daemon=True).start()
            return self._engine

    def _open(self, folder: Path, place: Path) -> None:
        """Open an index and take it into use; when a still later one is there by then, the next question opens that."""
        refused: Path | None = place
        try:
            engine = SearchEngine(folder)
            _warm(engine)
            self._engine, refused = engine, None
        except (IndexUnusable, OSError):  # damaged, or two builds later gone already
            pass
        finally:
            with self._lock:
                self._opening, self._refused = False, refused


def _warm(engine: SearchEngine) -> None:
    """Read the whole index; then leave it out of what the collector walks through again and again.

    That walk stops every answer; with 10,000 playbooks it is long.
    """
    engine.warm()
    gc.unfreeze()
    gc.collect()
    gc.freeze()
