"""Patterns of Python as patterns of JavaScript (flag `u`), as far as this project's own patterns need it."""

from __future__ import annotations

import re
from dataclasses import dataclass, field
from itertools import pairwise

_WORD = r"\p{L}\p{N}_"
_EDGE = rf"(?:(?<=[{_WORD}])(?![{_WORD}])|(?<![{_WORD}])(?=[{_WORD}]))"
_PIECE = re.compile(
    r"\\.|\[\^?\]?(?:\\.|[^\]\\])*\]|\(\?(?:[:=!]|<[=!])|[()]|[*+?]|\{\d*,?\d*\}|.",
    re.DOTALL,
)
_ESCAPED = re.compile(r"\\(.)", re.DOTALL)
_SYNTAX = frozenset("^$\\.*+?()[]{}|/")


@dataclass
class _Writer:
    """The pattern so far: `starts` are where open groups begin, `last` where the last atom does."""

    only_ascii: bool
    out: list[str] = field(default_factory=list)
    starts: list[int] = field(default_factory=list)
    last: int = 0
    captures: int = 0
    possessive: int = 0

    def atom(self, text: str) -> None:
        """Something that may be repeated."""
        self.last = len(self.out)
        self.out.append(text)

    def hold(self) -> None:
        """Let the last atom with its quantifier give nothing back: a look ahead takes it, a reference consumes it."""
        self.possessive += 1
        name = f"p{self.possessive}"
        held = "".join(self.out[self.last :])
        self.out[self.last :] = [f"(?=(?<{name}>{held}))\\k<{name}>"]


def to_javascript(pattern: str) -> tuple[str, str]:
    """A pattern and its flags: captures become `g1`, `g2` …; `\\w`, `\\d` and `\\b` mean what they mean in Python.

    Raises `ValueError` for what it does not know, so that no pattern is carried over wrongly.
    """
    head = re.match(r"\(\?([ai]+)\)", pattern)
    inline = head[1] if head else ""
    writer = _Writer(only_ascii="a" in inline)
    pieces = _PIECE.findall(pattern[head.end() if head else 0 :])
    if ("(", "?") in pairwise(pieces):
        raise ValueError("a group of another kind")
    quantified = False
    for piece in pieces:
        quantified = _write(writer, piece, after_quantifier=quantified)
    return "".join(writer.out), "u" + ("i" if "i" in inline else "")


def _write(writer: _Writer, piece: str, *, after_quantifier: bool) -> bool:
    """Write one piece; whether it was a quantifier."""
    if piece in "*+?" or (piece[0] == "{" and len(piece) > 1):
        if piece == "+" and after_quantifier:
            writer.hold()
            return False
        writer.out.append(piece)
        return True
    if piece == "(":
        writer.captures += 1
        piece = f"(?<g{writer.captures}>"
    if piece.startswith("(?"):
        writer.starts.append(len(writer.out))
        writer.out.append(piece)
    elif piece == ")":
        writer.out.append(piece)
        writer.last = writer.starts.pop()
    elif piece[0] == "[":
        writer.atom(_class(piece, only_ascii=writer.only_ascii))
    else:
        writer.atom(_escape(piece, only_ascii=writer.only_ascii) if piece[0] == "\\" else _plain(piece))
    return False


def _plain(piece: str) -> str:
    """A character; one that only Python takes as it is gets its escape."""
    return "\\" + piece if piece in "]{}" else piece


def _escape(piece: str, *, only_ascii: bool) -> str:
    """An escape outside of a class."""
    letter = piece[1]
    if letter.isdigit():
        return f"\\k<g{letter}>"
    unicode_form = {"w": f"[{_WORD}]", "d": r"\p{Nd}", "b": _EDGE, "D": r"\P{Nd}"}
    if letter in unicode_form:
        return piece if only_ascii else unicode_form[letter]
    if letter in "sS":
        return piece
    if letter == "Z":
        return "$"
    if letter.isalnum():
        raise ValueError(f"an unknown escape: {piece}")
    return piece if letter in _SYNTAX else letter


def _class(piece: str, *, only_ascii: bool) -> str:
    """A class of characters."""
    if piece == r"[^\W\d_]":
        return r"\p{L}"

    def one(found: re.Match[str]) -> str:
        letter = found[1]
        if letter in "wd" and not only_ascii:
            return _WORD if letter == "w" else r"\p{Nd}"
        if letter in "wdsS":
            return found[0]
        if letter.isalnum():
            raise ValueError(f"an unknown escape in a class: {found[0]}")
        return found[0] if letter in _SYNTAX or letter == "-" else letter

    return _ESCAPED.sub(one, piece)
