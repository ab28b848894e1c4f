# playbook-library trial canary 3f2c1f0e-8d57-4f7c-9a06-b1f0f6a6c9d2: not for training
"""The outcome: originals, copies and folders against a list of the grader's own; copy.sh on other files."""

import collections
import csv
import hashlib
import os
import shutil
import subprocess
import sys
from pathlib import Path


def failed(why):
    print(why)
    sys.exit(10)


def rows(name, *columns):
    try:
        if os.path.islink(name):
            failed(f"{name} is a link")
        with open(name, "rb") as file:
            text = file.read(200_000).decode()
    except (OSError, UnicodeDecodeError) as error:
        failed(f"{name}: {error}")
    found = list(csv.DictReader(text.splitlines(), delimiter="\t"))
    if not found or any(not isinstance(row.get(column), str) for row in found for column in columns):
        failed(f"{name} has not the columns {columns}")
    return found


def tree(folder):
    """Path to hash, time and identity of all that lies there and is no folder."""
    found = {}
    for place, folders, names in os.walk(folder):
        for name in [*names, *(inner for inner in folders if os.path.islink(os.path.join(place, inner)))]:
            path = os.path.join(place, name)
            if os.path.islink(path):
                failed(f"{path} is a link")
            about = os.stat(path)
            with open(path, "rb") as file:
                known = hashlib.sha256(file.read(1_000_000)).hexdigest()
            found[os.path.relpath(path, folder)] = (known, int(about.st_mtime), about.st_ino)
    return found


truth = {}
with open(os.path.join(os.environ["GRADER"], "truth.txt"), encoding="utf-8") as file:
    for line in file.read().splitlines()[1:]:
        known, time, folder, path = line.split("\t")
        truth[path] = (known, int(time), folder)

here = tree("camera")
if {path: entry[:2] for path, entry in here.items()} != {path: entry[:2] for path, entry in truth.items()}:
    failed("camera/ is not as it was")
there = tree("sorted")
if {entry[2] for entry in here.values()} & {entry[2] for entry in there.values()}:
    failed("a copy is the original itself")
copies = collections.Counter(entry[0] for entry in there.values())
if copies != collections.Counter({entry[0] for entry in truth.values()}):
    failed("not every content is there once")
folders = {known: folder for known, _, folder in truth.values()}
times = collections.defaultdict(set)
for known, time, _ in truth.values():
    times[known].add(time)
for path, (known, time, _) in there.items():
    if os.path.dirname(path) != folders[known]:
        failed(f"{path} belongs in {folders[known]}")
    if not any(abs(time - other) <= 2 for other in times[known]):
        failed(f"{path} has lost its time")
if len({path.lower() for path in there}) < len(there):
    failed("two names differ in capitals alone")


def stem(path):
    return os.path.splitext(path)[0].lower()


groups, lies = collections.defaultdict(set), {entry[0]: stem(path) for path, entry in there.items()}
for path, (known, _, _) in truth.items():
    groups[stem(f"{os.path.dirname(path)}/_{os.path.basename(path)}")].add(known)
for name, members in groups.items():
    if len({lies[known] for known in members}) > 1:
        failed(f"{name}: partners lie apart")
sets = collections.defaultdict(set)
for known, place in lies.items():
    sets[place].add(known)
for place, inside in sets.items():
    if not any(inside <= members for members in groups.values()):
        failed(f"{place}: strangers share a name")

if {(row["path"], row["sha256"], row["size"]) for row in rows("before.tsv", "sha256", "size", "modified", "path")} != {
    (path, entry[0], str(os.stat(os.path.join("camera", path)).st_size)) for path, entry in truth.items()
}:
    failed("before.tsv is not the list of camera/")
plan = rows("plan.tsv", "path", "sha256", "destination", "reason")
if sorted(row["path"] for row in plan) != sorted(truth):
    failed("plan.tsv has not each path once")
if {row["destination"]: truth[row["path"]][0] for row in plan if row["destination"]} != {path: entry[0] for path, entry in there.items()}:
    failed("plan.tsv is not what was copied")
twins = rows("duplicates.tsv", "path", "copy_of")
if sorted(row["path"] for row in twins) != sorted(row["path"] for row in plan if not row["destination"]):
    failed("duplicates.tsv and plan.tsv differ")
planned = {row["path"]: row["destination"] for row in plan}
for row in twins:
    if truth.get(row["copy_of"], [""])[0] != truth[row["path"]][0] or not planned[row["copy_of"]]:
        failed(f"{row['path']} is no duplicate of {row['copy_of']}")
if len(rows("copy.log")) < len(there) - 1:
    failed("copy.log is too short")

other = Path("another disk")
shutil.rmtree(other, ignore_errors=True)
for name, text in (("from/a b.jpg", "one"), ("from/-c.jpg", "two"), ("from/d/e.jpg", "three"), ("from/d/f.jpg", "two"), ("to/x/a b.jpg", "uno")):
    (other / name).parent.mkdir(parents=True, exist_ok=True)
    (other / name).write_text(text)
    os.utime(other / name, (1500000000, 1500000000))
lines = ["a b.jpg\t\tx/a b.jpg\tmetadata", "-c.jpg\t\ty/-c.jpg\tname", "d/f.jpg\t\t\tname", "d/e.jpg\t\ty/z/e-2.jpg\timage"]
for number, line in enumerate(lines):
    path = other / "from" / line.split("\t")[0]
    lines[number] = line.replace("\t\t", f"\t{hashlib.sha256(path.read_bytes()).hexdigest()}\t", 1)
(other / "plan.tsv").write_text("path\tsha256\tdestination\treason\n" + "\n".join(lines) + "\n")
(other / "good.tsv").write_text("path\tsha256\tdestination\treason\n" + "\n".join(lines[1:]) + "\n")
for place in (other, *other.rglob("*")):
    place.chmod(0o777 if place.is_dir() else 0o666)


def copied(name):
    command = f"bash copy.sh 'another disk/{name}' 'another disk/from' 'another disk/to'"
    return subprocess.run([os.environ["CHILD"], command], stdout=subprocess.DEVNULL).returncode


origin = tree(other / "from")
code = copied("plan.tsv")
after = tree(other / "to")
hashes = {path: entry[0] for path, entry in after.items()}
if code in (0, 124) or hashes.get("x/a b.jpg") != hashlib.sha256(b"uno").hexdigest():
    failed("copy.sh writes over what is there, or says nothing")
if copied("good.tsv") or tree(other / "from") != origin:
    failed("copy.sh fails on a good plan, or changes the source")
after = tree(other / "to")
wanted = {"x/a b.jpg": b"uno", "y/-c.jpg": b"two", "y/z/e-2.jpg": b"three"}
if {path: entry[:2] for path, entry in after.items()} != {path: (hashlib.sha256(text).hexdigest(), 1500000000) for path, text in wanted.items()}:
    failed("copy.sh does not copy what the plan says")
marks = {path: (other / "to" / path).stat().st_ctime_ns for path in after}
if copied("good.tsv") or {path: (other / "to" / path).stat().st_ctime_ns for path in tree(other / "to")} != marks:
    failed("a second run copies again")
print("each original is as it was, and has its copy")
