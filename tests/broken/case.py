"""What one broken file is: where it lies, what it holds, and every problem that `check` must find."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field

from tests.builders import LESSON, PLAYBOOK, RUN, TASK, titled


@dataclass(frozen=True)
class Case:
    """One broken file. `expected` are the problems of the file as `code line:column`.

    `shown` is the file that the problems name, where it is not `path`; `beside` are sound files that the case needs;
    `too` is a file that has a problem as well, because both are wrong together; `link` makes the path a symbolic link
    to that target; `says` must stand in the messages, `hides` must not.
    """

    name: str
    path: str
    body: bytes
    expected: tuple[str, ...]
    shown: str = ""
    beside: Mapping[str, str] = field(default_factory=dict)
    link: str | None = None
    says: tuple[str, ...] = ()
    hides: str = ""
    too: str = ""

    @property
    def file(self) -> str:
        """The file that the problems name."""
        return self.shown or self.path


def changed(text: str, old: str, new: str) -> str:
    """The text with its one `old` replaced."""
    if text.count(old) != 1:
        raise ValueError(f"{old!r} stands {text.count(old)} times in the text:\n{text}")
    return text.replace(old, new)


def raw(name: str, body: str | bytes, *expected: str, says: tuple[str, ...] = (), hides: str = "") -> Case:
    """A task's file with just these bytes."""
    data = body.encode() if isinstance(body, str) else body
    return Case(name, f"tasks/{name}.yaml", data, expected, says=says, hides=hides)


def book(
    name: str,
    old: str,
    new: str,
    *expected: str,
    says: tuple[str, ...] = (),
    hides: str = "",
    beside: Mapping[str, str] | None = None,
    too: str = "",
) -> Case:
    """The minimal playbook under the case's own name and title, with `old` replaced by `new`."""
    text = changed(titled(PLAYBOOK, name), old, new)
    path = f"playbooks/{name}.yaml"
    return Case(name, path, text.encode(), expected, says=says, hides=hides, beside=beside or {}, too=too)


def added(
    name: str,
    more: str,
    *expected: str,
    says: tuple[str, ...] = (),
    hides: str = "",
    beside: Mapping[str, str] | None = None,
    too: str = "",
) -> Case:
    """The minimal playbook with more keys at its end, that is from line 18."""
    old, new = "updated: 2026-11-01\n", f"updated: 2026-11-01\n{more}"
    return book(name, old, new, *expected, says=says, hides=hides, beside=beside, too=too)


def lesson(name: str, old: str, new: str, *expected: str) -> Case:
    """The lesson with `old` replaced by `new`."""
    text = changed(titled(LESSON, name), old, new)
    return Case(name, f"lessons/{name}.yaml", text.encode(), expected)


def task(name: str, old: str, new: str, *expected: str) -> Case:
    """The task with `old` replaced by `new`; it has no playbook of its own, so it is wanted."""
    text = changed(f"{TASK}wanted: true\n", old, new)
    return Case(name, f"tasks/{name}.yaml", text.encode(), expected)


def run(name: str, old: str, new: str, *expected: str, folder: str = "fix-flaky-tests") -> Case:
    """The run report with `old` replaced by `new`."""
    return Case(name, f"runs/{folder}/{name}.yaml", changed(RUN, old, new).encode(), expected)


def named(name: str, path: str, *expected: str, shown: str = "", says: tuple[str, ...] = ()) -> Case:
    """A sound task in a place, or under a name, that is wrong."""
    return Case(name, path, f"{TASK}wanted: true\n".encode(), expected, shown, says=says)
