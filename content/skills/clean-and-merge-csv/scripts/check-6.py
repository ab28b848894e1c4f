"""Step 6: every record stands in exactly one file of out/, and a key that is there twice stops the script.

    check-6.py --run 'python3 merge.py' --records a.csv=604 --reject 'a.csv:Customer=TEST' --lookup customers.csv:id

Compares ids (source_file, source_row), not counts; --records is what the sender says, --lookup a table that rows are
joined to. A rejected record has a reason, and is of a kind that its owner calls no record: --reject, a column and a
pattern that fits the whole text. A duplicate must equal the record that `copy_of` names, field by field; of equal ones
one is kept (--repeats: a file whose owner says that they are different things).
"""

import argparse
import collections
import csv
import re
import shutil
import subprocess
import sys
import tempfile
from pathlib import Path

import tables


def doubled(run, folder, lookup):
    """The exit code when a key of the lookup is there twice, the second time with another text beside it."""
    name, column = lookup.split(":", 1)
    source = next(line for line in tables.read("sources.csv") if line["file"] == name)
    with tempfile.TemporaryDirectory() as place:
        tree = Path(place, "tree")
        shutil.copytree(".", tree, symlinks=True, ignore=shutil.ignore_patterns(".git", "node_modules", ".venv"))
        path = tree / folder / name
        for inner in (tree, *tree.rglob("*")):
            if not inner.is_symlink():
                inner.chmod(inner.stat().st_mode | 0o200)
        header, rows = tables.records(tree / folder, source)
        first = next(row for row in rows if row[column].strip())
        again = [first[name] if name == column else first[name] + "x" for name in header]
        text = path.read_bytes().decode(source["encoding"]).rstrip("\n")
        with open(path, "w", encoding=source["encoding"], newline="") as file:
            file.write(text + "\n")
            delimiter = source["delimiter"].replace("tab", "\t").replace("\\t", "\t")
            csv.writer(file, delimiter=delimiter, lineterminator="\n").writerow(again)
        (tree / "raw.sha256").unlink(missing_ok=True)
        return subprocess.run(run, shell=True, cwd=tree, capture_output=True).returncode


def unsigned(files, kinds):
    """Records that are rejected though nobody called their kind no record, and the other way round."""
    gone = {(row["source_file"], row["source_row"]): row for row in tables.output("out", "rejected.csv")}
    for name, (_, records) in files.items():
        mine = [kind.split(":", 1)[1].split("=", 1) for kind in kinds if kind.split(":")[0] == name]
        for number, record in enumerate(records, 1):
            fits = any(re.fullmatch(pattern, record[column].strip()) for column, pattern in mine)
            row = gone.get((name, str(number)))
            if fits and not row:
                yield f"{name}:{number} is no record, as its owner says, and is not rejected"
            elif row and not row.get("reason", "").strip():
                yield f"{name}:{number} is rejected without a reason"
            elif row and not fits:
                yield f"{name}:{number} is rejected ({row['reason']}), and nobody said that such records are none: ask"


def twice(files, told):
    """Records that are kept although an equal one is."""
    places = [(row["source_file"], row["source_row"]) for row in tables.output("out", "merged.csv", "unmatched*.csv")]
    seen = {}
    for name, number in places:
        if name in files and name not in told.repeats and number.isdigit() and 0 < int(number) <= len(files[name][1]):
            first = seen.setdefault((name, *files[name][1][int(number) - 1].values()), number)
            if first != number:
                yield f"{name}:{number} equals {first} in every field, and both are kept"


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--run", required=True)
    parser.add_argument("--raw", default="data/raw")
    for name in ("records", "lookup", "reject", "repeats"):
        parser.add_argument(f"--{name}", action="append", default=[])
    told = parser.parse_args()
    files, wrong = tables.raw_files(told.raw), []
    lookups = {lookup.split(":")[0] for lookup in told.lookup}
    for stated in told.records:
        name, count = stated.rsplit("=", 1)
        if len(files[name][1]) != int(count):
            wrong.append(f"{name} is read as {len(files[name][1])} records, and the sender says {count}")
    wanted = {(name, str(number)) for name in set(files) - lookups for number in range(1, len(files[name][1]) + 1)}
    rows = [row for row in tables.output("out", "*.csv") if row.get("source_row") is not None]
    seen = collections.Counter((row["source_file"], row["source_row"]) for row in rows)
    wrong += [f"{name}:{number} is in no file of out/" for name, number in sorted(wanted - set(seen))[:20]]
    wrong += [f"{name}:{number} is no record" for name, number in sorted(set(seen) - wanted)[:20]]
    wrong += [f"{name}:{number} is there {times} times" for (name, number), times in seen.items() if times > 1][:20]
    wrong += [*unsigned(files, told.reject)][:20] + [*twice(files, told)][:20]
    dropped = {(row["source_file"], row["source_row"]) for row in tables.output("out", "duplicates.csv")}
    for row in tables.output("out", "duplicates.csv"):
        name, one, other = row["source_file"], row["source_row"], row.get("copy_of") or "0"
        if name not in files or not (one.isdigit() and other.isdigit() and 0 < int(other) <= len(files[name][1])):
            wrong.append(f"{name}:{one} is a copy of no record")
        elif (name, other) in dropped or files[name][1][int(one) - 1] != files[name][1][int(other) - 1]:
            wrong.append(f"{name}:{one} is dropped as a copy of {other}, and does not equal it or that is dropped too")
    for lookup in told.lookup:
        if doubled(told.run, told.raw, lookup) == 0:
            wrong.append(f"{lookup}: with a key there twice the script ends well; join with validate='many_to_one'")
    print("\n".join(wrong) or f"{len(wanted)} records, each in one file")
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main())
