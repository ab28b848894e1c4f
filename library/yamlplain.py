"""Plain YAML, as `fmt` and people write it, read line by line; what may not be plain is for the reader by events.

It is three times as quick, and takes a text only when the other would find nothing wrong and make the same of it.
"""

from __future__ import annotations

import re
from collections.abc import Iterable
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
    r"(?:>|(\|))-\n"
    r"(\1(?(2)(?(3)   +| +)| +))"  # deeper than what it is the value of: a key after a dash stands two to the right
    r"([^ \n][^\n]*\n(?:(?(6)\n*\7[^\n]+|\7[^ \n][^\n]*)\n)*)"  # in a folded one neither empty nor deeper lines
)
_LINE = re.compile(
    r"(?:#[^\n]*)?\n"
    r"|( *)(?:(- )|(?=[a-z]))"
    r"(?:([a-z][a-z_]{,99}):(?: |(?=\n)))?"  # a key of more than 1,024 characters is none
    rf"(?:{_SCALAR}|{_BLOCK}|\n)"
    r"|([^\n]+\n?)"
)
"""One line, or a block with its lines: spaces, dash, key; words, quoted; a block's sign, indentation and lines; what
is none of these."""


def is_trap(scalar: str) -> bool:
    """Whether an unquoted scalar is read as something else than a string by some YAML reader."""
    return not scalar or (scalar[0] in _TRAP_FIRST and _TRAP.fullmatch(scalar) is not None)


class _NotPlain(Exception):
    """The text may be wrong, or mean something else than it seems to."""


def read_plain(text: str, typed: frozenset[str]) -> dict[str, Any] | None:
    """The mapping that a text holds; None where anything in it is not plain beyond doubt.

    `typed` names the keys whose scalars may be numbers or truth values.
    """
    lines = _LINE.findall(text)
    if len(lines) > MAX_LINES or text[-1:] != "\n" or not _is_seen(text):
        return None
    try:
        return _mapping(lines, typed)
    except _NotPlain:
        return None


def _is_seen(text: str) -> bool:
    """Whether nothing but line ends is hidden in it: no tab, no control character, no other end of a line."""
    if text.isascii():
        return not text.encode().translate(None, _SEEN)
    return text.replace("\n", "").isprintable()


def _mapping(lines: Iterable[tuple[str, ...]], typed: frozenset[str]) -> dict[str, Any]:
    levels: list[tuple[int, Any]] = [(0, {})]
    at, node = levels[0]
    waiting = ""  # the key whose value is on the lines below
    for spaces, dash, key, plain, quoted, literal, indentation, block, refused in lines:
        if refused or not (key or dash):
            if refused or spaces or plain or quoted or block:
                raise _NotPlain
            continue  # a comment or an empty line
        if dash or waiting or len(spaces) != at or type(node) is list:
            at, node = _moved(levels, len(spaces), dash, key, waiting)
        if plain and (len(plain) <= _LONGEST_WORD or plain[0] in _NUMBER_FIRST) and key not in typed and is_trap(plain):
            raise _NotPlain
        value = plain or _text(quoted, literal, indentation, block)
        if not key:
            node.append(value)
        elif key in node or key in _TRAP_WORDS:
            raise _NotPlain
        else:
            node[key] = value
        waiting = key if value is None else ""
        if value is None and not key:
            raise _NotPlain
    if waiting or not levels[0][1]:
        raise _NotPlain
    return cast("dict[str, Any]", levels[0][1])


def _text(quoted: str, literal: str, indentation: str, block: str) -> str | None:
    """What stands in quotes or in a block; None where nothing does."""
    if block:
        return block[:-1].replace("\n" + indentation, "\n" if literal else " ")
    return quoted[1:-1] if quoted else None


def _moved(levels: list[tuple[int, Any]], begin: int, dash: str, key: str, waiting: str) -> tuple[int, Any]:
    """The mapping or list that a line belongs to, and where its lines begin: `levels` are those that are open."""
    at, node = levels[-1]
    if waiting:
        if begin <= at or len(levels) > MAX_LEVELS:
            raise _NotPlain
        node[waiting] = [] if dash else {}
        levels.append((begin, node[waiting]))
    while begin < levels[-1][0]:
        levels.pop()
    at, node = levels[-1]
    if begin != at or (type(node) is list) is not (dash != ""):
        raise _NotPlain
    if dash and key:
        node.append({})
        levels.append((begin + len(dash), node[-1]))
    return levels[-1]
