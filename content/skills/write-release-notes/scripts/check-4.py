"""Step 4: each fix mends what the previous release had, and what is left out as never released was not there.

    check-4.py PREV --heading Fixes

fault in changes.csv: `path: line`, a line that the change removes. Under the heading it stands at PREV; in a row whose
reason says `never released` it does not.
"""

import argparse
import sys

import release


def fault_problems(row, prev, listed):
    name, (path, _, line) = release.row_name(row), row["fault"].partition(":")
    removed = {
        one[1:].strip()
        for commit in row["commits"].split()
        for one in release.git("show", "--format=", commit).splitlines()
        if one[:1] == "-"
    }
    before = {one.strip() for one in release.git("show", f"{prev}:{path.strip()}").splitlines()}
    line = line.strip()
    if len(line) < 4 or line not in removed:
        yield f"{name}: {line!r} is no line that this change removes"
    elif listed and line not in before:
        yield f"{name}: {line!r} is not in {prev}: no user of it had this fault"
    elif not listed and line in before:
        yield f"{name}: {line!r} is in {prev}, so users had this fault"


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("prev")
    parser.add_argument("--heading", default="Fixes")
    told = parser.parse_args()
    rows, wrong = {release.row_name(row): row for row in release.table("changes.csv")}, []
    fixes = {
        name
        for heading, _, numbers in release.entries()
        if heading == told.heading
        for name in release.names_of(numbers)
    }
    for name in sorted(fixes):
        wrong += (
            fault_problems(rows[name], told.prev, True) if name in rows else [f"{name} is in no line of changes.csv"]
        )
    for name, row in rows.items():
        if "never released" in row["reason"]:
            wrong += fault_problems(row, told.prev, False)
        elif row["title"].lower().startswith("fix") and name not in fixes and row["visible"].strip().lower() != "yes":
            wrong.append(f"{name} calls itself a fix and is left out; show that its fault was never released")
    print("\n".join(wrong) or f"{len(fixes)} fixes, each of a fault that was released")
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main())
