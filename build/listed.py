"""Playbooks as lists show them: worked out once for each, kept from build to build, read back where they are shown."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from typing import Any, TypeVar, overload

import msgspec
import orjson

from library.vocabulary import Trust

from .shown import Row

S = TypeVar("S")
T = TypeVar("T")


class Listed(msgspec.Struct, frozen=True, array_like=True):
    """One playbook as every list needs it.

    `row` is its `Row` in MessagePack, `summary` its `PlaybookSummary` as JSON, `mark` the digest of both; `skill` is
    its entry in the index of skills as JSON, up to the digest, and empty where it is offered to nobody. `ran` says
    whether a run of it was approved.
    """

    row: bytes
    mark: bytes
    trust: Trust
    newly_failing: bool
    ran: bool
    summary: bytes
    skill: bytes


class Later(Sequence[T]):
    """Records of a list that are read when they are first asked for.

    Each of the `items` can be read by `read`, and says by its part of the `marks` whether it is another than before.
    """

    __slots__ = ("_items", "_made", "_marks", "_read")

    def __init__(self, items: Sequence[S], marks: Sequence[bytes], read: Callable[[S], T]) -> None:
        self._items: Sequence[Any] = items
        self._marks = marks
        self._read: Callable[[Any], T] = read
        self._made: tuple[T, ...] | None = None

    @property
    def mark(self) -> bytes:
        """What tells two such lists apart."""
        return b"".join(self._marks)

    def unread(self) -> Later[T]:
        """The same list as it was before anybody read it: what is read of it goes with whoever asked."""
        return Later(self._items, self._marks, self._read)

    def _all(self) -> tuple[T, ...]:
        if self._made is None:
            self._made = tuple(map(self._read, self._items))
        return self._made

    def __len__(self) -> int:
        return len(self._items)

    def __iter__(self) -> Iterator[T]:
        return iter(self._all())

    @overload
    def __getitem__(self, place: int) -> T: ...
    @overload
    def __getitem__(self, place: slice) -> Sequence[T]: ...
    def __getitem__(self, place: int | slice) -> T | Sequence[T]:
        if isinstance(place, slice):
            return Later(self._items[place], self._marks[place], self._read)
        return self._all()[place]


_ROW = msgspec.msgpack.Decoder(Row)


def rows(listed: Sequence[Listed]) -> Later[Row]:
    """The rows of a list."""
    return Later([item.row for item in listed], [item.mark for item in listed], _ROW.decode)


def skill_entry(name: str, description: str, url: str) -> bytes:
    """A skill as the indexes of skills name it, in JSON up to the digest of its file, which is known later."""
    entry = orjson.dumps({"name": name, "type": "skill-md", "description": description, "url": url})
    return entry.removesuffix(b"}") + b',"digest":"sha256:'
