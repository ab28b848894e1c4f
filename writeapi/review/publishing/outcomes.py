"""What publishing says of each decision."""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum

from library.problems import printable


class PublishResult(StrEnum):
    """What publishing did with a decision, or why it did nothing."""

    WRITTEN = "written"
    PUBLISHED = "published"
    SENT_BACK = "sent back"
    TAKEN_BACK = "taken back"
    WAITING = "waiting"
    BY_HAND = "by hand"
    SKIPPED = "skipped"


@dataclass(frozen=True, slots=True)
class DecisionResult:
    """What became of one decision: `said` is a sentence about it for people."""

    subject: str
    result: PublishResult
    said: str

    @property
    def failed(self) -> bool:
        """Whether somebody has to do something about it."""
        return self.result in (PublishResult.WAITING, PublishResult.BY_HAND, PublishResult.SENT_BACK)

    def __str__(self) -> str:
        """One line, with nothing in it that a terminal would obey."""
        return printable(f"{self.subject}: {self.result}: {self.said}")
