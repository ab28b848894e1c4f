"""Commits laid out as folders, and the pieces of a Python file: for check-3.py, check-5.py and check-7.py."""

import ast
import contextlib
import io
import pathlib
import subprocess
import sys
import tarfile
import tempfile
import textwrap


def git(*words):
    return subprocess.run(["git", *words], capture_output=True, check=True, text=True, errors="replace").stdout


def text(ref, path):
    """A file of a commit; nothing where it is not there."""
    found = subprocess.run(["git", "show", f"{ref}:{path}"], capture_output=True, text=True, errors="replace")
    return "" if found.returncode else found.stdout


def unpack(place, ref, *paths):
    archive = subprocess.run(["git", "archive", ref, *paths], capture_output=True, check=True).stdout
    with tarfile.open(fileobj=io.BytesIO(archive)) as files:
        files.extractall(place, filter="data")


@contextlib.contextmanager
def laid_out(ref):
    """A commit as a folder without caches, which is gone afterwards."""
    with tempfile.TemporaryDirectory() as place:
        unpack(place, ref)
        yield pathlib.Path(place)


def pieces(source):
    """Name, first and last line, and text of each statement but imports, with decorators and the remarks right above."""
    lines = source.splitlines()
    for node in ast.parse(source).body:
        if isinstance(node, (ast.Import, ast.ImportFrom)) or (isinstance(node, ast.Expr) and isinstance(node.value, ast.Constant)):
            continue
        first = min([node.lineno, *(one.lineno for one in getattr(node, "decorator_list", []))])
        while first > 1 and lines[first - 2].lstrip().startswith("#"):
            first -= 1
        targets = getattr(node, "targets", [getattr(node, "target", None)])
        name = getattr(node, "name", None) or (ast.unparse(targets[0]) if targets[0] else lines[node.lineno - 1].strip())
        yield name, first, node.end_lineno, textwrap.dedent("\n".join(lines[first - 1 : node.end_lineno]))


def said(wrong, right):
    """Print what is wrong, or that nothing is; the exit code."""
    try:
        wrong = list(wrong)
    except subprocess.CalledProcessError as error:
        why = error.stderr if isinstance(error.stderr, str) else error.stderr.decode(errors="replace")
        wrong = [f"git could not: {why.strip()}"]
    except SyntaxError as error:
        wrong = [f"a file cannot be parsed: {error}"]
    print("\n".join(wrong) or right)
    sys.exit(1 if wrong else 0)
