"""Step 4: each fix mends what the previous release had, and what is left out as never released was not there.

    check-4.py PREV --heading Fixes

fault in changes.csv: `path: line`, a line that the change removes. Under the heading it stands at PREV, or an earlier form
of it does (`git log -L`); in a row whose reason says `never released` it does not. Blanks do not count: a formatter moves
them.
"""

import argparse
import re
import sys

import release


def tight(line):
    return "".join(line.split())


def removed_by(difference):
    return {tight(line[1:]) for line in difference.splitlines() if line[:1] == "-"}


def earlier_forms(commit, path, prev):
    """What the lines that a commit removes replaced before, since PREV."""
    hunks = re.findall(r"(?m)^@@ -(\d+)(?:,(\d+))? ", release.git("show", "-U0", "--format=", commit, "--", path))
    for start, count in hunks:
        if count != "0":
            lines = f"-L{start},{int(start) + int(count or 1) - 1}:{path}"
            yield from removed_by(release.git("log", "--format=", lines, f"{prev}..{commit}~1"))


def fault_problems(row, prev, listed):
    name, (path, _, line) = release.row_name(row), row["fault"].partition(":")
    commits, path, line = row["commits"].split(), path.strip(), tight(line)
    removed = set().union(*(removed_by(release.git("show", "--format=", commit)) for commit in commits))
    if listed:
        removed |= {form for commit in commits for form in earlier_forms(commit, path, prev)}
    before = {tight(one) for one in release.git("show", f"{prev}:{path}").splitlines()}
    if len(line) < 4 or line not in removed:
        yield f"{name}: {line!r} is no line that this change removes"
    elif listed and line not in before:
        yield f"{name}: {line!r} is not in {prev}: no user of it had this fault"
    elif not listed and line in before:
        yield f"{name}: {line!r} is in {prev}, so users had this fault"


def calls_itself_a_fix(row):
    titles = (release.git("log", "-1", "--format=%s", commit) for commit in row["commits"].split())
    return any(title.lower().startswith("fix") for title in titles)


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
        elif calls_itself_a_fix(row) and name not in fixes and row["visible"].strip().lower() != "yes":
            wrong.append(f"{name} calls itself a fix and is left out; show that its fault was never released")
    print("\n".join(wrong) or f"{len(fixes)} fixes, each of a fault that was released")
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main())
