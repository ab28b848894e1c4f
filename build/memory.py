"""What a process that builds again and again keeps in memory, so that nothing has to be read back from the disk."""

from __future__ import annotations

from pathlib import Path

from library.loading import Kept

from .cache import SourceState, State
from .desk import Desk
from .unchanged import stat_of


class Memory:
    """The state that the last build here left, what its sources say, and the desk that it worked at.

    The state counts only while its file is the very one that was written then: another process may have built since.
    """

    def __init__(self) -> None:
        self.records: dict[str, tuple[SourceState, Kept]] = {}
        self.desk: Desk | None = None
        self.mark = b""
        self._state: State | None = None
        self._path = Path()
        self._stat = (0, 0)

    def keep(self, path: Path, state: State, mark: bytes) -> None:
        """Keep the state that was written to `path`; `mark` stands for templates, code and settings."""
        self.mark = mark
        self._path, self._stat, self._state = path, stat_of(path), state

    def recall(self, path: Path) -> State | None:
        """The state in that file; None where it has to be read."""
        return self._state if self._path == path and self._stat == stat_of(path) else None
