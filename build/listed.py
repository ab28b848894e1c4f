"""Playbooks as lists show them: worked out once for each, kept from build to build, read back where they are shown."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import overload

import msgspec
import orjson

from library.vocabulary import Trust

from .shown import Row


class Listed(msgspec.Struct, frozen=True, array_like=True):
    """One playbook as every list needs it.

    `row` is its `Row` in MessagePack and `mark` the digest of that; `summary` is its `PlaybookSummary` as JSON; `skill`
    is its entry in the index of skills as JSON, up to the digest, and empty where it is offered to nobody.
    """

    row: bytes
    mark: bytes
    trust: Trust
    summary: bytes
    skill: bytes


_ROW = msgspec.msgpack.Decoder(Row)


class Rows(Sequence[Row]):
    """The rows of a list, which are read when they are first asked for; `mark` tells two such lists apart."""

    __slots__ = ("_listed", "_read")

    def __init__(self, listed: Sequence[Listed]) -> None:
        self._listed = listed
        self._read: tuple[Row, ...] | None = None

    @property
    def mark(self) -> bytes:
        """The marks of all rows, one after the other."""
        return b"".join([item.mark for item in self._listed])

    def _rows(self) -> tuple[Row, ...]:
        if self._read is None:
            self._read = tuple(_ROW.decode(item.row) for item in self._listed)
        return self._read

    def __len__(self) -> int:
        return len(self._listed)

    def __iter__(self) -> Iterator[Row]:
        return iter(self._rows())

    @overload
    def __getitem__(self, place: int) -> Row: ...
    @overload
    def __getitem__(self, place: slice) -> Rows: ...
    def __getitem__(self, place: int | slice) -> Row | Rows:
        return Rows(self._listed[place]) if isinstance(place, slice) else self._rows()[place]


def skill_entry(name: str, description: str, url: str) -> bytes:
    """A skill as the indexes of skills name it, in JSON up to the digest of its file, which is known later."""
    entry = orjson.dumps({"name": name, "type": "skill-md", "description": description, "url": url})
    return entry.removesuffix(b"}") + b',"digest":"sha256:'
