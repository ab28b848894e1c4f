"""Step 5: keys of the raw files, of the table and of the outside list, in both directions, by name and not by count.

    check-5.py --raw 'jq -r ".items[].id" raw/today/stations-*.json' --table 'sqlite3 flood.db "SELECT id FROM stations"'
        [--rejects 'sqlite3 flood.db "SELECT key FROM rejects"'] [--outside outside.csv:id --absent type=manual]
        [--sum 0123456789ab]

The commands print one key a line; in the table and among the rejects each may stand once. What only the outside list
has must be its rows with this value in this column, and no others. `--sum` is the beginning of the sha256 of the list as
you got it.
"""

import argparse
import collections
import csv
import hashlib
import subprocess
import sys
from pathlib import Path


def printed(command):
    done = subprocess.run(command, shell=True, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, text=True)
    if done.returncode:
        sys.exit(f"ended with {done.returncode}: {command}")
    return collections.Counter(done.stdout.splitlines())


def named(keys):
    some = sorted(keys)
    return f"{len(some)} keys, such as {', '.join(some[:3])}"


def main():
    parser = argparse.ArgumentParser()
    for name in ("raw", "table"):
        parser.add_argument(f"--{name}", required=True)
    for name in ("rejects", "outside", "absent", "sum"):
        parser.add_argument(f"--{name}", default="")
    told, wrong = parser.parse_args(), []
    raw, table = printed(told.raw), printed(told.table)
    rejects = printed(told.rejects) if told.rejects else collections.Counter()
    if not raw:
        wrong.append("no raw keys at all")
    for place, keys in (("the table", table), ("the rejects", rejects)):
        twice = {key for key, times in keys.items() if times > 1}
        wrong += [f"more than once in {place}: {named(twice)}"] if twice else []
    for what, keys in (
        ("in the raw files alone", set(raw) - set(table) - set(rejects)),
        ("in the table alone", set(table) - set(raw)),
        ("loaded and rejected", set(table) & set(rejects)),
    ):
        wrong += [f"{what}: {named(keys)}"] if keys else []
    if told.outside:
        path, _, column = told.outside.rpartition(":")
        if not hashlib.sha256(Path(path).read_bytes()).hexdigest().startswith(told.sum):
            wrong.append(f"{path} is not the list that you got")
        with open(path, encoding="utf-8-sig", newline="") as file:
            theirs = {row[column]: row for row in csv.DictReader(file)}
        name, _, value = told.absent.partition("=")
        explained = {key for key, row in theirs.items() if name and row.get(name) == value}
        missing, extra = set(theirs) - set(table) - explained, set(table) - set(theirs)
        wrong += [f"on the outside list alone: {named(missing)}"] if missing else []
        wrong += [f"not on the outside list: {named(extra)}"] if extra else []
        there = explained & set(table)
        wrong += [f"said to be absent and loaded: {named(there)}"] if there else []
    print("\n".join(wrong) or f"{len(raw)} raw keys: {len(table)} loaded, {len(rejects)} rejected")
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main())
