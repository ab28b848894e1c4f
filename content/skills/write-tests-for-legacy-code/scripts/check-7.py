"""Step 7: what a test may not do, by its syntax: swallow errors, compare digests, read source, assert calls or a != alone.

    check-7.py BASE [--tests GLOB]

Looks at Python files that match --tests and differ from BASE, the commit before the batch. Exit code 0: nothing found.
"""

import argparse
import ast
import pathlib
import subprocess
import sys

DIGESTS = {"hashlib", "zlib", "binascii", "pickle", "marshal"}
SOURCES = {"inspect", "ast", "dis", "tokenize", "symtable"}
CODE = {"__code__", "co_code", "co_consts", "getsource"}


def names_in(node):
    """The last word of every name within a node: `suppress` of `contextlib.suppress`."""
    for inner in ast.walk(node):
        if isinstance(inner, ast.Name | ast.Attribute):
            yield inner.id if isinstance(inner, ast.Name) else inner.attr


def broad(node):
    return node is None or any(name in ("Exception", "BaseException") for name in names_in(node))


def only_calls(function):
    """Whether a test asserts on fakes and on nothing else."""
    asked = [node for node in ast.walk(function) if isinstance(node, ast.Attribute) and node.attr.startswith("assert_")]
    said = any(isinstance(node, ast.Assert) or (isinstance(node, ast.Attribute) and node.attr == "raises") for node in ast.walk(function))
    return asked and not said


def denies(function):
    """Whether an expected failure asserts what is not, and so passes after any change."""
    marked = any("xfail" in names_in(mark) for mark in function.decorator_list)
    asked = [node.test for node in ast.walk(function) if isinstance(node, ast.Assert)]
    return marked and any(isinstance(test, ast.Compare) and isinstance(test.ops[0], ast.NotEq | ast.NotIn) for test in asked)


def found(tree):
    """Each fault with its line."""
    for node in ast.walk(tree):
        modules = []
        if isinstance(node, ast.Import | ast.ImportFrom):
            modules = [(getattr(node, "module", None) or alias.name).split(".")[0] for alias in node.names]
        if DIGESTS & set(modules) or (isinstance(node, ast.Call) and getattr(node.func, "id", "") == "hash"):
            yield node.lineno, "compares digests: write the expected values out, where a reader sees them"
        if SOURCES & set(modules) or (isinstance(node, ast.Attribute) and node.attr in CODE):
            yield node.lineno, "looks at the product's source: test what it does"
        if isinstance(node, ast.ExceptHandler) and broad(node.type) and not any(isinstance(one, ast.Raise) for one in ast.walk(node)):
            yield node.lineno, "catches any exception and goes on"
        if isinstance(node, ast.Call) and "suppress" in list(names_in(node.func)) and any(broad(one) for one in node.args):
            yield node.lineno, "suppresses any exception"
        if isinstance(node, ast.FunctionDef) and node.name.startswith("test") and only_calls(node):
            yield node.lineno, f"{node.name} asserts calls of fakes alone"
        if isinstance(node, ast.FunctionDef) and denies(node):
            yield node.lineno, f"{node.name} is expected to fail, and says what is not: say what is right"


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("base")
    parser.add_argument("--tests", default="test*/**/*.py")
    told, wrong = parser.parse_args(), []
    for path in sorted(pathlib.Path().glob(told.tests)):
        old = subprocess.run(["git", "show", f"{told.base}:./{path}"], capture_output=True)
        text = path.read_bytes()
        if old.returncode or old.stdout != text:
            wrong += [f"{path}:{line}: {what}" for line, what in found(ast.parse(text))]
    print("\n".join(wrong) or "no test swallows, digests, reads source or asserts calls alone")
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main())
