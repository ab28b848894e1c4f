"""The stages of a build: each is named as it begins, and what it took is kept."""

from __future__ import annotations

import time
from collections.abc import Callable

from .settings import Report


class Stages:
    """Says each stage as it begins, and keeps how long it took."""

    def __init__(self, report: Report, progress: Callable[[str], None]) -> None:
        self.seconds = report.seconds
        self.progress = progress
        self.name = ""
        self.began = time.perf_counter()

    def begin(self, name: str) -> None:
        """The stage that begins now; the one before has ended."""
        now = time.perf_counter()
        if self.name:
            self.seconds[self.name] = now - self.began
        self.name, self.began = name, now
        if name:
            self.progress(name)
