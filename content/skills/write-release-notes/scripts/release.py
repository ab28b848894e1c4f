"""What the checks share: git, the tables, the entries of the notes, and what is public at a commit."""

import csv
import functools
import re
import subprocess
import sys
import tempfile
from pathlib import Path


def git(*words):
    """What git prints; nothing where it fails."""
    return subprocess.run(["git", *words], capture_output=True, text=True, errors="replace").stdout


def table(name):
    if not Path(name).is_file():
        sys.exit(f"{name} is missing")
    with open(name, encoding="utf-8-sig", newline="") as file:
        return list(csv.DictReader(file))


def entries(name="notes.md"):
    """Each entry of the notes: its heading, its text, and the numbers or short hashes at its end."""
    if not Path(name).is_file():
        sys.exit(f"{name} is missing")
    heading, found = "", []
    for line in Path(name).read_text(encoding="utf-8").splitlines():
        if line.startswith("#"):
            heading = line.lstrip("# ").strip()
        elif re.match(r"\s*[-*] ", line):
            found.append([heading, line.strip()[2:]])
        elif line.strip() and found:
            found[-1][1] += " " + line.strip()
    return [(heading, text, re.findall(r"#(\d+)\b|\(([0-9a-f]{7,40})\)", text)) for heading, text in found]


def names_of(numbers):
    return [number or short for number, short in numbers]


def row_name(row):
    """How the notes name a row: its number, or the first seven digits of its commit."""
    return row["number"].strip().lstrip("#") or row["commits"].split()[0][:7]


@functools.cache
def answer(commit, command):
    """The exit code of a command among the files of a commit, and what it prints."""
    with tempfile.TemporaryDirectory() as place:
        body = subprocess.run(["git", "archive", commit], capture_output=True, check=True).stdout
        subprocess.run(["tar", "-x", "-C", place], input=body, check=True)
        ended = subprocess.run(command, shell=True, cwd=place, capture_output=True, text=True, errors="replace")
        return ended.returncode, ended.stdout


def surface(commit, command):
    """What is public at a commit, by a command that prints a line for each: the name, a blank, its value."""
    return dict((line.split(None, 1) + [""])[:2] for line in answer(commit, command)[1].splitlines() if line.strip())


def plain(value):
    """A value without quotes and signs of comparison."""
    return value.strip("\"'<>=~^ ")


def parent(commit):
    return git("rev-parse", f"{commit}~1").strip()


def words_of(text):
    """Words and numbers that tell one change from another: no short ones, none that any sentence has."""
    parts = re.findall(r"\d+(?:\.\d+)*|[A-Za-z][a-z]+|[A-Z]{2,}", text)
    return {part.lower().rstrip("s") for part in parts if part[0].isdigit() or len(part) > 2} - _COMMON


_COMMON = set(
    "the and for not out from with that thi into more than each when where which new default by you your".split()
)
