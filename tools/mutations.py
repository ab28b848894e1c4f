"""The small faults that `make mutants` tries, found in the syntax tree of a file: each is one edit of its text.

Left alone is what no test should look at. Wording: docstrings, every text with a space in it, and what is logged. What
only a type checker reads: annotations and the `Literal` that they are made of, its blocks and casts, `__all__`, and the
names that type variables and loggers are given. What is no behaviour: decorators, `assert`, arguments that only make a
default explicit. And what only time and memory show, which no test measures: how much is held or done at once, how long
is waited for what never comes, what is read before it is asked for, pauses between two tries.
"""

from __future__ import annotations

import ast
import copy
import re
from collections.abc import Iterator
from dataclasses import dataclass

_SWAPS: dict[type[ast.cmpop], tuple[type[ast.cmpop], ...]] = {
    ast.Eq: (ast.NotEq,),
    ast.NotEq: (ast.Eq,),
    ast.Lt: (ast.LtE, ast.GtE),
    ast.LtE: (ast.Lt, ast.Gt),
    ast.Gt: (ast.GtE, ast.LtE),
    ast.GtE: (ast.Gt, ast.Lt),
    ast.In: (ast.NotIn,),
    ast.NotIn: (ast.In,),
    ast.Is: (ast.IsNot,),
    ast.IsNot: (ast.Is,),
}
_SAME_WITHOUT = {
    *("encoding", "strict", "errors", "newline", "daemon", "stacklevel", "frozen", "slots"),
    *("maxsize", "chunksize", "buffering", "supports_mmap"),
}
"""Keyword arguments that say a default aloud or guard what cannot happen; those that only time and memory show."""

_ONLY_LONGER = {"timeout", "socket_timeout", "socket_connect_timeout"}
"""Keyword arguments whose number no test waits for; that one is left out is a fault."""

_ONLY_QUICKER = {"warm", "settle", "madvise", "sleep", "freeze", "unfreeze", "set_threshold"}
"""Functions without which everything is the same, later or in more memory."""

_ONLY_LARGER = re.compile(r"_?(\w+_)?(WAIT|TIMEOUT|PATIENCE|BATCH|CHUNK|BUFFER)")
"""Constants that say how long is waited for what never comes, or how much is done at a time."""

_ONLY_NAMED = {"cast", "TypeVar", "ParamSpec", "NewType", "ContextVar", "getLogger"}
"""Calls whose first argument is for whoever reads the code, or a log."""

COUNTED = 100
"""A larger number is an amount: it becomes ten times as much, or a tenth, where a smaller one is one more or less."""

_LOGS = {"debug", "info", "warning", "error", "exception", "critical", "log", "echo", "secho"}


@dataclass(frozen=True)
class Mutant:
    """One fault: the bytes from `start` to `end` of the file become `text`. `reach` are the lines of its statement."""

    file: str
    line: int
    kind: str
    start: int
    end: int
    text: str
    reach: tuple[int, int]
    imported: bool
    binds: tuple[str, ...] = ()
    """The names that its statement gives a value, where that happens at import."""

    def of(self, source: bytes) -> bytes:
        """The whole file with the fault in it."""
        return source[: self.start] + self.text.encode() + source[self.end :]


def mutants(file: str, source: bytes) -> list[Mutant]:
    """Every fault of a file, in the order of its text; none twice, and none that is no Python."""
    offsets = [0]
    for line in source.splitlines(keepends=True):
        offsets.append(offsets[-1] + len(line))
    found: dict[tuple[int, int, str], Mutant] = {}
    for node, kind, text, statement, imported in _walk(ast.parse(source), None, imported=True):
        start = offsets[node.lineno - 1] + node.col_offset
        end = offsets[(node.end_lineno or node.lineno) - 1] + (node.end_col_offset or 0)
        names = binds(statement) if imported else ()
        one = Mutant(file, node.lineno, kind, start, end, text, _header(statement), imported, names)
        found.setdefault((start, end, text), one)
    return sorted(found.values(), key=lambda one: (one.start, one.end, one.text))


def binds(statement: ast.AST) -> tuple[str, ...]:
    """The names that a statement gives a value."""
    match statement:
        case ast.Assign(targets=targets):
            return tuple(node.id for target in targets for node in ast.walk(target) if isinstance(node, ast.Name))
        case ast.AnnAssign(target=ast.Name(id=name)) | ast.AugAssign(target=ast.Name(id=name)):
            return (name,)
        case ast.FunctionDef(name=name) | ast.AsyncFunctionDef(name=name) | ast.ClassDef(name=name):
            return (name,)
        case _:
            return ()


def _header(statement: ast.stmt) -> tuple[int, int]:
    """First and last line of a statement, without the block that it may hold."""
    body = getattr(statement, "body", None)
    last = body[0].lineno - 1 if body else statement.end_lineno or statement.lineno
    return statement.lineno, max(statement.lineno, last)


_Found = tuple[ast.stmt | ast.expr, str, str, ast.stmt, bool]


def _walk(node: ast.AST, statement: ast.stmt | None, *, imported: bool) -> Iterator[_Found]:
    """The faults of a node and of all below it, with the statement that each is in."""
    if _left_alone(node):
        return
    statement = node if isinstance(node, ast.stmt) else statement
    if statement and isinstance(node, ast.stmt | ast.expr):
        for kind, text in (*_of_statement(node), *_of_expression(node)):
            yield node, kind, text, statement, imported
    for part, kind, text in _of_block(node):
        if statement:
            yield part, kind, text, statement, imported
    inside = isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef | ast.Lambda)
    for name, value in ast.iter_fields(node):
        if name in ("annotation", "returns", "decorator_list"):
            continue
        children = value if isinstance(value, list) else [value]
        for child in children[1:] if name == "args" and _called(node) in _ONLY_NAMED else children:
            if isinstance(child, ast.AST):
                yield from _walk(child, statement, imported=imported and not (inside and name == "body"))


def _left_alone(node: ast.AST) -> bool:
    """Whether a fault here would be none, or one of wording."""
    match node:
        case ast.Expr(value=ast.Constant()) | ast.Assert() | ast.JoinedStr() | ast.Import() | ast.ImportFrom():
            return True
        case ast.If(test=ast.Name(id="TYPE_CHECKING")) | ast.Assign(targets=[ast.Name(id="__all__")]):
            return True
        case ast.Call(func=ast.Attribute(attr=name)):
            return name in _LOGS
        case ast.keyword(arg=name):
            return name in _SAME_WITHOUT | _ONLY_LONGER
        case ast.Subscript(value=ast.Name(id="Literal")):
            return True
        case _:
            return _only_quicker(node)


def _only_quicker(node: ast.AST) -> bool:
    """Whether only time and memory show a fault here."""
    match node:
        case ast.Expr(value=ast.Call() as call):
            return _called(call) in _ONLY_QUICKER
        case ast.FunctionDef(name=name):
            return name in _ONLY_QUICKER
        case ast.Delete(targets=targets):  # of a name: what it stands for is let go sooner
            return all(isinstance(target, ast.Name) for target in targets)
        case ast.Assign(targets=[ast.Name(id=name)]):
            return bool(_ONLY_LARGER.fullmatch(name))
        case _:
            return False


def _called(node: ast.AST) -> str:
    """The last part of the name of what is called, or nothing."""
    match node:
        case ast.Call(func=ast.Name(id=name) | ast.Attribute(attr=name)):
            return name
        case _:
            return ""


def _of_block(node: ast.AST) -> Iterator[tuple[ast.expr, str, str]]:
    """The faults of what stands before a block: its condition turned, or an exception that goes by."""
    match node:
        case ast.If(test=ast.Name() | ast.Attribute() | ast.Call() | ast.NamedExpr() as test):
            yield test, "condition turned", f"not ({ast.unparse(test)})"
        case ast.ExceptHandler(type=ast.Tuple(elts=kinds) as caught):
            for left in kinds:
                yield caught, "exception not met", f"({''.join(f'{ast.unparse(k)}, ' for k in kinds if k is not left)})"
        case ast.ExceptHandler(type=ast.expr() as caught):
            yield caught, "exception not met", "()"
        case _:
            return


def _of_statement(node: ast.AST) -> Iterator[tuple[str, str]]:
    """The faults of a whole statement."""
    match node:
        case ast.Expr(value=ast.Yield() | ast.YieldFrom()):
            yield "nothing yielded", "yield from ()"
        case ast.Expr(value=ast.Call() | ast.Await()) | ast.AugAssign() | ast.Raise() | ast.Delete():
            yield "statement deleted", "pass"
        case ast.Assign(targets=[ast.Attribute() | ast.Subscript()]):
            yield "statement deleted", "pass"
        case ast.Break() | ast.Continue():
            yield "statement deleted", "pass"
        case ast.Return(value=value) if value and not isinstance(value, ast.Constant):
            yield "None returned", "return None"
            if isinstance(value, ast.Compare | ast.BoolOp) or _is_not(value):
                yield "True returned", "return True"
                yield "False returned", "return False"
        case _:
            return


def _is_not(node: ast.expr) -> bool:
    return isinstance(node, ast.UnaryOp) and isinstance(node.op, ast.Not)


def _of_expression(node: ast.AST) -> Iterator[tuple[str, str]]:
    """The faults of an expression."""
    match node:
        case ast.Compare():
            yield from _of_comparison(node)
        case ast.BoolOp():
            other_op = ast.Or() if isinstance(node.op, ast.And) else ast.And()
            yield "and/or", f"({ast.unparse(ast.BoolOp(other_op, node.values))})"
        case ast.UnaryOp(op=ast.Not()):
            yield "not removed", f"({ast.unparse(node.operand)})"
        case ast.BinOp(op=ast.Add() | ast.Sub()):
            other_sign = ast.Sub() if isinstance(node.op, ast.Add) else ast.Add()
            yield "plus/minus", f"({ast.unparse(ast.BinOp(node.left, other_sign, node.right))})"
        case ast.IfExp():
            yield "branches swapped", f"({ast.unparse(ast.IfExp(node.test, node.orelse, node.body))})"
        case ast.Constant():
            yield from _of_constant(node.value)
        case ast.Subscript(slice=ast.Slice() as bounds):
            yield from _of_slice(node, bounds)
        case ast.Call():
            yield from _of_call(node)
        case _:
            return


def _of_comparison(node: ast.Compare) -> Iterator[tuple[str, str]]:
    for index, operator in enumerate(node.ops):
        for other in _SWAPS[type(operator)]:
            ops = [*node.ops[:index], other(), *node.ops[index + 1 :]]
            yield "comparison", f"({ast.unparse(ast.Compare(node.left, ops, node.comparators))})"


def _of_slice(node: ast.Subscript, bounds: ast.Slice) -> Iterator[tuple[str, str]]:
    for name in ("lower", "upper"):
        if getattr(bounds, name):
            fewer = copy.copy(bounds)
            setattr(fewer, name, None)
            yield f"{name} bound dropped", ast.unparse(ast.Subscript(node.value, fewer, ast.Load()))


def _of_call(node: ast.Call) -> Iterator[tuple[str, str]]:
    for index, keyword in enumerate(node.keywords):
        if keyword.arg and keyword.arg not in _SAME_WITHOUT and not _wording(keyword.value):
            rest = [*node.keywords[:index], *node.keywords[index + 1 :]]
            yield "argument dropped", ast.unparse(ast.Call(node.func, node.args, rest))


def _of_constant(value: object) -> Iterator[tuple[str, str]]:
    if isinstance(value, bool):
        yield "constant", str(not value)
    elif isinstance(value, int):
        others = (value + 1, value - 1) if abs(value) <= COUNTED else (value * 10, value // 10)
        yield from (("constant", str(other)) for other in others)
    elif isinstance(value, str) and value and " " not in value:
        yield "text emptied", '""'


def _wording(node: ast.expr) -> bool:
    return isinstance(node, ast.JoinedStr) or (
        isinstance(node, ast.Constant) and isinstance(node.value, str) and " " in node.value
    )
