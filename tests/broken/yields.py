"""Which yields of rules there are, and which of them were met: a rule is tested when each of its problems was told."""

from __future__ import annotations

import ast
import sys
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from pathlib import Path
from types import FrameType

from library.problems import Problem

Place = tuple[str, int]


@contextmanager
def met() -> Iterator[set[Place]]:
    """The places at which generators of this process yield a problem: a file and a line."""
    places: set[Place] = set()

    def look(frame: FrameType, event: str, value: object) -> None:
        """A generator that yields returns, for a profiler: from the line of its yield."""
        if event == "return" and isinstance(value, Problem):
            places.add((frame.f_code.co_filename, frame.f_lineno))

    sys.setprofile(look)
    try:
        yield places
    finally:
        sys.setprofile(None)


def unmet(rules: Iterable[Path], places: set[Place]) -> list[Place]:
    """The yields of the rules in these files that are at none of the places."""
    functions = [
        (str(rule), node)
        for rule in rules
        for node in ast.walk(ast.parse(rule.read_text()))
        if isinstance(node, ast.FunctionDef) and node.returns and ast.unparse(node.returns) == "Iterator[Problem]"
    ]
    return [
        (rule, node.lineno)
        for rule, function in functions
        for node in ast.walk(function)
        if isinstance(node, ast.Yield)
        if not any((rule, line) in places for line in range(node.lineno, (node.end_lineno or node.lineno) + 1))
    ]
