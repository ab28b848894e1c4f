"""What a process that builds again and again keeps in memory, so that nothing has to be read back from the disk."""

from __future__ import annotations

from pathlib import Path

from library.loading import Kept
from library.search.index import is_whole

from .cache import SourceState, State, load
from .desk import Desk
from .settings import Settings
from .unchanged import stat_of


class Memory:
    """The state that the last build here left, what its sources say, and the desk that it worked at.

    The state counts only while its file is the very one that was written then: another process may have built since.
    The desk counts only for the templates, code and settings that it was `made_for`: that build may have failed.
    """

    def __init__(self) -> None:
        self.records: dict[str, tuple[SourceState, Kept]] = {}
        self.desk: Desk | None = None
        self.made_for = b""
        self._state: State | None = None
        self._path = Path()
        self._stat = (0, 0)

    def keep(self, path: Path, state: State) -> None:
        """Keep the state that was written to `path`."""
        self._path, self._stat, self._state = path, stat_of(path), state

    def last(self, current: Path | None, mark: bytes, settings: Settings) -> State | None:
        """What the last build knew, if this one may build on it; read back where it is not in memory.

        Not when it was cut short, when code, templates or site settings changed, or when it checked dates against a
        later day.
        """
        if settings.fresh or current is None or (current / "unfinished").exists() or not is_whole(current):
            return None
        path = current / "state"
        same = self._path == path and self._stat == stat_of(path)
        state = self._state if same else load(path)
        if state is None or state.settings != mark or state.today > settings.today.isoformat():
            return None
        return state
