"""Small changes to a content file that leave the rest of it, comments included, as it is."""

from collections.abc import Mapping, Sequence
from itertools import takewhile

from ..problems import Problem
from .blocks import blocks_of, in_order, key_of
from .formatting import canonical_text, format_bytes
from .loading import TYPED
from .yamlfile import Value, parse


def changed(
    raw: bytes,
    file: str,
    *,
    fields: Mapping[str, Value | None] | None = None,
    items: Mapping[str, Sequence[Value]] | None = None,
) -> bytes | list[Problem]:
    """The canonical form of a file with top-level fields set (None removes one) and items put after those of lists.

    Every comment stays but those within a field that is set. What keeps the file from being changed is given instead.
    """
    shaped = format_bytes(raw, file)
    if isinstance(shaped, list):
        return shaped
    head, blocks = blocks_of(shaped.decode())
    old = parse(shaped.decode(), file, typed=TYPED).value
    if not isinstance(old, dict):
        return [Problem(file, (), "not-a-mapping", "the file must hold a mapping of keys to values")]
    for key, value in (fields or {}).items():
        _put(blocks, key, [] if value is None else _lines({key: value}, file))
    for key, more in (items or {}).items():
        if old.get(key):
            _append(blocks, key, _lines({key: [*more]}, file)[1:])
        else:
            _put(blocks, key, _lines({key: [*more]}, file))
    text = "\n".join([*head, *(line for block in blocks for line in block)]) + "\n"
    return format_bytes(in_order(text, file).encode(), file)


def _lines(value: Value, file: str) -> list[str]:
    return canonical_text(value, file).splitlines()


def _put(blocks: list[list[str]], key: str, lines: list[str]) -> None:
    """Set the lines of a key's block; the comments above it stay."""
    for block in blocks:
        if key_of(block) == key:
            above = takewhile(lambda line: line.startswith("#"), block)
            block[:] = [*above, *lines, *block[_end(block) :]]
            return
    if lines:
        blocks.insert(0, lines)  # not at the end, where a comment that ends the file would become its own


def _append(blocks: list[list[str]], key: str, lines: list[str]) -> None:
    """Put lines at the end of a key's block; comments that end the file stay at its end."""
    block = next(block for block in blocks if key_of(block) == key)
    block[_end(block) : _end(block)] = lines


def _end(block: list[str]) -> int:
    """Where the value of a block ends; what comes after it are comments that end the file."""
    end = len(block)
    while block[end - 1].startswith("#") or not block[end - 1]:
        end -= 1
    return end
