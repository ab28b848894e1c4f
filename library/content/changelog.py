"""How each file of the content came to say what it says: the changes that git knows, as plain values. Pure."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from datetime import UTC, datetime
from functools import cached_property
from typing import Literal

import msgspec

EMPTY = "0" * 40
"""The id of no text: of a file before it was added, and after it was removed."""

Texts = Callable[[str], bytes | None]
"""The text of a version by its id; None where it cannot be had."""


Kind = Literal["added", "changed", "renamed", "removed"]


class Change(msgspec.Struct, frozen=True):
    """One change of one file, in one commit on the main line.

    `number` counts the commits from the oldest; `at` is when it was made, in seconds since 1970; `by` is its author's
    name, empty where it is not shown. `before` and `after` are the ids of the file's texts, and `former` is
    the slug that it had before, if it had another.
    """

    commit: str
    number: int
    at: int
    by: str
    title: str
    before: str
    after: str
    former: str = ""

    @property
    def time(self) -> datetime:
        """When it was made, in UTC."""
        return datetime.fromtimestamp(self.at, UTC)

    @property
    def day(self) -> str:
        """The day of the change, in UTC, as YYYY-MM-DD."""
        return self.time.date().isoformat()

    @property
    def kind(self) -> Kind:
        """What was done: added, changed, renamed or removed."""
        if self.before == EMPTY:
            return "added"
        if self.after == EMPTY:
            return "removed"
        return "renamed" if self.former else "changed"


Changes = Mapping[str, Sequence[Change]]
"""The changes of each file, newest first, by its name below the content folder."""


class History:
    """All changes of a content folder, and the texts that they lead from and to.

    `mark` names the state of the repository that they were read from; it is empty where nothing is known, because
    there is no git or only its newest part. `read` is called when changes are first asked for.
    """

    def __init__(
        self, mark: str = "", read: Callable[[], Changes | None] = dict, texts: Texts = lambda _id: None
    ) -> None:
        self.mark = mark
        self._read = read
        self.texts = texts

    @cached_property
    def files(self) -> Changes:
        """The changes by file, newest first; none, and no mark any more, where they cannot be read."""
        found = self._read()
        if found is None:
            self.mark = ""
        return found or {}

    def of(self, slug: str, former: Sequence[str] = ()) -> tuple[Change, ...]:
        """The changes of one playbook, newest first, those under its former slugs included.

        A commit that removes the file of a former slug and adds a file of another one is a renaming.
        """
        found = [(change, name) for name in (slug, *former) for change in self.files.get(f"playbooks/{name}.yaml", ())]
        if not former:
            return tuple(change for change, _ in found)
        return tuple(_joined(sorted(found, key=lambda pair: -pair[0].number)))

    def last_day(self, file: str) -> str:
        """The day, as YYYY-MM-DD in UTC, when a file last changed; empty where that is not known."""
        changes = self.files.get(file)
        return changes[0].day if changes else ""

    def latest(self) -> list[tuple[str, Change]]:
        """All changes of playbooks by slug, newest first; those of one commit by slug."""
        found = [
            (file[10:-5], change)
            for file, changes in self.files.items()
            if file.startswith("playbooks/")
            for change in changes
        ]
        found.sort(key=lambda pair: (-pair[1].number, pair[0]))
        return found


def _joined(found: Sequence[tuple[Change, str]]) -> list[Change]:
    """Changes of one playbook under all its slugs; what a commit removed and added is one change."""
    removed = {change.commit: (change, name) for change, name in found if change.kind == "removed"}
    renamed = set()
    joined = []
    for change, name in found:
        if change.kind == "added" and change.commit in removed and removed[change.commit][1] != name:
            gone, former = removed[change.commit]
            joined.append(msgspec.structs.replace(change, before=gone.before, former=former))
            renamed.add(change.commit)
        else:
            joined.append(change)
    return [change for change in joined if change.kind != "removed" or change.commit not in renamed]


NO_HISTORY = History()
"""Where nothing is known of earlier versions."""
