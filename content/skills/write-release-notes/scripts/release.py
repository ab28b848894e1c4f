"""What the checks share: git, the tables, the entries of the notes, and what is public at a commit."""

import csv
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


def surface(ref, command):
    """What is public at a commit, by a command that prints a line for each: the name, a blank, its value."""
    with tempfile.TemporaryDirectory() as place:
        body = subprocess.run(["git", "archive", ref], capture_output=True).stdout
        subprocess.run(["tar", "-x", "-C", place], input=body)
        said = subprocess.run(command, shell=True, cwd=place, capture_output=True, text=True).stdout
        return dict((line.split(None, 1) + [""])[:2] for line in said.splitlines() if line.strip())
