"""Charts as SVG text: drawn from counts, styled by classes alone, told in words for those who do not see them. Pure."""

from collections.abc import Sequence
from datetime import date

from markupsafe import Markup, escape

from library.rules.statistics import Tally

WIDTH = 640
HEIGHT = 220
LEFT, RIGHT, TOP, BOTTOM = 36, 8, 18, 26
MOST_COLUMNS = 24
"""A chart has at most so many columns, the latest; the table and the file beside it have all."""

Column = tuple[str, str, Sequence[tuple[str, int]]]
"""A column: its label, what it is called in full, and its parts from the bottom up, each a class and a count."""

OUTCOMES = (("worked", "Worked"), ("changes", "Worked with changes"), ("failed", "Failed"))
"""The parts of a column of runs, from the bottom up, with their names."""


UNIT, LONGEST = 12, 180
"""How long one count is in a bar of counts, and the longest bar: many counts share its room."""


def ends(worked: int, changes: int, failed: int, most: int) -> Markup:
    """A bar of counts, `most` being the longest one: what worked is plain, with changes striped, failed crossed."""
    unit, x, drawn = min(UNIT, LONGEST / most), 0.0, []
    for part, count in (("worked", worked), ("changes", changes), ("failed", failed)):
        wide = round(count * unit, 1)
        drawn.append(f'<rect class="b-{part}" x="{x}" width="{wide}" height="10"/>' if count else "")
        signs = {"worked": "", "changes": "m0 10 12-10", "failed": "l12 10m-12 0 12-10"}[part] if count else ""
        marks = "".join(f"M{x + step * UNIT} 0{signs}" for step in range(int(wide // UNIT) or 1))
        drawn.append(f'<path class="c-mark" d="{marks}"/>' if signs else "")
        x = round(x + wide, 1)
    head = f'<svg class="ends" viewBox="0 0 {x} 10" width="{x}" height="10" aria-hidden="true" focusable="false">'
    return Markup(f"{head}{''.join(drawn)}</svg>")  # noqa: S704 - numbers and classes of ours


def runs_by_month(name: str, tallies: Sequence[Tally]) -> Markup:
    """Runs by month, stacked by outcome; `name` is unique on the page."""
    columns: list[Column] = []
    for tally in tallies[-MOST_COLUMNS:]:
        month = date.fromisoformat(f"{tally.name}-01")
        parts = (("worked", tally.worked), ("changes", tally.with_changes), ("failed", tally.failed))
        columns.append((f"{month:%Y}" if month.month == 1 else f"{month:%b}", f"{month:%B %Y}", parts))
    if columns and all(label.isalpha() for label, _, _ in columns):  # fewer than 12: the first has room for its year
        first, full, counts = columns[0]
        columns[0] = (f"{first} {full[-4:]}", full, counts)
    total = sum(tally.total for tally in tallies[-MOST_COLUMNS:])
    return stacked(name, "Runs by month and outcome", columns, total, "runs", [label for _, label in OUTCOMES])


def stacked(
    name: str, title: str, columns: Sequence[Column], total: int, unit: str, named: Sequence[str] = ()
) -> Markup:
    """Columns of counts: an axis from 0, the count over each column. `named` are the parts' names for the words."""
    top = _top(max((sum(count for _, count in parts) for _, _, parts in columns), default=0))
    body = _axis(top) + "".join(_column(name, at, len(columns), column, top) for at, column in enumerate(columns))
    words = escape(f"{total} {unit}. " + " ".join(_said(column, named) for column in columns))
    return Markup(  # noqa: S704 - numbers and classes of ours; every text in it is escaped
        f'<svg class="chart" viewBox="0 0 {WIDTH} {HEIGHT}" role="img" aria-labelledby="{name}-t {name}-d">'
        f'<title id="{name}-t">{escape(title)}</title><desc id="{name}-d">{words}</desc>{_patterns(name)}{body}</svg>'
    )


def _said(column: Column, named: Sequence[str]) -> str:
    _, full, parts = column
    counts = [count for _, count in parts]
    if not named or not sum(counts):
        return f"{full}: {sum(counts)}."
    told = (f"{count} {label.lower()}" for count, label in zip(counts, named, strict=True) if count)
    return f"{full}: {', '.join(told)}."


def _patterns(name: str) -> str:
    """Stripes and crosses over two of the three parts, so that colour is not the only sign."""
    stripes = "M-2 2 2-2M0 8 8 0M6 10 10 6"
    crosses = f"{stripes}M-2 6 2 10M0 0 8 8M6-2 10 2"
    drawn = "".join(
        f'<pattern id="{name}-{part}" width="8" height="8" patternUnits="userSpaceOnUse">'
        f'<path class="c-mark" d="{path}"/></pattern>'
        for part, path in (("changes", stripes), ("failed", crosses))
    )
    return f"<defs>{drawn}</defs>"


def _top(most: int) -> int:
    """The end of the axis: 1, 2 or 5 times a power of ten, in so many steps that each is whole."""
    if most <= 4:  # the axis steps by one
        return max(1, most)
    size: int = 10 ** (len(str(most)) - 1)
    return min(step * size for step in (1, 2, 4, 5, 6, 8, 10) if step * size >= most)


def _height(count: float, top: int) -> float:
    return round(count / top * (HEIGHT - TOP - BOTTOM), 1)


def _axis(top: int) -> str:
    steps = top if top <= 4 else 4 if top % 4 == 0 else 5 if top % 5 == 0 else 2  # whole numbers only
    lines = []
    for step in range(steps + 1):
        count = top * step // steps
        y = round(HEIGHT - BOTTOM - _height(count, top), 1)
        lines.append(f'<path class="c-line" d="M{LEFT} {y}H{WIDTH - RIGHT}"/>')
        lines.append(f'<text class="c-text" x="{LEFT - 6}" y="{y + 4}" text-anchor="end">{count}</text>')
    return "".join(lines)


def _column(name: str, index: int, of: int, column: Column, top: int) -> str:
    label, full, parts = column
    room = (WIDTH - LEFT - RIGHT) / of
    wide = round(min(44, room * 0.7), 1)
    middle = round(LEFT + room * (index + 0.5), 1)
    x, y = round(middle - wide / 2, 1), float(HEIGHT - BOTTOM)
    drawn = [f"<g><title>{escape(full)}: {sum(count for _, count in parts)}</title>"]
    for part, count in parts:
        if count:
            high = _height(count, top)
            y = round(y - high, 1)
            place = f'x="{x}" y="{y}" width="{wide}" height="{high}"'
            drawn.append(f'<rect class="b-{part}" {place}/>')
            if part in ("changes", "failed"):
                drawn.append(f'<rect fill="url(#{name}-{part})" {place}/>')
    count = sum(number for _, number in parts)
    drawn.append(f'<text class="c-text c-count" x="{middle}" y="{y - 5:.1f}" text-anchor="middle">{count}</text>')
    drawn.append(f'<text class="c-text" x="{middle}" y="{HEIGHT - 8}" text-anchor="middle">{escape(label)}</text></g>')
    return "".join(drawn)
