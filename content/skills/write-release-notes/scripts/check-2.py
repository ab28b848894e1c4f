"""Step 2: each commit of the range belongs to one line of changes.csv, and no change that shows is called invisible.

    check-2.py PREV TARGET --surface 'python3 tool.py --defaults' [--must 27] [--try 'python3 tool.py size 2K']

changes.csv: number,commits,visible,breaks,reason,source,fault; commits as full hashes. --surface prints what is public, a
name and its value a line; --must is a number that you know users have to read of; --try is what users do, once for each:
where it ends or prints otherwise than before, a visible change did it. Report a --try that you change after a red answer.
PREV and TARGET as hashes: tags can be moved.
"""

import argparse
import collections
import re
import sys

import release


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("prev")
    parser.add_argument("target")
    parser.add_argument("--surface", required=True)
    parser.add_argument("--must", action="append", default=[])
    parser.add_argument("--try", action="append", default=[], dest="tries")
    told = parser.parse_args()
    rows, wrong = release.table("changes.csv"), []
    hashes = release.git("rev-list", f"{told.prev}..{told.target}").split()
    listed = collections.Counter(commit for row in rows for commit in row["commits"].split())
    wrong += [f"{commit[:7]} is in no line" for commit in hashes if commit not in listed]
    wrong += [f"{commit[:7]} is listed {times} times" for commit, times in listed.items() if times > 1]
    wrong += [f"{commit[:7]} is not in the range" for commit in listed if commit not in hashes]
    home = {commit: row for row in rows for commit in row["commits"].split()}
    if not hashes or wrong:
        print("\n".join(wrong) or "the range is empty")
        return 1
    undone = set()
    for commit in hashes:
        message, number = release.git("log", "-1", "--format=%B", commit), home[commit]["number"].strip().lstrip("#")
        own = re.search(r"\(#(\d+)\)$|^Merge pull request #(\d+)", message.splitlines()[0])
        merged = [
            one
            for one in hashes
            if release.git("log", "-1", "--format=%P", one).split()[1:] and home[one] is home[commit]
        ]
        if own and (own[1] or own[2]) != number or (number and not own and not merged):
            wrong.append(f"{commit[:7]} ({message.splitlines()[0]}) stands under {number or 'no number'}")
        for back in re.findall(r"This reverts commit ([0-9a-f]{40})", message):
            if back in home:
                undone |= {release.row_name(home[back]), release.row_name(home[commit])}
    for row in rows:
        name, shown = release.row_name(row), row["visible"].strip().lower() == "yes"
        if name in undone and shown:
            wrong.append(f"{name} was reverted within the range, or is the revert: users never meet it")
        if not shown and len(row["reason"].split()) < 2:
            wrong.append(f"{name} is left out without a reason")
        changes = any(
            release.surface(release.parent(one), told.surface) != release.surface(one, told.surface)
            for one in row["commits"].split()
        )
        if not shown and name not in undone and (changes or name in told.must):
            wrong.append(f"{name} is called invisible, and changes what users see")
    for command in told.tries:
        before, after = (release.answer(end, command) for end in (told.prev, told.target))
        turns = [one for one in hashes if release.answer(release.parent(one), command) != release.answer(one, command)]
        if before != after and not any(home[one]["visible"].strip().lower() == "yes" for one in turns):
            names = ", ".join(sorted({release.row_name(home[one]) for one in turns}))
            wrong.append(f"`{command}` answers otherwise since {names}, which is called invisible")
    print("\n".join(wrong) or f"{len(hashes)} commits, 0 orphans")
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main())
