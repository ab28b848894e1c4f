"""What each rendering reads of the library, recorded while it is rendered, never declared.

A resident builder gives each rendering `RecordedFacts` in the place of the `Facts`. Every look-up in a table notes the
table and the key; going through a table, counting it or taking a plain value notes the whole of it. After an edit
the tables are compared with those of before, by value, and what read something that changed is rendered again.
"""

from __future__ import annotations

from collections.abc import Callable, Hashable, ItemsView, Iterator, Mapping, ValuesView
from operator import attrgetter
from types import FunctionType, MethodType
from typing import Any, TypeVar, cast

import msgspec

from library.content.history import History
from library.interface.answers import Answer
from library.records.collection import Library

from .facts import Facts

T = TypeVar("T")
WHOLE = "*"  # stands for every key of a table and their order; no key is called so
Table = str | Callable[[Facts], object]
"""What is read of the facts: an attribute by its path, or a table by the function that makes it."""
Read = tuple[Table, Hashable]  # a table, and the key that was looked up; or `WHOLE`
Reads = dict[Any, frozenset[Read]]  # what each of several renderings read, by the rendering's name


def stale(reads: Reads, before: Facts, now: Facts) -> set[Hashable]:
    """The renderings that read something which is another now."""
    tables = {table for read in reads.values() for table, _ in read}
    changed = {(table, key) for table in tables for key in differences(_value(before, table), _value(now, table))}
    return {name for name, read in reads.items() if not read.isdisjoint(changed)}


def _value(facts: Facts, table: Table) -> object:
    return attrgetter(table)(facts) if isinstance(table, str) else facts.table(table)


def differences(before: object, now: object) -> set[Hashable]:
    """The keys of a table whose values differ, and `WHOLE` where anything does; of a plain value, `WHOLE` alone."""
    changed = set[Hashable]()
    if isinstance(before, frozenset) and isinstance(now, frozenset):
        changed, equal = set(before ^ now), before == now
    elif isinstance(before, Mapping) and isinstance(now, Mapping):
        changed = before.keys() ^ now.keys()
        changed |= {key for key, value in now.items() if key in before and not same(before[key], value)}
        equal = not changed and list(before) == list(now)
    else:
        equal = same(before, now)
    return changed if equal else {*changed, WHOLE}


def same(before: object, now: object) -> bool:
    """Whether two values are the same to whoever shows them: mappings in the same order too, at any depth."""
    if before is now:
        return True
    if type(before) is not type(now):
        return False
    if isinstance(before, msgspec.Struct):
        before, now = msgspec.structs.astuple(before), msgspec.structs.astuple(cast("msgspec.Struct", now))
    elif isinstance(before, Answer):
        before, now = vars(before), vars(now)
    if isinstance(before, Mapping) and isinstance(now, Mapping):
        before, now = [*before, *before.values()], [*now, *now.values()]
    if isinstance(before, tuple | list) and isinstance(now, tuple | list):
        return len(before) == len(now) and all(map(same, before, now))
    return before == now


class _MappingRead(Mapping[Hashable, object]):
    def __init__(self, table: Table, items: Mapping[Hashable, object], recorder: RecordedFacts) -> None:
        self._table, self._items, self._recorder = table, items, recorder

    def __getitem__(self, key: Hashable) -> object:
        """Also what asks for a key that may not be there comes to this."""
        self._recorder.now.add((self._table, key))
        return self._items[key]

    def _all(self) -> Mapping[Hashable, object]:
        self._recorder.now.add((self._table, WHOLE))
        return self._items

    def __iter__(self) -> Iterator[Hashable]:
        return iter(self._all())

    def __len__(self) -> int:
        return len(self._all())

    def values(self) -> ValuesView[object]:
        """Not one by one, as a mapping's would be: that would note each key."""
        return self._all().values()

    def items(self) -> ItemsView[Hashable, object]:
        """As `values`."""
        return self._all().items()


class _NamesRead(_MappingRead):
    """A set of names; to ask for one notes that one. It does not say that it is empty: that would be to read all."""

    def __bool__(self) -> bool:
        return True


class _Recorded:
    """A library, a history or facts, whose methods read by this, and whose values note how they are read."""

    def __init__(self, plain: object, recorder: RecordedFacts, path: str) -> None:
        self._plain, self._recorder, self._path = plain, recorder, path

    def __getattr__(self, name: str) -> object:
        method = getattr(type(self._plain), name, None)
        if isinstance(method, FunctionType):
            found: object = MethodType(method, self)
        else:
            value = getattr(self._plain, name)
            found = self._recorder.noting(f"{self._path}{name}", value)
            if found is value:  # its read is noted each time
                return value
        self.__dict__[name] = found
        return found


class RecordedFacts(_Recorded):
    """Facts whose reads are noted, since they were last `taken`."""

    def __init__(self, facts: Facts) -> None:
        super().__init__(facts, self, "")
        self.now: set[Read] = set()
        self._known: dict[Read, Read] = {}
        self._made: dict[tuple[str, str], tuple[object, frozenset[Read]]] = {}

    def taken(self) -> frozenset[Read]:
        """What was read since; equal reads of many renderings are one object."""
        reads, self.now = self.now, set()
        return frozenset([self._known.setdefault(read, read) for read in reads])

    def noting(self, table: Table, value: object) -> object:
        """A value that notes how it is read; a plain one is read with this."""
        if isinstance(value, Library | History):
            return _Recorded(value, self, f"{table}.")
        if isinstance(value, frozenset):
            return _NamesRead(table, dict.fromkeys(value), self)
        if isinstance(value, Mapping):
            return _MappingRead(table, value, self)
        self.now.add((table, WHOLE))
        return value

    def once(self, make: Callable[[Facts, str], T], slug: str) -> T:
        """What is worked out once for each slug. Whoever asks for it reads all that it was made from."""
        at = make.__name__, slug
        if at not in self._made:
            outer, self.now = self.now, set()
            made = make(cast("Facts", self), slug)
            self._made[at], self.now = (made, frozenset(self.now)), outer
        value, reads = self._made[at]
        self.now |= reads
        return cast("T", value)

    def table(self, make: Callable[[Facts], T]) -> T:
        """What is worked out once of the whole library."""
        return cast("T", self.noting(make, cast("Facts", self._plain).table(make)))
