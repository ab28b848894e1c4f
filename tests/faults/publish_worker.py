"""A publisher in a process of its own that is killed at the step that it is told: `folder kind number`."""

from __future__ import annotations

import os
import signal
import sys
from collections.abc import Callable
from contextlib import nullcontext
from pathlib import Path

from server.queue import ContentShelf
from tests.builders import TODAY
from tests.cuts import watched
from tests.writeapi.review.outgoing import branches
from tests.writeapi.store.builders import sqlite_url, ticking
from writeapi.review.publishing.publish import Target, publish
from writeapi.review.publishing.targets import ContentTarget
from writeapi.review.services import ReviewServices
from writeapi.store import Store


def publish_all(folder: Path, kind: str, look: Callable[[str, str], None] | None = None) -> list[tuple[str, str]]:
    """Publish what waits in this folder's queue, into its content or onto branches; what became of each."""
    content = folder / ("content" if kind == "content" else "repository/content")
    store = Store(sqlite_url(folder / "queue.db"), clock=ticking())
    shelf = ContentShelf(content, lambda: TODAY)
    desk = ReviewServices(store, shelf, os.urandom)
    target: Target = (
        ContentTarget(content, shelf)
        if kind == "content"
        else branches(folder / "repository", "origin" if kind == "pushed" else None)
    )
    try:
        with watched(look) if look else nullcontext():
            return [(outcome.subject, outcome.result) for outcome in publish(desk, content, target)]
    finally:
        store.close()


def _killed_at(number: int) -> Callable[[str, str], None]:
    steps = iter(range(number))

    def step(_name: str, _place: str) -> None:
        if next(steps, None) is None:
            os.kill(os.getpid(), signal.SIGKILL)

    return step


def main() -> None:
    """Publish, and be killed."""
    publish_all(Path(sys.argv[1]), sys.argv[2], _killed_at(int(sys.argv[3])))
