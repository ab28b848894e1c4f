"""The files of a draft as pages show them: text, problems with the line that they speak of, and the difference."""

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from difflib import SequenceMatcher

from library.problems import Problem
from library.records.naming import name_problem

from ..decisions.decide import Item
from ..decisions.texts import digest

CONTEXT = 3
MOST_LINES = 4_000
"""Longer files are shown without a difference: working it out takes time that grows with the square."""


@dataclass(frozen=True, slots=True)
class DiffLine:
    """A line of a difference: `mark` is `+`, `-`, empty for context or `…` for what is left out."""

    mark: str
    old: int | None
    new: int | None
    text: str


@dataclass(frozen=True, slots=True)
class FileView:
    """One file of a draft. `base` is the digest of the file that its text was made from, `now` of the file as it is.

    Both are empty, and `diff` None, for a new one.
    """

    number: int
    name: str
    text: str
    base: str
    now: str
    problems: tuple[Problem, ...]
    diff: tuple[DiffLine, ...] | None

    @property
    def older(self) -> bool:
        """Whether the file was changed since the text was made from it."""
        return bool(self.base) and self.base != self.now

    @property
    def rows(self) -> int:
        """How many lines the place to type in has."""
        return min(max(self.text.count("\n") + 2, 8), 40)

    def line_of(self, problem: Problem) -> str:
        """The line of the text that a problem speaks of; empty where there is none."""
        lines = self.text.split("\n")
        return lines[problem.line - 1].strip() if 0 < problem.line <= len(lines) else ""


def file_views(
    item: Item,
    typed: Sequence[tuple[str, str]] | None,
    problems: Iterable[Problem],
    present: Callable[[str], str | None],
    bases: Mapping[str, str] | None = None,
) -> tuple[list[FileView], list[Problem]]:
    """The files, as they were typed just now or else as they stand, and the problems that lie in none of them.

    `present` gives the text that a file of the content has now; `bases` are the digests of the files that typed texts
    were made from.
    """
    made = {file.file: file.base or "" for file in item.files} | dict(bases or {})
    found = list(problems)
    given = [(file.file, file.text) for file in item.files] if typed is None else list(typed)
    views = [
        _file(number, name, text, _old(item, name, present), made.get(name, ""), found)
        for number, (name, text) in enumerate(given)
    ]
    names = {name for name, _ in given}
    return views, [problem for problem in found if problem.file not in names]


def _old(item: Item, name: str, present: Callable[[str], str | None]) -> str | None:
    """The text that a file has now; what was typed is no path before its name is found good."""
    return item.olds[name] if name in item.olds else None if name_problem(name) else present(name)


def _file(number: int, name: str, text: str, old: str | None, base: str, problems: Iterable[Problem]) -> FileView:
    mine = tuple(problem for problem in problems if problem.file == name)
    if old is None:
        return FileView(number, name, text, base, "", mine, None)
    now = digest(old)
    return FileView(number, name, text, base or now, now, mine, difference(old, text))


def difference(old: str, new: str) -> tuple[DiffLine, ...]:
    """What changed, line by line, with a little of what stands round it; nothing when nothing changed."""
    before, after = old.splitlines(), new.splitlines()
    if max(len(before), len(after)) > MOST_LINES:
        return (DiffLine("…", None, None, "The file is too long to be compared here."),)
    lines: list[DiffLine] = []
    matcher = SequenceMatcher(None, before, after, autojunk=False)
    for group in matcher.get_grouped_opcodes(CONTEXT):
        if lines or group[0][1] > 0:
            lines.append(DiffLine("…", None, None, ""))
        for kind, was, was_end, now, now_end in group:
            if kind == "equal":
                lines += [DiffLine("", was + at + 1, now + at + 1, text) for at, text in enumerate(before[was:was_end])]
                continue
            lines += [DiffLine("-", was + at + 1, None, text) for at, text in enumerate(before[was:was_end])]
            lines += [DiffLine("+", None, now + at + 1, text) for at, text in enumerate(after[now:now_end])]
    return tuple(lines)
