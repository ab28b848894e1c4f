"""Saved pages and their tables, and copies in which they are changed: for check-4.py, check-6.py and check-7.py."""

import contextlib
import csv
import hashlib
import os
import re
import shutil
import subprocess
import sys
import tempfile
from pathlib import Path


def rows(name, columns):
    """A table of a file; it ends the check where there is none with the columns."""
    try:
        with open(name, encoding="utf-8-sig", newline="") as file:
            reader = csv.DictReader(file)
            if missing := set(columns.split()) - set(reader.fieldnames or ()):
                sys.exit(f"{name}: no column {', '.join(sorted(missing))}")
            return [{key: value or "" for key, value in row.items() if key} for row in reader]
    except (OSError, UnicodeDecodeError) as error:
        sys.exit(f"{name}: {error}")


def write(path, table):
    with open(path, "w", encoding="utf-8", newline="") as file:
        out = csv.DictWriter(file, list(table[0]))
        out.writeheader()
        out.writerows(table)


@contextlib.contextmanager
def copied():
    """A copy of the folder, to work in."""
    with tempfile.TemporaryDirectory() as place:
        shutil.copytree(".", f"{place}/copy", ignore=shutil.ignore_patterns(".git", ".venv"))
        before = os.getcwd()
        os.chdir(f"{place}/copy")
        try:
            yield
        finally:
            os.chdir(before)


def run(command, offline=False):
    """Whether a command ends well; without a network where the machine can take it away."""
    if offline and subprocess.run(["unshare", "-rn", "true"], capture_output=True, check=False).returncode == 0:
        command = ["unshare", "-rn", "bash", "-c", command]
    return subprocess.run(command, shell=isinstance(command, str), capture_output=True, check=False).returncode == 0


def put(row, body, status="200"):
    """Another body, or another answer, in place of a saved page, in fetch.csv and in its file."""
    Path(row["file"]).write_bytes(body)
    row |= {"status": status, "bytes": str(len(body)), "sha256": hashlib.sha256(body).hexdigest()}


def last(fetched):
    """The last answer of each address."""
    return {row["address"]: row for row in fetched}


def allowed(robots, agent, path):
    """Whether a robots.txt lets an agent have a path, by RFC 9309: the longest rule that fits decides."""
    groups, names, fresh = {}, [], False
    for line in robots.splitlines():
        key, _, value = line.split("#")[0].partition(":")
        key, value = key.strip().lower(), value.strip()
        if key == "user-agent":
            names, fresh = [*(names if fresh else ()), value.lower()], True
            groups.setdefault(value.lower(), [])
        elif key in ("allow", "disallow"):
            fresh = False
            for name in names:
                groups[name].append((value, key == "allow"))
    mine = groups.get(agent.lower(), groups.get("*", []))
    fitting = [
        (len(rule), yes)
        for rule, yes in mine
        if rule and re.match(re.escape(rule).replace(r"\*", ".*").replace(r"\$", "$"), path)
    ]
    return max(fitting, default=(0, True))[1]


def end(wrong, good):
    """Say what is wrong, at most twenty of it, and end; the last line says how it went."""
    wrong = list(dict.fromkeys(wrong))
    print("\n".join([*wrong[:20], f"wrong: {len(wrong)}"]) if wrong else good)
    sys.exit(1 if wrong else 0)
