"""Step 6: the plan has each file once, no two destinations are one on another disk, and partners stay together.

    check-6.py plan.tsv before.sha256 --source SOURCE [--sum 5933b597c775]

plan.tsv: path, sha256, destination, with tabs; of equal files one has a destination, and those of the rest are empty.
`--sum` is the beginning of `sha256sum before.sha256`, noted when you made that list.
"""

import argparse
import collections
import hashlib
import sys
from pathlib import Path, PurePosixPath

import plans


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("plan")
    parser.add_argument("before")
    parser.add_argument("--source", required=True)
    parser.add_argument("--sum", default="")
    told = parser.parse_args()
    if not hashlib.sha256(Path(told.before).read_bytes()).hexdigest().startswith(told.sum):
        print(f"{told.before} is not the list that you made")
        return 1
    before = plans.listed(told.before, told.source)
    rows = plans.table(told.plan, ["path", "sha256", "destination"])
    planned = collections.Counter(row["path"] for row in rows)
    wrong = [f"not in the plan: {path}" for path in before if path not in planned]
    wrong += [f"in the plan {times} times: {path}" for path, times in planned.items() if times > 1]
    wrong += [f"another hash than before: {row['path']}" for row in rows if before.get(row["path"]) != row["sha256"]]
    goes = [row for row in rows if row["destination"]]
    for row in goes:
        parts = PurePosixPath(row["destination"])
        if parts.is_absolute() or ".." in parts.parts:
            wrong.append(f"outside of the target: {row['destination']}")
    same = collections.Counter(plans.fold(row["destination"]) for row in goes)
    wrong += [f"{times} files go to {name}" for name, times in same.items() if times > 1]
    copies = collections.Counter(row["sha256"] for row in goes)
    wrong += [f"{copies[known]} copies of {path}" for path, known in before.items() if copies[known] != 1]
    clusters = collections.defaultdict(set)  # copies that have one name up to the ending
    for row in goes:
        clusters[str(PurePosixPath(row["destination"]).parent), plans.fold(plans.stem(row["destination"]))].add(row["sha256"])
    cluster = {known: place for place, inside in clusters.items() for known in inside}
    belongs = collections.defaultdict(set)  # groups of originals that have this content
    for number, members in enumerate(plans.groups(before)):
        places = {cluster.get(before[path]) for path in members} - {None}
        if len(places) > 1:
            wrong.append(f"partners go apart: {', '.join(members)}")
        for path in members:
            belongs[before[path]].add(number)
    for (folder, name), inside in clusters.items():
        if not set.intersection(*(belongs[known] for known in inside)):
            wrong.append(f"strangers look like partners: {folder}/{name}")
    print("\n".join(wrong) or f"{len(rows)} files have their place, {len(goes)} are copied")
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main())
