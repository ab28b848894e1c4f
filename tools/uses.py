"""Where the names of a module are used: a fault in a constant is met by the tests that reach a use of it."""

from __future__ import annotations

import ast
from collections import defaultdict
from collections.abc import Iterable
from pathlib import Path

from tools.mutations import binds


class Uses:
    """By name where functions use it, and which other names are made of it at import."""

    def __init__(self, project: Path, rooms: Iterable[str]) -> None:
        self._places: dict[str, set[tuple[str, int]]] = defaultdict(set)
        self._made_of: dict[str, set[tuple[str, str]]] = defaultdict(set)
        for room in rooms:
            for path in sorted((project / room).rglob("*.py")):
                self._read(path.relative_to(project).as_posix(), ast.parse(path.read_bytes()), (), within=False)

    def lines(self, file: str, names: Iterable[str]) -> set[tuple[str, int]]:
        """Every line of a function that uses one of a file's names, or a name that was made of one."""
        left, seen = [(file, name) for name in names], set[tuple[str, str]]()
        found: set[tuple[str, int]] = set()
        while left:
            here, name = left.pop()
            if (here, name) in seen:
                continue
            seen.add((here, name))
            found |= {place for place in self._places[name] if place[0] == here or not name.startswith("_")}
            left += [made for made in self._made_of[name] if made[0] == here or not name.startswith("_")]
        return found

    def _read(self, file: str, node: ast.AST, bound: tuple[str, ...], *, within: bool) -> None:
        """Note what a node and all below it use; `bound` are the names of the statement at import that it is in."""
        body: list[ast.stmt] = []
        if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef):
            body = node.body
            if not within:  # its arguments are made at import, and used by its body
                self._places[node.name].add((file, body[-1].lineno))
        if isinstance(node, ast.Name | ast.Attribute) and isinstance(node.ctx, ast.Load):
            name = node.id if isinstance(node, ast.Name) else node.attr
            if within:
                self._places[name].add((file, node.lineno))
            else:
                self._made_of[name] |= {(file, other) for other in bound}
        if isinstance(node, ast.stmt) and not within and not isinstance(node, ast.If | ast.For | ast.With | ast.Try):
            bound = binds(node)
        for child in ast.iter_child_nodes(node):
            self._read(file, child, bound, within=within or child in body)
