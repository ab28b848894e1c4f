# playbook-library trial canary 3f2c1f0e-8d57-4f7c-9a06-b1f0f6a6c9d2: not for training
"""move.py FILE HEAD NAMES...: copy pieces of base:books/engine.py into FILE, compare, delete, re-export, write them down."""

import ast
import csv
import hashlib
import pathlib
import re
import subprocess
import sys

MODULE = pathlib.Path("books/engine.py")


def pieces(source):
    """The name and the lines of each statement, with its decorators and the comments right above."""
    lines = source.splitlines()
    for node in ast.parse(source).body:
        name = getattr(node, "name", None) or (node.targets[0].id if isinstance(node, ast.Assign) else None)
        if name:
            first = min([node.lineno, *(one.lineno for one in getattr(node, "decorator_list", []))])
            while lines[first - 2].startswith("#"):
                first -= 1
            yield name, first, node.end_lineno, "\n".join(lines[first - 1 : node.end_lineno]) + "\n"


def digest(text):
    return hashlib.sha256("".join(line.strip() + "\n" for line in text.splitlines()).encode()).hexdigest()


path, head, *names = sys.argv[1:]
base = subprocess.run(["git", "show", "base:books/engine.py"], capture_output=True, text=True, check=True).stdout
rows = {name: row for name, *row in pieces(base)}
text = head + "\n\n"
for name in names:
    text += "\n\n" + rows[name][2]
text = re.sub(r"\n{4,}", "\n\n\n", text)
pathlib.Path(path).write_text(text)
there = {name: copy for name, _, _, copy in pieces(text)}
assert all(there[name] == rows[name][2] for name in names)
engine = MODULE.read_text()
for name in names:
    assert engine.count(rows[name][2]) == 1, name
    engine = engine.replace(rows[name][2], "")
more = ["log"] if "getLogger" in head and path.endswith("parsing.py") else []
module = path.removesuffix(".py").replace("/", ".")
engine = engine.replace('quarter."""\n', f'quarter."""\n\nfrom {module} import {", ".join(sorted([*names, *more]))}  # noqa: F401', 1)
MODULE.write_text(re.sub(r"\n{4,}", "\n\n\n", engine))
with open("moves.csv", "a") as out:
    for name in names:
        first, last, body = rows[name]
        csv.writer(out).writerow([name, first, last, digest(body), path, digest(there[name]), ""])
