"""A publisher in a process of its own that is killed at the step that it is told: `folder kind number`."""

from __future__ import annotations

import os
import signal
import sys
from collections.abc import Callable
from pathlib import Path

from server.content import ContentShelf
from tests.builders import TODAY
from tests.writeapi.review.desk import no_search
from tests.writeapi.review.outgoing import branches
from tests.writeapi.store.builders import sqlite_url, ticking
from writeapi.review.publishing.publish import Target, publish
from writeapi.review.publishing.targets import ContentFolder, ContentTarget
from writeapi.review.services import ReviewServices
from writeapi.store import Store


def publish_all(folder: Path, kind: str, step: Callable[[str], None]) -> list[tuple[str, str]]:
    """Publish what waits in this folder's queue, into its content or onto branches; what became of each."""
    content = folder / ("content" if kind == "content" else "repository/content")
    store = Store(sqlite_url(folder / "queue.db"), clock=ticking())
    shelf = ContentShelf(content, lambda: TODAY)
    desk = ReviewServices(store, shelf, no_search, os.urandom)
    target: Target = (
        ContentTarget(ContentFolder(content), shelf)
        if kind == "content"
        else branches(folder / "repository", "origin" if kind == "pushed" else None)
    )
    try:
        return [(outcome.subject, outcome.result) for outcome in publish(desk, content, target, step)]
    finally:
        store.close()


def _killed_at(number: int) -> Callable[[str], None]:
    steps = iter(range(number))

    def step(name: str) -> None:
        del name
        if next(steps, None) is None:
            os.kill(os.getpid(), signal.SIGKILL)

    return step


def main() -> None:
    """Publish, and be killed."""
    publish_all(Path(sys.argv[1]), sys.argv[2], _killed_at(int(sys.argv[3])))
