"""What the checks share: copies of the folder, the rows of the database, and an invented next month of exports."""

import codecs
import contextlib
import csv
import datetime
import re
import shutil
import sqlite3
import subprocess
import tempfile
from decimal import Decimal
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


def home(row, tree):
    """The export that holds the record of a row."""
    for path in sorted(Path(tree, "exports").iterdir(), reverse=True):
        text, _ = decoded(path)
        if row["raw"] and row["raw"] in text:
            return path
    return None


def export(tree, like, raws, name):
    """Write records as one more export, in the form of the export in which `like` stands."""
    path = home(like, tree)
    text, encoding = decoded(path)
    before = [text.find(row["raw"]) for row in rows(tree).values() if row["raw"]]
    head = text[: min(place for place in before if place >= 0)]
    end = "\r\n" if "\r\n" in text else "\n"
    new = path.with_name(f"{path.stem}-{name}{path.suffix}")
    new.write_bytes((head + end.join(raws) + end).encode(encoding))


def balance(tree, account, month, cents):
    """Move the closing balance of a month, and those after it."""
    lines = table("balances.csv", tree)
    for line in lines:
        if line["account"] == account and line["month"] >= month:
            line["closing"] = f"{Decimal(line['closing']) + Decimal(cents) / 100:.2f}"
            if line["month"] > month:
                line["opening"] = f"{Decimal(line['opening']) + Decimal(cents) / 100:.2f}"
    written("balances.csv", lines, tree)


def turned(text):
    """The text in words that nobody has seen."""
    return codecs.encode(text, "rot13")


def next_month(tree, reworded):
    """One more month: the last one's records a month later, those of `reworded` (by id) with that text. Its name."""
    there = rows(tree)
    last = max(row["date"][:7] for row in there.values())
    year, month = map(int, last.split("-"))
    coming = f"{year + month // 12}-{month % 12 + 1:02}"
    lines = table("balances.csv", tree)
    for account in sorted({row["account"] for row in there.values()}):
        mine = {name: row for name, row in there.items() if row["account"] == account and row["date"][:7] == last}
        raws, moved = [], 0
        for name, row in mine.items():
            day = datetime.date.fromisoformat(row["date"])
            later = datetime.date(*map(int, coming.split("-")), min(day.day, 28))
            raw = row["raw"]
            for form in DATES:
                raw = raw.replace(day.strftime(form), later.strftime(form))
            raws.append(raw.replace(row["text"], reworded.get(name, row["text"])))
            moved += row["amount"]
        if mine:
            export(tree, next(iter(mine.values())), raws, "coming")
        closing = next((line["closing"] for line in lines if (line["account"], line["month"]) == (account, last)), "0")
        after = f"{Decimal(closing) + Decimal(moved) / 100:.2f}"
        lines.append({"account": account, "month": coming, "opening": closing, "closing": after})
    written("balances.csv", lines, tree)
    return coming


def letters(text):
    return re.sub(r"[^a-zäöüß]", "", text.lower())
