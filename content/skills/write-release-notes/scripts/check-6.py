"""Steps 6 and 7: each visible change is in the notes once, nothing else is, and people are named by their accounts.

    check-6.py PREV TARGET --pulls pulls.json [--people 'New contributors']

pulls.json: [{"number": 12, "login": "name"}], as the host gives it (`gh pr list --json number,author`, made flat).
Entries hold no file, no function and no name that is defined in the code.
"""

import argparse
import collections
import json
import re
import sys
from pathlib import Path

import release


def main():
    parser = argparse.ArgumentParser()
    for name in ("prev", "target"):
        parser.add_argument(name)
    parser.add_argument("--pulls", required=True)
    parser.add_argument("--people", default="New contributors")
    told = parser.parse_args()
    rows, entries, wrong = release.table("changes.csv"), release.entries(), []
    logins = {str(pull["number"]): pull["login"] for pull in json.loads(Path(told.pulls).read_text())}
    told_of = collections.Counter(
        name for heading, _, numbers in entries if heading != told.people for name in release.names_of(numbers)
    )
    for row in rows:
        name, wanted = release.row_name(row), int(row["visible"].strip().lower() == "yes")
        if told_of.pop(name, 0) != wanted:
            wrong.append(f"{name} is {'visible' if wanted else 'left out'} in changes.csv, and is not so in the notes")
    wrong += [f"{name} is in the notes, and in no line of changes.csv" for name in told_of]
    for heading, text, numbers in entries:
        if not numbers:
            wrong.append(f"an entry without a number: {text[:60]}")
        if inner := re.findall(r"\w+\(\)|\bsrc/\S+|\b[\w/]+\.(?:py|js|ts|go|rs|java|rb|toml|yaml|yml)\b", text):
            wrong.append(f"{inner[0]} is nothing that a user knows: {text[:60]}")
    before = set(release.git("log", "--format=%aN", told.prev).splitlines())
    new = {}
    for row in rows:
        authors = {
            who
            for one in row["commits"].split()
            for who in release.git("log", "-1", "--no-merges", "--format=%aN", one).splitlines()
        }
        login = logins.get(row["number"].strip().lstrip("#"))
        if login and authors and not authors & before:
            new.setdefault(login, set()).add(row["number"].strip().lstrip("#"))
    credited = {}
    for heading, text, numbers in entries:
        for login in re.findall(r"(?<![\w/])@([\w-]+(?:\[bot\])?)", text):
            if heading == told.people:
                credited[login] = set(release.names_of(numbers))
            elif login not in {logins.get(name) for name in release.names_of(numbers)}:
                wrong.append(f"@{login} is not the author of {text[:60]}")
    for login in sorted({*new, *credited}):
        if login not in new or not credited.get(login, set()) & new[login] or not credited[login] <= new[login]:
            wrong.append(
                f"@{login} is {'new with ' + ', '.join(sorted(new[login])) if login in new else 'not new'}; the notes say otherwise"
            )
    print("\n".join(wrong) or f"{len(entries)} entries, each change once")
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main())
