"""Step 6: with any one of the repairs taken back the clean build fails, with the message of its row.

    check-6.py REPO FAILING HEAD --build COMMAND --rows errors.csv [--tool COMMAND] [--env NAME=VALUE]

errors.csv has the columns message, file and commit, a row for each commit from FAILING to HEAD. A cause is FAILING's own: its
file is there already, and what stands before its message quotes no line that a repair brought. --tool: the builder itself, where the
build command hides its output. Each build is in a fresh clone, with HOME (empty), PATH, CI=1 and --env alone; HEAD is also
built without CI=1, since a repair that asks for the server is none.
"""

import argparse
import csv
import re
import subprocess
import sys

from clean import clone, git, ran


def left_out(told, commit):
    """The exit code of the build without one commit, and what the builder itself prints."""
    with clone(told.repo, told.head) as tree:
        try:
            git(tree, "revert", "-n", commit)
        except subprocess.CalledProcessError:
            return None, ""
        code, said = ran(told.build, tree, told.env)
        return code, ran(told.tool, tree, told.env)[1] if told.tool else said


def brought(told, row, said):
    """Signs that a repair is of what another repair brought."""
    file = re.sub(r"(:\d+)+$", "", row["file"].strip())
    if file not in git(told.repo, "ls-tree", "-r", "--name-only", told.failing).splitlines():
        yield f"{row['message']!r} arises in {file}, which {told.failing} has not: it is no cause of the failure"
    diff = git(told.repo, "diff", "-U0", told.failing, told.head)
    new = {line[1:].strip() for line in diff.splitlines() if line.startswith("+") and len(line.strip()) > 12}
    lines = said.splitlines()
    first = next((n for n, line in enumerate(lines) if row["message"] in line), 0)
    for line in [line.strip() for line in lines[max(0, first - 3) : first]]:
        if line in new:
            yield f"{row['message']!r} comes of {line!r}, which a repair brought: it is no cause of the failure"


def problems(told):
    for ref, wanted, server in ((told.failing, False, True), (told.head, True, True), (told.head, True, False)):
        with clone(told.repo, ref) as tree:
            code, said = ran(told.build, tree, told.env, server)
        if (code == 0) != wanted:
            yield f"the clean build of {ref} exits {code} with{'' if server else 'out'} CI=1: {said.strip()[-160:]!r}"
    with open(told.rows, newline="") as file:
        rows = [{**row, "commit": git(told.repo, "rev-parse", f"{row['commit']}^{{commit}}").strip()} for row in csv.DictReader(file)]
    commits = git(told.repo, "rev-list", f"{told.failing}..{told.head}").split()
    if sorted(row["commit"] for row in rows) != sorted(commits):
        yield f"{told.rows} has {len(rows)} rows for {len(set(row['commit'] for row in rows))} commits; there are {len(commits)}: one a cause"
    found = {commit: left_out(told, commit) for commit in commits}
    for commit, (code, _) in found.items():
        if code is None:
            yield f"{commit[:9]} cannot be taken back by itself"
        elif code == 0:
            yield f"without {commit[:9]} the build stays green: take this commit out"
    for row in rows:
        if not row["message"].strip() or row["message"] not in found.get(row["commit"], (0, ""))[1]:
            yield f"without {row['commit'][:9]} the builder does not print {row['message']!r}"
        yield from brought(told, row, found.get(row["commit"], (0, ""))[1])
        if any(row["message"] in said for commit, (_, said) in found.items() if commit != row["commit"]):
            yield f"{row['message']!r} is printed without another commit, too: it tells no cause from another"


def main():
    parser = argparse.ArgumentParser()
    for name in ("repo", "failing", "head"):
        parser.add_argument(name)
    for name in ("build", "rows"):
        parser.add_argument(f"--{name}", required=True)
    parser.add_argument("--tool")
    parser.add_argument("--env", action="append", default=[])
    try:
        wrong = list(problems(parser.parse_args()))
    except (subprocess.CalledProcessError, OSError, KeyError) as error:
        wrong = [f"could not: {error} {getattr(error, 'stderr', '')}"]
    print("\n".join(wrong) or "each repair is needed, and each has a message of its own")
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main())
