"""The picture that stands for a page where its address is shared, and a playbook's badge for a README. Pure.

A picture has 1200 x 630, and is made in release builds only; a badge says the level, and whether checks are proven.
"""

from __future__ import annotations

import io
import unicodedata
from collections.abc import Callable, Iterator
from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING

from library.records.vocabulary import Status, Trust

from .pages import PlaybookPage
from .rendering import RenderEnvironment

if TYPE_CHECKING:  # Pillow is loaded where a card is drawn: most builds draw none
    from PIL import ImageFont

SIZE = (1200, 630)
MARGIN = 80
WIDTH = SIZE[0] - 2 * MARGIN
FONTS = Path(__file__).resolve().parents[2] / "site_templates/fonts"
PAPER, INK, SOFT, RULE, ACCENT = "#ffffff", "#1b1d21", "#545a63", "#d9dce1", "#1f4e9e"
"""The colours of the style sheet in light; the accent is the library's own where `site.yaml` names one."""
TITLE_SIZES = (72, 64, 56, 48)
"""A title is drawn in the first of these in which it takes no more than three lines; in the last it is cut."""
MOST_LINES = 3
FOOT = 552  # where the last line begins: nothing above it may reach down to it
_BOLD, _PLAIN = "DejaVuSans-Bold.ttf", "DejaVuSans.ttf"
_LONGEST = 400  # no line of a card is made of more letters than this; a longer text is cut before it is measured
Measure = Callable[[str], float]


def playbook(env: RenderEnvironment, page: PlaybookPage) -> bytes | None:
    """The card of a playbook: its title, the verdict on it, its trust; none of a withdrawn one."""
    book = page.answer
    if not env.release or book.status is Status.WITHDRAWN:
        return None
    title = _legible(book.title) or book.slug.replace("-", " ").capitalize()
    state = "" if book.status is Status.ACTIVE else f"{book.status.capitalize()}. "
    return _card(env, title, state + _legible(book.verdict), book.trust)


def library(env: RenderEnvironment, _context: object) -> bytes | None:
    """The card of the library: its name and what it is."""
    return _card(env, _legible(env.site.title) or "Playbooks", _legible(env.site.tagline)) if env.release else None


def _card(env: RenderEnvironment, title: str, text: str, trust: Trust | None = None) -> bytes:
    from PIL import Image, ImageDraw

    picture = Image.new("RGB", SIZE, PAPER)
    draw = ImageDraw.Draw(picture)
    accent = env.site.accent or ACCENT
    draw.rectangle((0, 0, 24, SIZE[1]), fill=accent)
    draw.text((MARGIN, 64), _one_line(_legible(env.site.title), _font(_BOLD, 30)), fill=accent, font=_font(_BOLD, 30))
    font, lines = _title(title)
    y = 140.0
    for line in lines:
        draw.text((MARGIN, y), line, fill=INK, font=font)
        y += font.size * 1.25
    body = _font(_PLAIN, 34)
    for line in wrapped(text, body.getlength, WIDTH, min(MOST_LINES, int((FOOT - 40 - y) // 46))):
        draw.text((MARGIN, y + 24), line, fill=SOFT, font=body)
        y += 46
    if trust is not None:  # the level as on the pages: four bars, so many of them filled, and the word
        for x, number in ((MARGIN + number * 18, number) for number in range(len(Trust))):
            filled = Trust.TESTED.rank <= trust.rank >= number
            draw.rectangle((x, FOOT, x + 11, FOOT + 30), fill=accent if filled else RULE)
        draw.text((MARGIN + 92, FOOT - 2), trust.capitalize(), fill=INK, font=_font(_BOLD, 28))
    host = env.addresses.site_url.partition("://")[2]
    small = _font(_PLAIN, 26)
    where = _one_line(host, small, WIDTH / 2)
    draw.text((SIZE[0] - MARGIN - small.getlength(where), FOOT), where, fill=SOFT, font=small)
    out = io.BytesIO()
    picture.save(out, "PNG", compress_level=6)
    return out.getvalue()


def _title(title: str) -> tuple[ImageFont.FreeTypeFont, list[str]]:
    for size in TITLE_SIZES:
        font = _font(_BOLD, size)
        lines = wrapped(title, font.getlength, WIDTH, MOST_LINES + 1)
        if len(lines) <= MOST_LINES:
            return font, lines
    return font, wrapped(title, font.getlength, WIDTH, MOST_LINES)


def _one_line(text: str, font: ImageFont.FreeTypeFont, width: float = WIDTH) -> str:
    return "".join(wrapped(text, font.getlength, width, 1))


def wrapped(text: str, measure: Measure, width: float, most: int) -> list[str]:
    """A text in at most so many lines, none of them wider than `width`; what is left out ends in an ellipsis."""
    words = list(_parts(text[: most * _LONGEST], measure, width))
    lines: list[str] = []
    while words and len(lines) < most:
        line = words.pop(0)
        while words and measure(f"{line} {words[0]}") <= width:
            line = f"{line} {words.pop(0)}"
        lines.append(line)
    if words and lines:
        last = lines[-1]
        while last and measure(f"{last}…") > width:
            last = last[:-1]
        lines[-1] = f"{last.rstrip()}…"
    return lines


def _parts(text: str, measure: Measure, width: float) -> Iterator[str]:
    for word in text.split():
        rest = word
        while len(rest) > 1 and measure(rest) > width:
            end = next((number for number in range(len(rest) - 1, 1, -1) if measure(rest[:number]) <= width), 1)
            yield rest[:end]
            rest = rest[end:]
        yield rest


def _legible(text: str) -> str:
    """What the font can draw of a text, from left to right; empty where that is less than half of its letters."""
    kept = [letter for letter in text if letter.isspace() or _drawn(letter)]
    letters = [letter for letter in text if letter.isalnum()]
    fine = sum(map(str.isalnum, kept))
    return " ".join("".join(kept).split()) if letters and fine * 2 >= len(letters) else ""


@cache
def _drawn(letter: str) -> bool:
    """Whether the font has the letter, and it is written from left to right: we do not shape other scripts."""
    shaped = unicodedata.bidirectional(letter) in ("R", "AL", "RLE", "RLO", "RLI") or unicodedata.combining(letter)
    if shaped or not letter.isprintable():
        return False
    font = _font(_PLAIN, 34)
    return bytes(font.getmask(letter)) != bytes(font.getmask("\uffff"))


@cache
def _font(name: str, size: int) -> ImageFont.FreeTypeFont:
    """A font that comes with the project, laid out simply: the same everywhere, whatever a system has."""
    from PIL import ImageFont

    return ImageFont.truetype(str(FONTS / name), size, layout_engine=ImageFont.Layout.BASIC)
