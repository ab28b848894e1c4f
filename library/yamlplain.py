"""Plain YAML, as `fmt` and people write it, read line by line; what may not be plain is for the reader by events.

It is three times as quick, and takes a text only when the other would find nothing wrong and make the same of it.
"""

from __future__ import annotations

import re
from typing import Any, cast

MAX_LINES = 2_000
MAX_LEVELS = 40

_TRAP_WORDS = ("null", "true", "false", "yes", "no", "on", "off", "y", "n")
"""Words that some reader takes for a truth value or for nothing."""
_LONGEST_WORD = max(map(len, _TRAP_WORDS))
_TRAP = re.compile(
    "~|"
    + "|".join(_TRAP_WORDS)
    + r"|[-+]?(0x[0-9a-f]+|0o?[0-7]+|[0-9][0-9_]*(:[0-9]+)*|(\.[0-9]+|[0-9]+(\.[0-9]*)?)(e[-+]?[0-9]+)?)"
    r"|[-+]?\.(inf|nan)",
    re.IGNORECASE,
)
_TRAP_FIRST = frozenset("~nNtTfFyYoO0123456789+-.")
_NUMBER_FIRST = frozenset("0123456789+-.")

_SEEN = bytes(range(0x20, 0x7F)) + b"\n"

_SCALAR = (
    r"([^\s!\"#%&'*,\-:>?@\[\]`{|}][^:#\n]*(?:(?::(?=[^ \n])|(?<! )#)[^:#\n]*)*)(?<! )\n"  # plain words
    r"|(\"[^\"\\\n]*\"|'[^'\n]*')\n"  # in quotes, nothing escaped
)
_BLOCK = (
    r"([|>])-\n"
    r"(\1(?(2)(?(3)   +| +)| +))"  # deeper than what it is the value of: a key after a dash stands two to the right
    r"([^ \n][^\n]*\n(?:\n*\7[^\n]+\n)*)"
)
_LINE = re.compile(
    r"(?:#[^\n]*)?\n"
    r"|( *)(?:(- )|(?=[a-z]))"
    r"(?:([a-z][a-z_]*):(?: |(?=\n)))?"
    rf"(?:{_SCALAR}|{_BLOCK}|\n)"
    r"|([^\n]+\n?)"
)
"""One line, or a block with its lines: spaces, dash, key; plain or in quotes; style, indentation and lines of a block;
what is none of these."""


def is_trap(scalar: str) -> bool:
    """Whether an unquoted scalar is read as something else than a string by some YAML reader."""
    return not scalar or (scalar[0] in _TRAP_FIRST and _TRAP.fullmatch(scalar) is not None)


def read_plain(text: str, typed: frozenset[str]) -> dict[str, Any] | None:
    """The mapping that a text holds; None where anything in it is not plain beyond doubt.

    `typed` names the keys whose scalars may be numbers or truth values.
    """
    lines = _LINE.findall(text)
    if len(lines) > MAX_LINES or text[-1:] != "\n" or not _is_seen(text):
        return None
    places = _Places()
    for spaces, dash, key, plain, quoted, style, indentation, block, refused in lines:
        if refused or not (key or dash):
            if refused or spaces or plain or quoted or block:
                return None
            continue  # a comment or an empty line
        value: str | None = None
        if plain:
            if (len(plain) <= _LONGEST_WORD or plain[0] in _NUMBER_FIRST) and key not in typed and is_trap(plain):
                return None
            value = plain
        elif block:
            value = _unfolded(block, indentation) if style == ">" else block[:-1].replace("\n" + indentation, "\n")
        elif quoted:
            value = quoted[1:-1]
        if (value is None and (block or not key)) or not places.put(len(spaces), dash, key, value):
            return None
    return places.top if places.top and not places.waiting else None


def _is_seen(text: str) -> bool:
    """Whether nothing but line ends is hidden in it: no tab, no control character, no other end of a line."""
    if text.isascii():
        return not text.encode().translate(None, _SEEN)
    return text.replace("\n", "").isprintable()


def _unfolded(block: str, indentation: str) -> str | None:
    """The one line that was folded; None where there are empty or deeper lines, which are not folded."""
    if "\n\n" in block or f"\n{indentation} " in block:
        return None
    return block[:-1].replace("\n" + indentation, " ")


class _Places:
    """The mappings and lists that are open, each with the column where its lines begin."""

    def __init__(self) -> None:
        self.top: dict[str, Any] = {}
        self.at, self.node = 0, cast("Any", self.top)
        self.outer: list[tuple[int, Any]] = []
        self.waiting = ""
        """The last key, where its value is on the lines below."""

    def put(self, begin: int, dash: str, key: str, value: str | None) -> bool:
        """Put what a line says into its place; false where it has none, or not this one beyond doubt."""
        if self.waiting:
            if begin <= self.at or not self._enter(begin, [] if dash else {}, self.waiting):
                return False
        else:
            while begin < self.at:
                self.at, self.node = self.outer.pop()
        if begin != self.at or (type(self.node) is list) is not (dash != ""):
            return False
        if not key:
            self.node.append(value)
            return True
        if dash and not self._enter(begin + 2, {}):
            return False
        if key in self.node or key in _TRAP_WORDS:
            return False
        if value is None:
            self.waiting = key
        else:
            self.node[key] = value
        return True

    def _enter(self, begin: int, node: Any, key: str = "") -> bool:  # noqa: ANN401 - a mapping or a list
        if key:
            self.node[key] = node
        else:
            self.node.append(node)
        self.outer.append((self.at, self.node))
        self.at, self.node, self.waiting = begin, node, ""
        return len(self.outer) <= MAX_LEVELS
