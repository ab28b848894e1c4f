"""Two changes of one file as one: field by field, so that only what both changed otherwise is a conflict."""

import json
from collections.abc import Mapping, Sequence
from typing import Any

from merge3 import Merge3

from library.content.formatting import changed
from library.content.loading import TYPED
from library.content.yamlfile import parse
from library.problems import Pointer, Problem

Three = tuple[Any, Any, Any]
"""A value as it was, and as two changes left it: ours, theirs."""

_ABSENT: Any = object()


class MergeConflict(Exception):
    """Both changed the same fields otherwise."""

    def __init__(self, file: str, fields: Sequence[str]) -> None:
        super().__init__(f"{file} was changed meanwhile where this changes it too: {', '.join(fields)}")


def merge_files(file: str, base: str, ours: str, theirs: str) -> str:
    """The text of `theirs` with what `ours` changed since `base`; comments of `theirs` stay.

    Raises `MergeConflict` where both changed a field otherwise, or a text is no mapping.
    """
    values: list[dict[str, Any]] = []
    for text in (base, ours, theirs):
        value = parse(text, file, typed=TYPED).value
        if not isinstance(value, dict):
            raise MergeConflict(file, ["the whole file"])
        values.append(value)
    conflicts: list[Pointer] = []
    old, mine, now = values
    merged = _merge((old, mine, now), (), conflicts)
    if conflicts:
        raise MergeConflict(file, [Problem(file, pointer, "", "").field for pointer in conflicts])
    fields = {key: merged.get(key) for key in {**now, **merged} if merged.get(key) != now.get(key)}
    body = changed(theirs.encode(), file, fields=fields)
    if isinstance(body, list):
        raise MergeConflict(file, ["the whole file"])
    return body.decode()


def _merge(three: Three, at: Pointer, conflicts: list[Pointer]) -> Any:  # noqa: ANN401 - plain YAML
    """The value that has both changes; where there is none, the place is told and theirs stays."""
    base, ours, theirs = three
    if ours in (theirs, base):
        return theirs
    if theirs == base:
        return ours
    if at == ("updated",):
        return max(ours, theirs)
    if all(isinstance(value, Mapping) for value in three):
        keys = {key: _ABSENT for value in (theirs, ours) for key in value}
        parts = {
            key: _merge(
                (base.get(key, _ABSENT), ours.get(key, _ABSENT), theirs.get(key, _ABSENT)), (*at, key), conflicts
            )
            for key in keys
        }
        return {key: value for key, value in parts.items() if value is not _ABSENT}
    if all(isinstance(value, list) for value in three):
        return _merge_lists(three, at, conflicts)
    conflicts.append(at)
    return theirs


def _merge_lists(three: Three, at: Pointer, conflicts: list[Pointer]) -> list[Any]:
    """Items by their order: added and removed ones of both; one that both changed is merged field by field."""
    if at == ("contributors",):  # whose order says nothing
        base, ours, theirs = three
        return [*theirs, *(item for item in ours if item not in theirs and item not in base)]
    base, ours, theirs = ([json.dumps(item) for item in value] for value in three)
    found: list[Any] = []
    for group in Merge3(base, ours, theirs).merge_groups():
        if group[0] != "conflict":
            found += map(json.loads, group[1])
            continue
        parts = [[json.loads(line) for line in part] for part in group[1:]]
        if len({len(part) for part in parts}) != 1:
            conflicts.append(at)
            found += parts[2]
            continue
        for one, two, other in zip(*parts, strict=True):
            found.append(_merge((one, two, other), (*at, len(found)), conflicts))
    return found
