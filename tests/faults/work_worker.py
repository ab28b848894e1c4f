"""A worker in a process of its own that is killed at the moment that it is told: `folder kind number`.

A moment is when something is about to be left for good: a commit of the queue, a file that is made, moved or taken
away, a program that begins. It is called by its job and by what happens. Number -1 kills at none and says them all.
"""

from __future__ import annotations

import os
import random
import signal
import sys
from collections.abc import Callable
from itertools import count
from pathlib import Path
from typing import Any

from sqlalchemy import event
from sqlalchemy.engine import Engine

from build.settings import BuildSettings
from server import work
from server.queue import ContentShelf
from tests.builders import TODAY
from tests.writeapi.review.outgoing import GIT_ENVIRONMENT
from tests.writeapi.store.builders import sqlite_url, ticking
from writeapi.review.services import ReviewServices
from writeapi.store import Store

SITE = "https://library.example"
_JOBS = {job.__code__: name for name, job in work.JOBS.items()}
_LASTING = frozenset({"os.rename", "os.remove", "os.mkdir", "os.rmdir", "os.symlink", "os.link", "subprocess.Popen"})
_WRITES = os.O_WRONLY | os.O_RDWR
_ROUNDS = 3
"""So often a minute goes by, after which a remote is asked again and what failed is tried again."""


def content_in(folder: Path, kind: str) -> Path:
    """Where the content lies."""
    return folder / ("content" if kind == "content" else "repository/content")


def work_off(folder: Path, kind: str) -> None:
    """Do all that is due, for some minutes of a clock that stands between them."""
    store = Store(sqlite_url(folder / "queue.db"), clock=ticking())
    content, out, minutes = content_in(folder, kind), folder / "site", count(10, 70)
    now = [float(next(minutes))]
    services = ReviewServices(store, ContentShelf(content, lambda: TODAY, SITE), random.Random(1).randbytes)
    way = work.Publishing() if kind == "content" else work.Publishing(branch=True, remote="origin")
    build = BuildSettings(content, out, TODAY, 1, SITE, durable=False)
    worker = work.Worker(services, build, way, lambda: TODAY, GIT_ENVIRONMENT, clock=lambda: now[0])
    worker.backups = folder / "backups"
    for _ in range(_ROUNDS):
        while worker.once():
            pass
        now[0] = float(next(minutes))
    worker.release()
    store.close()


def _job() -> str:
    """The job that is at work; empty between two."""
    frame = sys._getframe()
    while frame.f_back:
        frame = frame.f_back
        if frame.f_code in _JOBS:
            return _JOBS[frame.f_code]
    return ""


def tell(moment: Callable[[str], None]) -> None:
    """Have every moment of this process told, until it ends."""

    def happened(what: str, given: tuple[Any, ...]) -> None:
        writes = what == "open" and isinstance(given[2], int) and given[2] & _WRITES
        if (what in _LASTING or writes) and (job := _job()):
            moment(f"{job}: {what}")

    def committed(_connection: object) -> None:
        if job := _job():
            moment(f"{job}: commit")

    sys.addaudithook(happened)
    event.listen(Engine, "commit", committed)


def main() -> None:
    """Work, and be killed."""
    number = int(sys.argv[3])
    moments = count()

    def moment(name: str) -> None:
        if number < 0:
            sys.stdout.write(f"{name}\n")
        elif next(moments) == number:
            os.kill(os.getpid(), signal.SIGKILL)

    tell(moment)
    work_off(Path(sys.argv[1]), sys.argv[2])
