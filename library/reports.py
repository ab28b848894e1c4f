"""Problems as people, scripts, pull requests and code scanners want them: one printer a format."""

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import replace
from pathlib import Path

import orjson

from .problems import Problem, Severity, printable
from .records.collection import Library
from .records.naming import EDITED
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
    counts = ", ".join(_count(len(library.names(folder)), folder[:-1]) for folder in EDITED)
    return f"checked {counts} in {printable(str(content))}/: {summary(problems) if problems else 'no problem'}"


def summary(problems: Sequence[Problem]) -> str:
    """How many of which severity, in how many files."""
    errors = sum(problem.severity is Severity.ERROR for problem in problems)
    warnings = len(problems) - errors
    files = len({problem.file for problem in problems})
    return f"{_count(errors, 'error')}, {_count(warnings, 'warning')} in {_count(files, 'file')}"


def _count(number: int, noun: str) -> str:
    return f"{number} {noun}{'' if number == 1 else 's'}"


def as_json(problems: Sequence[Problem]) -> str:
    """A list of objects with file, line, column, severity, code, field and message."""
    names = ("file", "line", "column", "severity", "code", "field", "message")
    rows = [{name: getattr(problem, name) for name in names} for problem in problems]
    return orjson.dumps(rows, option=orjson.OPT_INDENT_2).decode()


def as_github(problems: Sequence[Problem]) -> str:
    """Workflow commands, which GitHub shows beside the lines of a pull request."""
    return "\n".join(_workflow_command(problem) for problem in problems)


def _workflow_command(problem: Problem) -> str:
    properties = {"file": problem.file, "line": problem.line, "col": problem.column, "title": problem.code}
    shown = ",".join(f"{name}={_escaped(str(value), ':,')}" for name, value in properties.items())
    field = f"{problem.field}: " if problem.field else ""
    return f"::{problem.severity} {shown}::{_escaped(field + problem.message)}"


def _escaped(text: str, further: str = "") -> str:
    for char in "%\r\n" + further:
        text = text.replace(char, f"%{ord(char):02X}")
    return text


def as_sarif(problems: Sequence[Problem]) -> str:
    """A SARIF 2.1.0 log, for code scanning."""
    rules = [
        {"id": code, "shortDescription": {"text": sentence}} for code, sentence in (*rule_book(), *merge_rule_book())
    ]
    driver = {"name": "playbooks check", "rules": rules}
    results = [
        {
            "ruleId": problem.code,
            "level": str(problem.severity),
            "message": {"text": f"{problem.field}: {problem.message}" if problem.field else problem.message},
            "locations": [
                {
                    "physicalLocation": {
                        "artifactLocation": {"uri": problem.file},
                        "region": {"startLine": problem.line, "startColumn": problem.column},
                    }
                }
            ],
        }
        for problem in problems
    ]
    log = {
        "$schema": "https://json.schemastore.org/sarif-2.1.0.json",
        "version": "2.1.0",
        "runs": [{"tool": {"driver": driver}, "results": results}],
    }
    return orjson.dumps(log, option=orjson.OPT_INDENT_2).decode()


FORMATS: Mapping[str, Callable[[Sequence[Problem]], str]] = {
    "text": as_lines,
    "json": as_json,
    "github": as_github,
    "sarif": as_sarif,
}
