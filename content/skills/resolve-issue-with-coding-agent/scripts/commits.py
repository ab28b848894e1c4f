"""Commits laid out as folders, and what of a file is code: for check-5.py and check-6.py."""

import ast
import io
import re
import shutil
import subprocess
import tarfile


def git(*words, **more):
    return subprocess.run(["git", *words], capture_output=True, check=True, **more).stdout


def names(*words):
    return git("diff", "--name-only", "--no-renames", *words).decode().split()


def within(path, places):
    return any(path == place or path.startswith(place.rstrip("/") + "/") for place in places)


def unpacked(tree, *what):
    """A commit, or some paths of it, as a folder."""
    with tarfile.open(fileobj=io.BytesIO(git("archive", *what))) as archive:
        archive.extractall(tree, filter="data")


def laid_out(tree, product, tests, places):
    """The product of one commit with the tests of another."""
    unpacked(tree, product)
    for place in places:
        shutil.rmtree(tree / place, ignore_errors=True)
    unpacked(tree, tests, *[place for place in places if git("ls-tree", "--name-only", tests, place.rstrip("/"))])


def code(path):
    """What of a file counts: Python without docstrings and comments, else the lines that are no comment."""
    text = path.read_text(errors="replace")
    if path.suffix != ".py":
        return [line for line in text.splitlines() if line.strip() and not re.match(r"\s*(#|//|/\*|\*)", line)]
    try:
        tree = ast.parse(text)
    except SyntaxError:
        return text
    for node in ast.walk(tree):
        body = getattr(node, "body", None)
        if isinstance(body, list) and body and isinstance(body[0], ast.Expr) and isinstance(body[0].value, ast.Constant):
            del body[0]
    return ast.dump(tree)
