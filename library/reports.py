"""Problems as people, scripts, pull requests and code scanners want them: one printer a format, and excerpts."""

import unicodedata
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import replace
from itertools import groupby
from pathlib import Path

import orjson

from .content.loading import some_bytes
from .problems import Problem, Severity, count_of, printable
from .records.collection import Library
from .records.naming import EDITED
from .rules import privacy
from .rules.checks import merge_rule_book, rule_book


def below(content: Path, problems: Iterable[Problem]) -> list[Problem]:
    """Problems with the names of their files as the reader's own shell and editor know them."""
    return [replace(problem, file=printable(str(content / problem.file))) for problem in problems]


def as_lines(problems: Sequence[Problem]) -> str:
    """One line a problem."""
    return "\n".join(map(str, problems))


def as_text(problems: Sequence[Problem]) -> str:
    """One line a problem, and a count."""
    return f"{as_lines(problems)}\n{summary(problems)}" if problems else ""


def looked_at(library: Library, content: Path, problems: Sequence[Problem]) -> str:
    """What was checked, and what came of it, in one line."""
    counts = ", ".join(count_of(len(library.names(folder)), folder[:-1]) for folder in EDITED)
    return f"checked {counts} in {printable(str(content))}/: {summary(problems) if problems else 'no problem'}"


def summary(problems: Sequence[Problem]) -> str:
    """How many of which severity, in how many files."""
    errors = sum(problem.severity is Severity.ERROR for problem in problems)
    warnings = len(problems) - errors
    files = len({problem.file for problem in problems})
    return f"{count_of(errors, 'error')}, {count_of(warnings, 'warning')} in {count_of(files, 'file')}"


def as_json(problems: Sequence[Problem]) -> str:
    """A list of objects with file, line, column, severity, code, field and message."""
    names = ("file", "line", "column", "severity", "code", "field", "message")
    rows = [{name: getattr(problem, name) for name in names} for problem in problems]
    return orjson.dumps(rows, option=orjson.OPT_INDENT_2).decode()


def as_github(problems: Sequence[Problem]) -> str:
    """Workflow commands, which GitHub shows beside the lines of a pull request."""
    lines = []
    for problem in problems:
        file, field = _escaped(problem.file, ":,"), f"{problem.field}: " if problem.field else ""
        shown = f"file={file},line={problem.line},col={problem.column},title={problem.code}"
        lines.append(f"::{problem.severity} {shown}::{_escaped(field + problem.message)}")
    return "\n".join(lines)


def _escaped(text: str, further: str = "") -> str:
    for char in "%\r\n" + further:
        text = text.replace(char, f"%{ord(char):02X}")
    return text


def as_sarif(problems: Sequence[Problem]) -> str:
    """A SARIF 2.1.0 log, for code scanning."""
    book = (*rule_book(), *merge_rule_book())
    rules = [{"id": code, "shortDescription": {"text": sentence}} for code, sentence in book]
    driver = {"name": "playbooks check", "rules": rules}
    results = []
    for problem in problems:
        region = {"startLine": problem.line, "startColumn": problem.column}
        place = {"artifactLocation": {"uri": problem.file}, "region": region}
        text = f"{problem.field}: {problem.message}" if problem.field else problem.message
        found = {"ruleId": problem.code, "level": str(problem.severity), "message": {"text": text}}
        results.append({**found, "locations": [{"physicalLocation": place}]})
    runs = [{"tool": {"driver": driver}, "results": results}]
    log = {"$schema": "https://json.schemastore.org/sarif-2.1.0.json", "version": "2.1.0", "runs": runs}
    return orjson.dumps(log, option=orjson.OPT_INDENT_2).decode()


FORMATS = {"text": as_lines, "json": as_json, "github": as_github, "sarif": as_sarif}
_WIDTH, _BEFORE = 100, 60  # how much of a long line is shown, and how much of that at most before the place
_PRIVATE = "no-private-matter"


def with_excerpts(content: Path, problems: Iterable[Problem]) -> Iterator[str]:
    """The lines to print, each problem with its line and a caret; of a file that holds anything private none is."""
    for file, group in groupby(problems, key=lambda problem: problem.file):
        of_file = list(group)
        lines = [] if any(problem.code == _PRIVATE for problem in of_file) else _lines(content / file)
        for problem, shown in zip(of_file, below(content, of_file), strict=True):
            yield str(shown)
            if 0 < problem.line <= len(lines) and lines[problem.line - 1].strip():
                yield from _excerpt(lines[problem.line - 1], problem)


def _lines(path: Path) -> list[str]:
    """The lines of a file that can be shown; none of one that is no plain file, or holds what must not be repeated."""
    if path.is_symlink() or not path.is_file():
        return []
    text = some_bytes(path).removeprefix(b"\xef\xbb\xbf").decode("utf-8", "replace")
    hidden = any(finding.refused for one in (text, " ".join(text.split())) for finding in privacy.find(one))
    return [] if hidden else text.split("\n")


def _excerpt(line: str, problem: Problem) -> Iterator[str]:
    column = min(problem.column, len(line) + 1) - 1
    start = max(0, column - _BEFORE) if len(line) > _WIDTH else 0
    end = start + _WIDTH
    before = ("…" if start else "") + printable(line[start:column])
    wide = sum((unicodedata.east_asian_width(char) in "WF") - bool(unicodedata.combining(char)) for char in before)
    yield f"{problem.line:>6} | {before}{printable(line[column:end].rstrip())}{'…' if len(line) > end else ''}"
    yield f"       | {' ' * (len(before) + wide)}^"
