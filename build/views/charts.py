"""What a chart of runs by month shows: its columns with their labels, and its axis. The template draws it. Pure."""

from collections.abc import Sequence
from datetime import date

import msgspec

from library.rules.statistics import Tally

MOST_COLUMNS = 24  # a chart has at most so many columns, the latest; the table and the file beside it have all


class Chart(msgspec.Struct, frozen=True):
    """A column for each month: its name, what stands under it, its runs; and the counts that lines are drawn at."""

    columns: tuple[tuple[str, str, Tally], ...]
    axis: tuple[int, ...]


def columns(tallies: Sequence[Tally]) -> Chart:
    """What a chart of these months shows."""
    shown = tallies[-MOST_COLUMNS:]
    months = [date.fromisoformat(f"{tally.name}-01") for tally in shown]
    labels = [f"{month:%Y}" if month.month == 1 else f"{month:%b}" for month in months]
    if all(label.isalpha() for label in labels):  # fewer than 12: the first has room for its year
        labels[:1] = [f"{month:%b %Y}" for month in months[:1]]
    names = [f"{month:%B %Y}" for month in months]
    most = max((tally.total for tally in shown), default=0)
    return Chart(tuple(zip(names, labels, shown, strict=True)), _axis(most))


def _axis(most: int) -> tuple[int, ...]:
    """Whole numbers in equal steps, up to a round one."""
    if most <= 4:
        return tuple(range(max(1, most) + 1))
    size: int = 10 ** (len(str(most)) - 1)
    top = min(step * size for step in (1, 2, 4, 5, 6, 8, 10) if step * size >= most)
    return tuple(range(0, top + 1, top // (4 if top % 4 == 0 else 5 if top % 5 == 0 else 2)))
