"""Step 7: each content of the source lies in the target once, as a copy of its own, and the source is as it was.

    check-7.py before.sha256 --source SOURCE --target TARGET [--duplicates duplicates.tsv] [--sum 5933b597c775]
        [--plan plan.tsv] [--again 'bash copy.sh {plan} SOURCE {target}']

`--sum` is the beginning of `sha256sum before.sha256`, noted when you made that list: a list made afterwards agrees with
whatever is left. `--again` runs the copying once more, and nothing in source or target may be written by it. Then it
runs for one file into a folder of its own, where other bytes of the same size and time have the name: it has to leave
them, and to end with an error. duplicates.tsv: path and copy_of, with tabs.
"""

import argparse
import collections
import csv
import hashlib
import os
import shlex
import subprocess
import sys
import tempfile
from pathlib import Path

import plans


def hashed(path):
    with open(path, "rb") as file:
        whole = hashlib.sha256()
        while part := file.read(1 << 20):
            whole.update(part)
        return whole.hexdigest()


def state(*folders):
    """What shows that a file was written or replaced: ctime cannot be set."""
    found = {}
    for folder in folders:
        for place, _, names in os.walk(folder):
            for name in names:
                about = os.lstat(os.path.join(place, name))
                found[os.path.join(place, name)] = (about.st_ino, about.st_size, about.st_ctime_ns)
    return found


def taken(command, plan, source):
    """What is wrong with a copying that finds other bytes, as many and as old, where a copy should go."""
    rows = [row for row in plans.table(plan, ["path", "destination"]) if row["destination"]]
    row = min((row for row in rows if (source / row["path"]).stat().st_size), key=lambda row: (source / row["path"]).stat().st_size)
    old = source / row["path"]
    with tempfile.TemporaryDirectory() as folder:
        new = Path(folder, "target", row["destination"])
        new.parent.mkdir(parents=True)
        other = bytes(byte ^ 1 for byte in old.read_bytes())
        new.write_bytes(other)
        os.utime(new, ns=(old.stat().st_atime_ns, old.stat().st_mtime_ns))
        with open(Path(folder, "plan.tsv"), "w", encoding="utf-8", newline="") as file:
            table = csv.DictWriter(file, list(row), delimiter="\t", lineterminator="\n")
            table.writeheader()
            table.writerow(row)
        code = ran(command, Path(folder, "plan.tsv"), Path(folder, "target"))
        if not new.is_file() or new.read_bytes() != other:
            yield f"copied over other bytes that had the name: {row['destination']}"
        if code == 0:
            yield f"{row['destination']} was taken by other bytes of its size, and the copying ended with 0"


def ran(command, plan, target):
    told = command.replace("{plan}", shlex.quote(str(plan))).replace("{target}", shlex.quote(str(target)))
    return subprocess.run(told, shell=True, stdout=subprocess.DEVNULL).returncode


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("before")
    parser.add_argument("--source", required=True)
    parser.add_argument("--target", required=True)
    for name, value in (("duplicates", "duplicates.tsv"), ("plan", "plan.tsv"), ("sum", ""), ("again", "")):
        parser.add_argument(f"--{name}", default=value)
    told = parser.parse_args()
    if not hashlib.sha256(Path(told.before).read_bytes()).hexdigest().startswith(told.sum):
        print(f"{told.before} is not the list that you made")
        return 1
    before, wrong = plans.listed(told.before, told.source), []
    source, target = Path(told.source).resolve(), Path(told.target).resolve()
    if source in (target, *target.parents) or target in source.parents:
        wrong.append("one of source and target lies in the other")
    if told.again:
        was = state(source, target)
        code = ran(told.again, told.plan, target)
        wrong += [f"the second run ended with {code}"] if code else []
        now = state(source, target)
        wrong += [f"the second run wrote {path}" for path in {*was, *now} if was.get(path) != now.get(path)]
        wrong += taken(told.again, told.plan, source)
    here = {str(path.relative_to(source)) for path in source.rglob("*") if path.is_symlink() or not path.is_dir()}
    wrong += [f"gone from the source: {path}" for path in before if path not in here]
    wrong += [f"new in the source: {path}" for path in here if path not in before]
    wrong += [f"changed in the source: {path}" for path in here if path in before and hashed(source / path) != before[path]]
    times, inodes = collections.defaultdict(set), set()
    for path in here:
        about = (source / path).lstat()
        times[before.get(path)].add(int(about.st_mtime))
        inodes.add((about.st_dev, about.st_ino))
    copies = collections.Counter()
    for path in (path for path in target.rglob("*") if path.is_symlink() or not path.is_dir()):
        about = path.lstat()
        if path.is_symlink() or (about.st_dev, about.st_ino) in inodes:
            wrong.append(f"a link, no copy: {path}")
            continue
        known = hashed(path)
        copies[known] += 1
        if known not in times:
            wrong.append(f"no original has this content: {path}")
        elif not any(abs(int(about.st_mtime) - time) <= 2 for time in times[known]):
            wrong.append(f"another time than its original: {path}")
    wrong += [f"{copies[known]} copies of {path}" for path, known in before.items() if copies[known] != 1]
    alike = collections.Counter(before.values())
    spare = plans.table(told.duplicates, ["path", "copy_of"]) if len(alike) < len(before) else []
    for row in spare:
        if row["path"] == row["copy_of"] or before.get(row["path"], "?") != before.get(row["copy_of"]):
            wrong.append(f"no duplicate: {row['path']} of {row['copy_of']}")
    told_of = collections.Counter(before.get(path) for path in {row["path"] for row in spare})
    wrong += [f"duplicates of {known[:12]} are not listed" for known, count in alike.items() if told_of[known] < count - 1]
    print("\n".join(wrong) or f"{len(before)} files, {len(copies)} contents: each is in the target once")
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main())
