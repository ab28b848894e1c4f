"""How much there is of what, for whoever looks after the service: counts and ages, nothing of any one record."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime

from sqlalchemy import func, select

from .base import StorePart
from .listing import QueueListing
from .schema import audit, outbox, runs, submissions


@dataclass(frozen=True, slots=True)
class Figures:
    """Records by kind and state, transitions by what became, and what waits: how many, the oldest for how long (s)."""

    states: dict[tuple[str, str], int]
    transitions: dict[str, int]
    queue: dict[str, int]
    queue_age: float
    outbox: int
    outbox_age: float


class FiguresOf(QueueListing, StorePart):
    """What an operator watches."""

    def figures(self) -> Figures:
        """As things stand in one moment."""
        with self._database.read() as connection:
            states = {
                (name, row[0]): int(row[1])
                for name, table in (("run", runs), ("submission", submissions))
                for row in connection.execute(select(table.c.state, func.count()).group_by(table.c.state))
            }
            became = connection.execute(select(audit.c.became, func.count()).group_by(audit.c.became)).all()
        size = self.queue_size()
        waiting, age = self.outbox_waits()
        return Figures(
            states, {row[0]: row[1] for row in became}, dict(size.kinds), self._age(size.oldest), waiting, age
        )

    def outbox_waits(self) -> tuple[int, float]:
        """How many decisions wait to become files, and the seconds that the oldest has waited."""
        wanted = select(func.count(), func.min(outbox.c.created)).where(outbox.c.state == "waiting")
        with self._database.read() as connection:
            number, oldest = connection.execute(wanted).one()
        return int(number), self._age(oldest)

    def _age(self, moment: str | None) -> float:
        if moment is None:
            return 0.0
        return max(0.0, (self._clock() - datetime.fromisoformat(moment)).total_seconds())
