"""Problems for somebody at a terminal: each with the line it is about and a caret under the place."""

import unicodedata
from collections.abc import Iterable, Iterator, Mapping
from itertools import groupby
from pathlib import Path

import click

from ..problems import Problem, Severity, printable
from ..reports import below
from ..rules import privacy
from .loading import some_bytes

_WIDTH = 100
_BEFORE = 60
"""How much of a long line is shown, and how much of that at most before the place."""
_PRIVATE = "no-private-matter"


def with_excerpts(content: Path, problems: Iterable[Problem], environment: Mapping[str, str]) -> Iterator[str]:
    """The lines to print: of a file that holds anything private none is shown. No colour where `NO_COLOR` is set."""
    colour = not environment.get("NO_COLOR")
    for file, group in groupby(problems, key=lambda problem: problem.file):
        of_file = list(group)
        lines = [] if any(problem.code == _PRIVATE for problem in of_file) else _lines(content / file)
        for problem, shown in zip(of_file, below(content, of_file), strict=True):
            yield _coloured(shown) if colour else str(shown)
            if 0 < problem.line <= len(lines) and lines[problem.line - 1].strip():
                yield from _excerpt(lines[problem.line - 1], problem, colour=colour)


def _lines(path: Path) -> list[str]:
    """The lines of a file that can be shown; none of one that is no plain file, or holds what must not be repeated."""
    if path.is_symlink() or not path.is_file():
        return []
    try:
        text = some_bytes(path).removeprefix(b"\xef\xbb\xbf").decode("utf-8", "replace")
    except OSError:
        return []
    joined = " ".join(text.split())
    hidden = any(finding.refused for one in (text, joined) for finding in privacy.find(one))
    return [] if hidden else text.split("\n")


def _excerpt(line: str, problem: Problem, *, colour: bool) -> Iterator[str]:
    column = min(problem.column, len(line) + 1) - 1
    start = max(0, column - _BEFORE) if len(line) > _WIDTH else 0
    end = start + _WIDTH
    before = ("…" if start else "") + printable(line[start:column])
    number = f"{problem.line:>6}"
    yield f"{number} | {before}{printable(line[column:end].rstrip())}{'…' if len(line) > end else ''}"
    caret = click.style("^", fg=_COLOURS[problem.severity], bold=True) if colour else "^"
    yield f"{' ' * len(number)} | {' ' * _cells(before)}{caret}"


def _cells(text: str) -> int:
    """How many columns of a terminal a text takes."""
    return sum((unicodedata.east_asian_width(char) in "WF") + (not unicodedata.combining(char)) for char in text)


_COLOURS = {Severity.ERROR: "red", Severity.WARNING: "yellow"}


def _coloured(problem: Problem) -> str:
    """The line of a problem with its severity in colour."""
    plain = str(problem)
    head = f"{problem.file}:{problem.line}:{problem.column}: "
    rest = plain.removeprefix(head).removeprefix(problem.severity)
    severity = click.style(str(problem.severity), fg=_COLOURS[problem.severity], bold=True)
    return f"{click.style(head, bold=True)}{severity}{rest}"
