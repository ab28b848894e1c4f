"""A playbook's badge as SVG, for a README: its level, and whether its checks are proven. Pure."""

from markupsafe import escape

from library.records.vocabulary import Status

from .pages import PlaybookPage
from .rendering import RenderEnvironment

_COLOURS = {"reported": "#545a63", "corroborated": "#545a63", "tested": "#1f4e9e", "confirmed": "#1d6b3a"}
_WIDE = 6.6
"""How wide a letter is in the mean, at 11 pixels; each text is drawn to fill the room that is reckoned for it."""


def playbook(_env: RenderEnvironment, page: PlaybookPage) -> bytes:
    """The badge of one playbook."""
    book = page.answer
    words = f"{book.trust}, checks proven" if book.proven else str(book.trust)
    colour = _COLOURS[book.trust]
    if book.status is not Status.ACTIVE:
        words, colour = str(book.status), "#a8261d"
    head, title = "playbook", escape(f"{book.title}: {words}")
    left, right = (round(len(text) * _WIDE) for text in (head, words))
    middle, whole = left + 12, left + right + 24
    text = '<text x="{}" y="14" textLength="{}">{}</text>'
    return (
        f'<svg xmlns="http://www.w3.org/2000/svg" width="{whole}" height="20" role="img" aria-label="{title}">'
        f'<title>{title}</title><rect width="{whole}" height="20" rx="3" fill="#1b1d21"/>'
        f'<path fill="{colour}" d="M{middle} 0H{whole - 3}a3 3 0 0 1 3 3V17a3 3 0 0 1-3 3H{middle}z"/>'
        f'<g fill="#fff" font-family="Verdana,DejaVu Sans,sans-serif" font-size="11">'
        f"{text.format(6, left, head)}{text.format(middle + 6, right, words)}</g></svg>"
    ).encode()
