"""Problems are values: a place, a stable code and a sentence that says the mend, with the word that was meant."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, replace
from difflib import get_close_matches
from enum import StrEnum
from operator import attrgetter
from typing import Literal

Pointer = tuple[str | int, ...]  # the way from the top of a record to a value in it: `("steps", 0, "check")`


class Severity(StrEnum):
    """Whether a problem stops a build."""

    ERROR = "error"
    WARNING = "warning"


@dataclass(frozen=True, slots=True)
class Mend:
    """The one change that mends a problem for sure, at the problem's pointer; `check --fix` makes it.

    A key gets another name, a value another text (both in `word`), a key is removed with its value, or the file is
    brought into the canonical form and nothing else.
    """

    change: Literal["rename", "write", "remove", "form"]
    word: str = ""


FORM = Mend("form")
_ECHOES = ("unquoted", "string-type", "tuple-type")  # what a value is as well that is wrong for another reason


@dataclass(frozen=True, slots=True)
class Problem:
    """Something wrong with the content, and where.

    `file` is relative to the content folder; `line` and `column` count from 1. A problem that a rule finds
    knows its file and pointer; `loading.placed` adds line and column by reading the file once more.
    """

    file: str
    pointer: Pointer
    code: str
    message: str
    severity: Severity = Severity.ERROR
    line: int = 1
    column: int = 1
    mend: Mend | None = None

    def at(self, line: int, column: int) -> Problem:
        """The same problem with its place in the text."""
        return replace(self, line=line, column=column)

    def mended(self, change: Literal["rename", "write", "remove"], word: str | None = "") -> Problem:
        """The same problem with the change that mends it; None where no word is sure."""
        return self if word is None else replace(self, mend=Mend(change, word))

    @property
    def field(self) -> str:
        """The pointer as people write it: `steps[0].check`; empty for the whole file."""
        parts = (f"[{part}]" if isinstance(part, int) else f".{part}" for part in self.pointer)
        return "".join(parts).lstrip(".")

    def __str__(self) -> str:
        """`path:line:column: severity: field: message [code]`, with nothing in it that a terminal would obey."""
        field = f"{self.field}: " if self.field else ""
        return printable(f"{self.file}:{self.line}:{self.column}: {self.severity}: {field}{self.message} [{self.code}]")


def printable(text: str) -> str:
    """The text with every character escaped that a terminal would obey or cannot show."""
    if text.isprintable():
        return text
    return "".join(char if char.isprintable() else char.encode("unicode_escape").decode("ascii") for char in text)


def count_of(number: int, noun: str, plural: str = "") -> str:
    """`1 run`, `2 runs`."""
    return f"{number:,} {noun if number == 1 else plural or f'{noun}s'}"


def wrong(file: str, field: str, message: str, severity: Severity = Severity.ERROR) -> Problem:
    """A rule's finding about a field (dots go deeper: `steps.0.check`); whoever runs the rule stamps its code."""
    pointer: Pointer = tuple(int(part) if part.isdigit() else part for part in field.split(".") if part)
    return Problem(file, pointer, "", message, severity)


def in_order(problems: Iterable[Problem]) -> list[Problem]:
    """By file, then by place; what is found twice is said once."""
    return sorted(dict.fromkeys(problems), key=attrgetter("file", "line", "column", "code", "message"))


def told_once(problems: Iterable[Problem]) -> list[Problem]:
    """Without those that only echo an error in the same place: one mistake is one message."""
    found = list(problems)
    first: dict[Pointer, Problem] = {}
    for problem in found:
        if problem.severity is Severity.ERROR:
            first.setdefault(problem.pointer, problem)
    return [one for one in found if one.code not in _ECHOES or first.get(one.pointer, one) is one]


def as_errors(problems: Iterable[Problem]) -> list[Problem]:
    """Every problem as an error: before a merge a warning counts as one."""
    return [replace(problem, severity=Severity.ERROR) for problem in problems]


class LibraryError(Exception):
    """Any error that this project raises on purpose; its text is for people."""


class ContentError(LibraryError):
    """The content has problems; all of them are in `problems`."""

    def __init__(self, problems: Iterable[Problem]) -> None:
        self.problems = in_order(problems)
        super().__init__("\n".join(str(problem) for problem in self.problems))


class UsageError(LibraryError):
    """A command or a setting was used in a way that cannot work."""


_CLOSE, _SURE = 0.6, 0.75
OPEN = 0.9  # how alike two words must be where an unknown one may be new as well, as a record's name may


def nearest(word: str, known: Iterable[str]) -> str | None:
    """The known word that looks most like this one; None where none does."""
    near = get_close_matches(word.casefold(), known, n=1, cutoff=_CLOSE)
    return near[0] if near else None


def sure(word: str, known: Iterable[str], alike: float = _SURE) -> str | None:
    """The one known word that can be meant: very like this one, with the same figures, and no other is."""
    near = get_close_matches(word.casefold(), known, n=2, cutoff=alike)
    return near[0] if len(near) == 1 and _figures(near[0]) == _figures(word) else None


def _figures(word: str) -> str:
    return "".join(char for char in word if char.isdigit())


def did_you_mean(word: str, known: Iterable[str], otherwise: str = "") -> str:
    """The end of a message: `; did you mean …?`, or what is said where no known word is near."""
    near = nearest(word, known)
    return f"; did you mean {near!r}?" if near else otherwise
