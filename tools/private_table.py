"""Writes the search for private data as browsers take it, from the library's own: python -m tools.private_table."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from itertools import count
from pathlib import Path
from typing import Any

from library.rules import privacy

FILE = Path(privacy.__file__).with_suffix(".browser.json")
_WORD = r"\p{L}\p{N}_"
_EDGE = rf"(?:(?<=[{_WORD}])(?![{_WORD}])|(?<![{_WORD}])(?=[{_WORD}]))"
_UNICODE = {"w": f"[{_WORD}]", "d": r"\p{Nd}", "b": _EDGE, "D": r"\P{Nd}"}
_SYNTAX = frozenset("^$\\.*+?()[]{}|/")
_QUANTIFIER = r"[*+?]|\{\d+(?:,\d*)?\}"
_PIECE = re.compile(rf"\\.|\[\^?\]?(?:\\.|[^\]\\])*\]|\(\?(?:[:=!]|<[=!])|\(\?|(?:{_QUANTIFIER})\+?|.", re.DOTALL)


def table() -> dict[str, Any]:
    """The same search for a browser: plain values, with the patterns in JavaScript's spelling (flag `u`).

    They are `shapes` in their order, the `patterns` that functions use, and the lengths of account numbers. A shape's
    `when` names the pattern that must be in a text to make it worth looking for. What makes a look-alike real is a
    function there by the same name (`site_templates/assets/form-private.js`).
    """
    return {
        "shapes": [_shape(shape) for shape in privacy.SHAPES],
        "patterns": {name: to_javascript(pattern.pattern) for name, pattern in privacy.PATTERNS.items()},
        "ibans": privacy.IBAN_LENGTHS,
    }


def _shape(shape: privacy.Shape) -> dict[str, Any]:
    source, flags = to_javascript(shape.pattern)
    accept = "" if shape.accept is bool else shape.accept.__name__
    found = {"kind": shape.kind, "words": privacy.KINDS_IN_WORDS[shape.kind], "pattern": source}
    return {
        **found,
        "flags": flags,
        "accept": accept,
        "when": shape.when,
        "hints": shape.hints,
        "refused": shape.refused,
    }


def to_javascript(pattern: str) -> tuple[str, str]:
    """A pattern and its flags: captures become `g1`, `g2` …; `\\w`, `\\d` and `\\b` mean what they mean in Python.

    A possessive quantifier, which JavaScript has not, becomes a greedy one: what follows one here never begins with
    what it repeats, so both match the same. Raises `ValueError` for what it does not know, so that no pattern is
    carried over wrongly.
    """
    head = re.match(r"\(\?([ai]+)\)", pattern)
    inline = head[1] if head else ""
    numbers = count(1)
    pieces = _PIECE.findall(pattern[head.end() if head else 0 :])
    source = "".join(_piece(piece, numbers, only_ascii="a" in inline) for piece in pieces)
    return source, "u" + ("i" if "i" in inline else "")


def _piece(piece: str, numbers: Iterator[int], *, only_ascii: bool) -> str:
    if piece == "(?":
        raise ValueError("a group of another kind")
    if piece == "(":
        return f"(?<g{next(numbers)}>"
    if len(piece) > 1 and re.fullmatch(rf"(?:{_QUANTIFIER})\+", piece):
        return piece[:-1]
    if piece == r"[^\W\d_]":
        return r"\p{L}"
    if piece[0] == "[":
        return re.sub(r"\\(.)", lambda found: _escape(found[1], within=True, only_ascii=only_ascii), piece)
    if piece[0] == "\\":
        return _escape(piece[1], within=False, only_ascii=only_ascii)
    return "\\" + piece if piece in "]{}" else piece


def _escape(letter: str, *, within: bool, only_ascii: bool) -> str:
    """An escape; `within` a class, where a word's edge, a reference and all that is left out mean nothing."""
    if letter in "sS" or (only_ascii and letter in ("wd" if within else "wdbD")):
        return "\\" + letter
    if within and letter in "wd":
        return _UNICODE[letter].strip("[]")
    if not within and letter in _UNICODE:
        return _UNICODE[letter]
    if not within and letter.isdigit():
        return f"\\k<g{letter}>"
    if not within and letter == "Z":
        return "$"
    if letter.isalnum():
        raise ValueError(f"an unknown escape: \\{letter}")
    return "\\" + letter if letter in _SYNTAX or (within and letter == "-") else letter


def text() -> str:
    """The whole file."""
    return json.dumps(table(), indent=1, ensure_ascii=False) + "\n"


if __name__ == "__main__":
    FILE.write_text(text(), encoding="utf-8")
