"""What each rendering reads of the library, recorded while it is rendered, never declared.

A resident builder gives each rendering `RecordedFacts` in the place of the `Facts`. Every look-up in a table notes the
table and the key; going through a table, counting it or taking a plain value notes the whole of it. After an edit
the tables are compared with those of before, by value, and what read something that changed is rendered again.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Hashable, ItemsView, Iterable, Iterator, Mapping, ValuesView
from contextlib import contextmanager
from operator import attrgetter, is_
from types import FunctionType, MethodType
from typing import TypeVar, cast

import msgspec

from library.content.history import History
from library.interface.answers import Answer
from library.records.collection import Library

from .facts import Facts

T = TypeVar("T")

WHOLE = "*"
"""Stands for every key of a table and their order; no key is called so."""

Table = str | Callable[[Facts], object]
"""What is read of the facts: an attribute by its path, or a table by the function that makes it."""

Read = tuple[Table, Hashable]
"""A table, and the key that was looked up; or `WHOLE`."""


class Reads:
    """What each of several renderings read, by the rendering's name; `tables` are all that any of them read."""

    def __init__(self) -> None:
        self.by_name: dict[Hashable, frozenset[Read]] = {}
        self.tables: set[Table] = set()
        self._known: dict[Read, Read] = {}

    def add(self, name: Hashable, reads: Collection[Read]) -> None:
        """Keep what one rendering read; equal reads of many renderings are kept once."""
        known = self._known
        self.by_name[name] = frozenset([known.setdefault(read, read) for read in reads])
        self.tables.update([table for table, _ in reads])

    def join(self, other: Reads) -> None:
        """Add what another process noted."""
        for name, reads in other.by_name.items():
            self.add(name, reads)

    def forget(self, names: Iterable[Hashable]) -> None:
        """Let go of renderings that there are no more."""
        for name in names:
            self.by_name.pop(name, None)

    def stale(self, before: Facts, now: Facts) -> set[Hashable]:
        """The renderings that read something which is another now."""
        changed: set[Read] = set()
        for table in self.tables:
            changed.update((table, key) for key in differences(_value(before, table), _value(now, table)))
        return {name for name, reads in self.by_name.items() if not reads.isdisjoint(changed)} if changed else set()


def _value(facts: Facts, table: Table) -> object:
    return attrgetter(table)(facts) if isinstance(table, str) else facts.table(table)


def differences(before: object, now: object) -> set[Hashable]:
    """The keys of a table whose values differ, and `WHOLE` where anything does; of a plain value, `WHOLE` alone."""
    if isinstance(before, frozenset) and isinstance(now, frozenset):
        changed = set(before ^ now)
    elif isinstance(before, Mapping) and isinstance(now, Mapping):
        gone = object()
        changed = {key for key, value in now.items() if not same(before.get(key, gone), value)}
        changed |= before.keys() - now.keys()
        if not changed and list(before) != list(now):
            return {WHOLE}
    else:
        return set() if same(before, now) else {WHOLE}
    return {*changed, WHOLE} if changed else changed


def same(before: object, now: object) -> bool:
    """Whether two values are the same to whoever shows them: mappings in the same order too, at any depth."""
    if before is now or type(before) is not type(now):
        return before is now
    if isinstance(before, str | int):  # most are
        return before == now
    if isinstance(before, tuple | list) and isinstance(now, tuple | list):
        return len(before) == len(now) and (all(map(is_, before, now)) or all(map(same, before, now)))
    if isinstance(now, msgspec.Struct):
        return all(same(getattr(before, name), getattr(now, name)) for name in now.__struct_fields__)
    if isinstance(before, Answer) and isinstance(now, Answer):
        before, now = vars(before), vars(now)
    if isinstance(before, Mapping) and isinstance(now, Mapping):
        return list(before) == list(now) and all(same(before[key], value) for key, value in now.items())
    return bool(before == now)


class Recorder:
    """Notes reads: those of the rendering that is at work now."""

    def __init__(self, reads: Reads) -> None:
        self.reads = reads
        self.now: set[Read] = set()

    @contextmanager
    def rendering(self, name: Hashable, reads: Reads | None = None) -> Iterator[None]:
        """What is read within is read by the rendering of this name; it is kept with others of its kind."""
        self.now = set()
        yield
        (self.reads if reads is None else reads).add(name, self.now)

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


class _MappingRead(Mapping[Hashable, object]):
    def __init__(self, table: Table, items: Mapping[Hashable, object], recorder: Recorder) -> None:
        self._table, self._items, self._recorder = table, items, recorder

    def __getitem__(self, key: Hashable) -> object:
        self._recorder.now.add((self._table, key))
        return self._items[key]

    def get(self, key: object, default: object = None) -> object:
        self._recorder.now.add((self._table, key))
        return self._items.get(key, default)

    def __contains__(self, key: object) -> bool:
        self._recorder.now.add((self._table, key))
        return key in self._items

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

    def __init__(self, plain: object, recorder: Recorder, path: str) -> None:
        self._plain, self._recorder, self._path = plain, recorder, path

    def __getattr__(self, name: str) -> object:
        method = getattr(type(self._plain), name, None)
        if isinstance(method, FunctionType):
            found: object = MethodType(method, self)
        else:
            value = getattr(self._plain, name)
            found = self._recorder.noting(f"{self._path}{name}", value)
            if found is value:
                return value
        self.__dict__[name] = found
        return found


class RecordedFacts(_Recorded):
    """Facts whose reads are noted by a `Recorder`."""

    def __init__(self, facts: Facts, recorder: Recorder) -> None:
        super().__init__(facts, recorder, "")
        self._made: dict[tuple[str, str], tuple[object, frozenset[Read]]] = {}

    def once(self, make: Callable[[Facts, str], T], slug: str) -> T:
        """What is worked out once for each slug. Whoever asks for it reads all that it was made from."""
        at = make.__name__, slug
        if at not in self._made:
            outer, self._recorder.now = self._recorder.now, set()
            made = make(cast("Facts", self), slug)
            self._made[at], self._recorder.now = (made, frozenset(self._recorder.now)), outer
        value, reads = self._made[at]
        self._recorder.now |= reads
        return cast("T", value)

    def table(self, make: Callable[[Facts], T]) -> T:
        """What is worked out once of the whole library."""
        return cast("T", self._recorder.noting(make, cast("Facts", self._plain).table(make)))


def recorded(facts: Facts, recorder: Recorder) -> Facts:
    """The facts for renderings whose reads are noted."""
    return cast("Facts", RecordedFacts(facts, recorder))
