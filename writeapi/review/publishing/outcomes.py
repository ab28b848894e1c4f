"""What publishing says of each decision."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

from library.problems import printable

Result = Literal["written", "published", "sent back", "taken back", "waiting", "by hand", "skipped"]


@dataclass(frozen=True, slots=True)
class DecisionResult:
    """What became of one decision: `said` is a sentence about it for people."""

    subject: str
    result: Result
    said: str

    @property
    def failed(self) -> bool:
        """Whether somebody has to do something about it."""
        return self.result in ("waiting", "by hand", "sent back")

    def __str__(self) -> str:
        """One line, with nothing in it that a terminal would obey."""
        return printable(f"{self.subject}: {self.result}: {self.said}")
