"""Tables of a clean-up, and who belongs together in them: for check-4.py, check-5.py and check-6.py."""

import csv
import io
import re
import subprocess
import sys
from pathlib import Path

FIELDS = ("id", "created", "consent", "owner")  # columns of before.csv that hold no children


def rows(name, columns=""):
    """A table of a file, each value without white space at its ends; it ends the check where there is none with the columns."""
    try:
        return read(Path(name).read_text(encoding="utf-8-sig"), name, columns)
    except (OSError, UnicodeDecodeError) as error:
        sys.exit(f"{name}: {error}")


def printed(command):
    """What a command prints."""
    said = subprocess.run(command, shell=True, capture_output=True, text=True)
    if said.returncode:
        sys.exit(f"{command}: exit code {said.returncode}, {said.stderr.strip()[-200:]}")
    return said.stdout


def asked(command, columns=""):
    """The table that a command prints."""
    return read(printed(command), command, columns)


def read(text, name, columns):
    reader = csv.DictReader(io.StringIO(text, newline=""))
    if missing := set(columns.split()) - set(reader.fieldnames or ()):
        sys.exit(f"{name}: no column {', '.join(sorted(missing))}")
    return [{key: (value or "").strip() for key, value in row.items() if key} for row in reader]


def ids(text):
    """Ids that stand together in one field."""
    return re.findall(r"[^\s,;|]+", text)


def groups(pairs):
    """Each id with all that hang together with it by pairs, itself among them."""
    group = {}
    for a, b in pairs:
        union = group.get(a, {a}) | group.get(b, {b})
        group.update(dict.fromkeys(union, union))
    return group


def end(wrong, good):
    """Say what is wrong, at most twenty of it, and end; the last line says how it went."""
    wrong = list(dict.fromkeys(wrong))
    print("\n".join([*wrong[:20], f"wrong: {len(wrong)}"]) if wrong else good)
    sys.exit(1 if wrong else 0)
