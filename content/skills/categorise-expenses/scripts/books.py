"""What the checks share: copies of the folder, and the rows of the database."""

import codecs
import contextlib
import csv
import re
import shutil
import sqlite3
import subprocess
import tempfile
from pathlib import Path

DATES = ("%d.%m.%Y", "%m/%d/%Y", "%Y-%m-%d", "%d/%m/%Y", "%d.%m.%y", "%Y%m%d")
STEPS = ("account", "date", "amount", "text")


@contextlib.contextmanager
def copied(fresh=False):
    """A copy of this folder that can be written to; `fresh`: without the database."""
    with tempfile.TemporaryDirectory() as place:
        tree = Path(place, "tree")
        shutil.copytree(".", tree, symlinks=True, ignore=shutil.ignore_patterns(".git", "node_modules", ".venv"))
        for path in (tree, *tree.rglob("*")):
            if not path.is_symlink():
                path.chmod(path.stat().st_mode | 0o200)
        if fresh:
            (tree / "books.sqlite").unlink(missing_ok=True)
        yield tree


def run(command, tree):
    """How the tool ends there: its exit code and what it prints."""
    said = subprocess.run(command, shell=True, cwd=tree, capture_output=True, text=True, errors="replace")
    return said.returncode, said.stdout + said.stderr


def rows(tree="."):
    """Every row of the table tx, by its id."""
    path = Path(tree, "books.sqlite")
    if not path.exists():
        return {}
    with contextlib.closing(sqlite3.connect(path)) as db:
        db.row_factory = sqlite3.Row
        try:
            return {str(row["id"]): dict(row) for row in db.execute("SELECT * FROM tx")}
        except sqlite3.Error:
            return {}


def table(name, tree="."):
    path = Path(tree, name)
    if not path.exists():
        return []
    with open(path, encoding="utf-8-sig", newline="") as file:
        return list(csv.DictReader(file))


def written(name, lines, tree):
    with open(Path(tree, name), "w", encoding="utf-8", newline="") as file:
        out = csv.DictWriter(file, list(lines[0]), lineterminator="\n")
        out.writeheader()
        out.writerows(lines)


def decoded(path):
    """The text of an export, and its encoding."""
    body = path.read_bytes()
    if body.startswith((codecs.BOM_UTF16_LE, codecs.BOM_UTF16_BE)):
        return body.decode("utf-16"), "utf-16"
    with contextlib.suppress(UnicodeDecodeError):
        return body.decode("utf-8-sig"), "utf-8-sig" if body.startswith(codecs.BOM_UTF8) else "utf-8"
    return body.decode("cp1252"), "cp1252"


def letters(text):
    return re.sub(r"[^a-zäöüß]", "", text.lower())
