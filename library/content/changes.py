"""What one version of a playbook says otherwise than the one before, field by field, in words and in pieces. Pure."""

import re
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from difflib import SequenceMatcher
from functools import cache

from ..records.models import version_of
from .history import EMPTY, Change, Texts
from .yamlfile import decode, parse

MOST_WORDS = 600  # texts with more words than this are compared by lines: comparing takes the square of their number
AROUND = 12  # so many words on each side of a difference are shown; the rest of what stayed is left out
Piece = tuple[str, str]  # what was done to a part of a text (`same`, `ins`, `del` or `gap`), and that part
_NAMED_BY = ("title", "problem", "name", "agent", "handle", "date", "url")
"""By the first of these that it has, an item of a list is known again in another version."""

_SINGULAR = {
    "human_checkpoints": "Human checkpoint",
    "evidence": "Public account",
    "tested": "Test",
    "needs": "Need",
    "aliases": "Former slug",
    "related": "Related playbook",
}
_ASIDE = ("updated", "asked")
"""What says nothing of a playbook to who follows it: the day in its file, and the wordings that search knows it by."""
_WORDS = re.compile(r"\s+|[^\s]+")


@dataclass(frozen=True, slots=True)
class Difference:
    """One difference: in which field, what it is called there, what was done (added, removed, changed, moved)."""

    field: str
    name: str
    done: str
    pieces: tuple[Piece, ...]


@dataclass(frozen=True, slots=True)
class DescribedChange:
    """A change with its differences; `unreadable` where one of its two versions could not be read as a record.

    `former_version` is the version that the playbook had before; empty where it was not there, or cannot be read.
    """

    change: Change
    differences: tuple[Difference, ...] = ()
    unreadable: bool = False
    former_version: str = ""

    @property
    def fields(self) -> tuple[str, ...]:
        """The fields that differ, each once."""
        return tuple(dict.fromkeys(item.field for item in self.differences))

    @property
    def words(self) -> tuple[str, ...]:
        """What was done to each field, in words: `Prompt: changed`, or `Steps: 1 added, 2 changed`."""
        return in_words(self.differences)

    @property
    def for_readers(self) -> tuple[Difference, ...]:
        """The differences that a reader cares about; of tests those that came or went, not how one is written down."""
        some = (item for item in self.differences if item.field not in _ASIDE)
        return tuple(item for item in some if item.field != "tested" or item.done != "changed")

    @property
    def matters(self) -> tuple[str, ...]:
        """The same in words."""
        return in_words(self.for_readers)


def in_words(items: Iterable[Difference]) -> tuple[str, ...]:
    """What was done to each field, a line each."""
    by_field: dict[str, list[Difference]] = {}
    for item in items:
        by_field.setdefault(item.field, []).append(item)
    return tuple(map(_in_words, by_field.values()))


def described(changes: Sequence[Change], texts: Texts | None) -> tuple[DescribedChange, ...]:
    """Each change with what it did to the record; without texts, only that there was one."""
    if texts is None or not changes:
        return tuple(DescribedChange(change) for change in changes)
    records = cache(lambda name: record_of(texts(name)))  # a version is the end of one change and the start of the next
    return tuple(_described(change, records) for change in changes)


def _described(change: Change, records: Callable[[str], Mapping[str, object] | None]) -> DescribedChange:
    if EMPTY in (change.before, change.after):
        return DescribedChange(change)
    before, after = records(change.before), records(change.after)
    if before is None or after is None:
        return DescribedChange(change, unreadable=True)
    return DescribedChange(change, tuple(differences(before, after)), former_version=version_of(before))


def versions_of(present: str, changes: Sequence[DescribedChange], others: Iterable[str]) -> tuple[str, ...] | None:
    """Every version that a playbook ever had, the latest first, and then the `others` that are known of it.

    None where its history is not known back to its beginning.
    """
    former = [item.former_version for item in changes]
    if not former or changes[-1].change.kind != "added" or not all(former[:-1]):
        return None
    return tuple(dict.fromkeys([present, *former[:-1], *others]))


def record_of(raw: bytes | None) -> Mapping[str, object] | None:
    """A version's plain values; None where it is no record."""
    text = decode(raw, "") if raw is not None else None
    value = parse(text, "").value if isinstance(text, str) else None
    return value if isinstance(value, dict) else None


def differences(before: Mapping[str, object], after: Mapping[str, object]) -> Iterator[Difference]:
    """Every difference of two records, in the order of their fields."""
    for field in [*after, *(name for name in before if name not in after)]:
        old, new = before.get(field), after.get(field)
        if old != new and isinstance(old, list | None) and isinstance(new, list | None):
            yield from _items(field, old or [], new or [])
        elif old != new:
            yield _difference(field, label(field), old, new)


def label(field: str) -> str:
    """A field's name for readers."""
    return field.replace("_", " ").capitalize()


def _items(field: str, old: Sequence[object], new: Sequence[object]) -> Iterator[Difference]:
    was, now = _named(old), _named(new)
    one = _SINGULAR.get(field) or label(field).removesuffix("s")
    for name in [*now, *(name for name in was if name not in now)]:
        if was.get(name) != now.get(name):
            short = name[0] if len(name[0]) <= 80 else name[0][:79].rsplit(" ", 1)[0] + "…"
            yield _difference(field, f"{one}: {short}", was.get(name), now.get(name))
    if [name for name in was if name in now] != [name for name in now if name in was]:
        yield Difference(field, label(field), "moved", ())


def _difference(field: str, name: str, old: object, new: object) -> Difference:
    """One difference; there are no pieces of what came or went where its name says all of it."""
    done = "added" if old is None else "removed" if new is None else "changed"
    said = done != "changed" and name.endswith(f": {new if old is None else old}")
    return Difference(field, name, done, () if said else _pieces(_text(old), _text(new)))


def _named(items: Sequence[object]) -> dict[tuple[str, int], object]:
    """Items by their names; several of one name by their number too."""
    found: dict[tuple[str, int], object] = {}
    for item in items:
        named = next((item[key] for key in _NAMED_BY if item.get(key)), "") if isinstance(item, dict) else item
        name, number = str(named), 0
        while (name, number) in found:
            number += 1
        found[name, number] = item
    return found


def _text(value: object) -> str:
    """A value as a text to be compared: an item's fields one under the other."""
    if value is None:
        return ""
    if isinstance(value, dict):
        return "\n".join(f"{label(key)}: {_text(part)}" for key, part in value.items())
    return "\n".join(_text(part) for part in value) if isinstance(value, list) else str(value)


def _pieces(old: str, new: str) -> tuple[Piece, ...]:
    left, right = _WORDS.findall(old), _WORDS.findall(new)
    if max(len(left), len(right)) > MOST_WORDS:
        left, right = old.splitlines(keepends=True), new.splitlines(keepends=True)
    found: list[Piece] = []
    steps = _steps(left, right)
    for number, (step, a, b, c, d) in enumerate(steps):
        if step == "equal":
            found.extend(_stayed(left[a:b], first=number == 0, last=number == len(steps) - 1))
            continue
        found.extend((kind, "".join(part)) for kind, part in (("del", left[a:b]), ("ins", right[c:d])) if part)
    return tuple(found)


def _steps(left: list[str], right: list[str]) -> list[tuple[str, int, int, int, int]]:
    """The steps from one text to the other; what both begin and end with is set aside, as comparing costs."""
    most = min(len(left), len(right))
    head = next((number for number in range(most) if left[number] != right[number]), most)
    rest = most - head
    tail = next((number for number in range(rest) if left[-1 - number] != right[-1 - number]), rest)
    ends = len(left) - tail, len(right) - tail
    middle = SequenceMatcher(None, left[head : ends[0]], right[head : ends[1]], autojunk=False).get_opcodes()
    found = [(step, a + head, b + head, c + head, d + head) for step, a, b, c, d in middle]
    begins = [("equal", 0, head, 0, head)] if head else []
    return [*begins, *found, *([("equal", ends[0], len(left), ends[1], len(right))] if tail else [])]


def _stayed(words: list[str], *, first: bool, last: bool) -> Iterator[Piece]:
    """What stayed, without its middle where that is long: only what stands near a difference helps a reader."""
    head, tail = (0 if first else 2 * AROUND), (0 if last else 2 * AROUND)
    if len(words) <= head + tail + AROUND:
        yield "same", "".join(words)
        return
    if head:
        yield "same", "".join(words[:head])
    yield "gap", "…"
    if tail:
        yield "same", "".join(words[-tail:])


def _in_words(items: Sequence[Difference]) -> str:
    name, done = label(items[0].field), [item.done for item in items]
    order = ["put in another order"] if "moved" in done else []
    if len(done) == 1 and ":" not in items[0].name:
        return f"{name}: {(order or done)[0]}"
    counted = [f"{done.count(word)} {word}" for word in ("added", "changed", "removed") if word in done]
    return f"{name}: {', '.join([*counted, *order])}"
