"""A picture of growth: processor seconds of a cold build against the number of playbooks, both in powers of ten."""

from __future__ import annotations

from collections.abc import Mapping
from math import log10

WIDTH, HEIGHT, EDGE = 640, 360, 60


def picture(seconds: Mapping[int, float]) -> str:
    """An SVG: what was measured as dots, and the straight line through the smallest as growth in proportion."""
    sizes = sorted(seconds)
    first, last = sizes[0], sizes[-1]
    highest = max(seconds[last], seconds[first] * last / first) * 1.5
    lowest = seconds[first] / 1.5

    def x(size: float) -> float:
        return EDGE + (WIDTH - 2 * EDGE) * log10(size / first) / (log10(last / first) or 1)

    def y(spent: float) -> float:
        return HEIGHT - EDGE - (HEIGHT - 2 * EDGE) * log10(spent / lowest) / log10(highest / lowest)

    dots = "".join(
        f'<circle cx="{x(size):.1f}" cy="{y(seconds[size]):.1f}" r="4" fill="#0a6e62"/>'
        f'<text x="{x(size):.1f}" y="{y(seconds[size]) + 24:.1f}" text-anchor="middle">{seconds[size]:,.1f} s</text>'
        f'<text x="{x(size):.1f}" y="{HEIGHT - EDGE + 22}" text-anchor="middle">{size:,}</text>'
        for size in sizes
    )
    path = " ".join(f"{x(size):.1f},{y(seconds[size]):.1f}" for size in sizes)
    straight = (x(first), y(seconds[first]), x(last), y(seconds[first] * last / first))
    return (
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {WIDTH} {HEIGHT}" font-family="sans-serif"'
        ' font-size="14" role="img"><title>Processor seconds of a cold build by the number of playbooks</title>'
        f'<rect width="{WIDTH}" height="{HEIGHT}" fill="#fff"/>'
        '<line x1="{:.1f}" y1="{:.1f}" x2="{:.1f}" y2="{:.1f}" stroke="#888" stroke-dasharray="6 5"/>'.format(*straight)
        + f'<polyline points="{path}" fill="none" stroke="#0a6e62" stroke-width="2"/>{dots}'
        f'<text x="{WIDTH / 2}" y="{HEIGHT - 10}" text-anchor="middle">playbooks</text>'
        f'<text x="{EDGE}" y="28">CPU seconds, cold, without the search index; dashed: in proportion</text></svg>\n'
    )
