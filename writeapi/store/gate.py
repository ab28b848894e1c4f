"""One writer at a time, over the threads of all processes, within a time limit.

SQLite has a lock of its own, but those who wait for it sleep and try again by chance, so that a few wait for very long;
and SQLite before 3.51.3 can damage its log when a writer and a checkpoint of another process meet. Behind the gate
neither happens.

The lock is filelock's for descriptors. Its lock for paths took ten times the processor time a turn (decision 0034).
"""

import os
import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from filelock import lock_descriptor, unlock_descriptor

from .errors import Unavailable

_PAUSE = 0.0002
"""Seconds between two looks at a locked file."""


class Gate:
    """A lock of this process and a locked file beside the database."""

    def __init__(self, database: Path) -> None:
        self._file = database.with_name(f"{database.name}-gate")
        self._locks: dict[int, threading.Lock] = {}  # a fork must not inherit one that a thread of its parent holds

    @contextmanager
    def held(self, until: float) -> Iterator[None]:
        """Hold the gate; `until` is a time of `time.monotonic`. Raises `Unavailable` when it does not open by then."""
        lock = self._locks.setdefault(os.getpid(), threading.Lock())
        if not lock.acquire(timeout=max(0.0, until - time.monotonic())):
            raise Unavailable("The database is busy with other writers.")
        try:
            file = _locked(self._file, until)
            try:
                yield
            finally:
                unlock_descriptor(file)  # closing alone would leave the lock with a child that was forked meanwhile
                os.close(file)
        finally:
            lock.release()


def _locked(path: Path, until: float) -> int:
    """Lock the file, opened anew: a lock belongs to one opening of a file, and so to one thread of one process."""
    try:
        file = os.open(path, os.O_RDWR | os.O_CREAT | os.O_CLOEXEC, 0o600)
    except OSError as error:
        raise Unavailable("The folder of the database cannot be written.") from error
    try:
        while not lock_descriptor(file, blocking=False):
            if time.monotonic() >= until:
                raise Unavailable("The database is busy with other writers.")
            time.sleep(_PAUSE)
    except BaseException:
        os.close(file)
        raise
    return file
