"""Charts as SVG text: drawn from counts, styled by classes alone, told in words for those who do not see them. Pure."""

from collections.abc import Sequence
from datetime import date

from markupsafe import Markup

from library.rules.statistics import Tally

WIDTH = 640
HEIGHT = 220
LEFT, RIGHT, TOP, BOTTOM = 36, 8, 18, 26
MOST_COLUMNS = 24  # a chart has at most so many columns, the latest; the table and the file beside it have all
UNIT, LONGEST = 12, 180  # how long one count is in a bar of counts, and the longest bar: many counts share its room
_PARTS = ("worked", "changes", "failed")  # the parts of a column of runs, from the bottom up


def ends(worked: int, changes: int, failed: int, most: int) -> Markup:
    """A bar of counts, `most` being the longest one: what worked is plain, with changes striped, failed crossed."""
    unit, x, drawn = min(UNIT, LONGEST / most), 0.0, []
    for part, count in zip(_PARTS, (worked, changes, failed), strict=True):
        wide = round(count * unit, 1)
        drawn.append(f'<rect class="b-{part}" x="{x}" width="{wide}" height="10"/>' if count else "")
        signs = {"worked": "", "changes": "m0 10 12-10", "failed": "l12 10m-12 0 12-10"}[part] if count else ""
        marks = "".join(f"M{x + step * UNIT} 0{signs}" for step in range(int(wide // UNIT) or 1))
        drawn.append(f'<path class="c-mark" d="{marks}"/>' if signs else "")
        x = round(x + wide, 1)
    head = f'<svg class="ends" viewBox="0 0 {x} 10" width="{x}" height="10" aria-hidden="true" focusable="false">'
    return Markup(f"{head}{''.join(drawn)}</svg>")  # noqa: S704 - numbers and classes of ours


def runs_by_month(name: str, tallies: Sequence[Tally]) -> Markup:
    """Runs by month as columns, stacked by outcome, with an axis from 0; `name` is unique on the page."""
    shown = tallies[-MOST_COLUMNS:]
    months = [date.fromisoformat(f"{tally.name}-01") for tally in shown]
    labels = [f"{month:%Y}" if month.month == 1 else f"{month:%b}" for month in months]
    if all(label.isalpha() for label in labels):  # fewer than 12: the first has room for its year
        labels[:1] = [f"{month:%b %Y}" for month in months[:1]]
    top = _top(max((tally.total for tally in shown), default=0))
    drawn = [_axis(top)]
    for at, (tally, month, label) in enumerate(zip(shown, months, labels, strict=True)):
        room = (WIDTH - LEFT - RIGHT) / len(shown)
        middle = round(LEFT + room * (at + 0.5), 1)
        columns = _column(name, tally, top, middle, round(min(44, room * 0.7), 1))
        under = f'<text class="c-text" x="{middle}" y="{HEIGHT - 8}" text-anchor="middle">{label}</text>'
        drawn.append(f"<g><title>{month:%B %Y}: {tally.total}</title>{columns}{under}</g>")
    said = " ".join(f"{month:%B %Y}: {_said(tally)}." for tally, month in zip(shown, months, strict=True))
    return Markup(  # noqa: S704 - numbers, classes and words of ours
        f'<svg class="chart" viewBox="0 0 {WIDTH} {HEIGHT}" role="img" aria-labelledby="{name}-t {name}-d">'
        f'<title id="{name}-t">Runs by month and outcome</title>'
        f'<desc id="{name}-d">{sum(tally.total for tally in shown)} runs. {said}</desc>'
        f"{_patterns(name)}{''.join(drawn)}</svg>"
    )


def _said(tally: Tally) -> str:
    counts = ((tally.worked, "worked"), (tally.with_changes, "worked with changes"), (tally.failed, "failed"))
    return ", ".join(f"{count} {words}" for count, words in counts if count) or "0"


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
    """The end of the axis: a round number, in so many steps that each is whole."""
    if most <= 4:  # the axis steps by one
        return max(1, most)
    size: int = 10 ** (len(str(most)) - 1)
    return min(step * size for step in (1, 2, 4, 5, 6, 8, 10) if step * size >= most)


def _height(count: float, top: int) -> float:
    return round(count / top * (HEIGHT - TOP - BOTTOM), 1)


def _axis(top: int) -> str:
    steps = top if top <= 4 else 4 if top % 4 == 0 else 5 if top % 5 == 0 else 2  # whole numbers only
    lines = []
    for count in (top * step // steps for step in range(steps + 1)):
        y = round(HEIGHT - BOTTOM - _height(count, top), 1)
        lines.append(f'<path class="c-line" d="M{LEFT} {y}H{WIDTH - RIGHT}"/>')
        lines.append(f'<text class="c-text" x="{LEFT - 6}" y="{y + 4}" text-anchor="end">{count}</text>')
    return "".join(lines)


def _column(name: str, tally: Tally, top: int, middle: float, wide: float) -> str:
    """The parts of one month on each other, and their count over them."""
    y, drawn = float(HEIGHT - BOTTOM), []
    for part, count in zip(_PARTS, (tally.worked, tally.with_changes, tally.failed), strict=True):
        if count:
            high = _height(count, top)
            y = round(y - high, 1)
            place = f'x="{round(middle - wide / 2, 1)}" y="{y}" width="{wide}" height="{high}"'
            drawn.append(f'<rect class="b-{part}" {place}/>')
            drawn.append(f'<rect fill="url(#{name}-{part})" {place}/>' if part != "worked" else "")
    drawn.append(f'<text class="c-text c-count" x="{middle}" y="{y - 5:.1f}" text-anchor="middle">{tally.total}</text>')
    return "".join(drawn)
