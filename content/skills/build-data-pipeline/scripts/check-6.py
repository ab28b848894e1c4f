"""Step 6: each planted fault turns the test red that was meant for it, and leaves the table as it was.

    check-6.py raw/today --items items --load 'python3 load.py "$FOLDER" "$DB"' --before 'python3 load.py raw/yesterday "$DB"'
        --rows 'sqlite3 "$DB" "SELECT ..."' --unlike unique=stations-*.json:label --empty not_null=stations-*.json:id
        --unknown relationships=readings-*.json:station --without days=readings-*.json:at=2026-03-02
        --nothing shrunk=stations-*.json

A fault is TEST=FILES, then the field; `--items` is the path of the list in each file ("" where the file is the list).
`--unlike` doubles a record with another value of this field, `--empty` takes a field's value away, `--unknown` makes it one
that nobody knows, `--without` leaves out all records whose field begins so, `--nothing` all. A test is red where a line of
the output has its name and fail, error or red.
"""

import argparse
import copy
import json
import os
import re
import shutil
import subprocess
import sys
import tempfile
from pathlib import Path


def items(page, path):
    for part in filter(None, path.split(".")):
        page = page[part]
    return page


def change(folder, files, path, edit):
    """Edits the lists of these files; an edit that says True is enough for all of them."""
    touched = False
    for place in sorted(Path(folder).glob(files)):
        page = json.loads(place.read_text(encoding="utf-8"))
        done = edit(items(page, path))
        if done is not None:
            place.write_text(json.dumps(page), encoding="utf-8")
            touched = True
        if done:
            break
    return touched


def set_one(value):
    def edit(records, field):
        if len(records) > 1:
            records[len(records) // 2][field] = value
            return True
        return None

    return edit


def unlike(records, field):
    if not records:
        return None
    records.append({**copy.deepcopy(records[0]), field: f"{records[0].get(field)} (another)"})
    return True


def without(records, field):
    name, _, begin = field.partition("=")
    records[:] = [record for record in records if begin and not str(record.get(name)).startswith(begin)]
    return False


FAULTS = {"unlike": [unlike], "empty": [set_one(None), set_one("")], "unknown": [set_one("unheard-of")]}
FAULTS |= {"without": [without], "nothing": [without]}


def run(command, folder, base, **more):
    told = {**os.environ, "FOLDER": str(folder), "DB": str(base)}
    return subprocess.run(command, shell=True, env=told, stdin=subprocess.DEVNULL, text=True, **more)


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("raw")
    parser.add_argument("--items", default="")
    for name in ("load", "before", "rows"):
        parser.add_argument(f"--{name}", required=True)
    for name in FAULTS:
        parser.add_argument(f"--{name}", action="append", default=[])
    told, wrong = parser.parse_args(), []
    planted = [(kind, text, edit) for kind, edits in FAULTS.items() for text in getattr(told, kind) for edit in edits]
    tests = {text.partition("=")[0] for _, text, _ in planted}
    for kind, text, edit in [("none", "", None), *planted]:
        test, _, rest = text.partition("=")
        files, _, field = rest.partition(":")
        with tempfile.TemporaryDirectory() as place:
            folder, base = Path(place, "raw"), Path(place, "base.db")
            shutil.copytree(told.raw, folder)
            if edit and not change(folder, files, told.items, lambda records: edit(records, field)):
                wrong.append(f"no file for {text}")
                continue
            run(told.before, folder, base, stdout=subprocess.DEVNULL)
            was = run(told.rows, folder, base, stdout=subprocess.PIPE).stdout
            done = run(told.load, folder, base, stdout=subprocess.PIPE, stderr=subprocess.STDOUT)
            lines = [line for line in done.stdout.splitlines() if re.search(r"\b(fail\w*|errors?|red)\b", line, re.IGNORECASE)]
            red = {name for name in tests if any(re.search(rf"(?<!\w){re.escape(name)}(?!\w)", line) for line in lines)}
            if edit is None:
                wrong += [f"without a fault it ended with {done.returncode}, red: {sorted(red)}"] if done.returncode or red else []
                continue
            if test not in red:
                wrong.append(f"{test} is not red: --{kind} {text}")
            elif len(tests) > 1 and red == tests:
                wrong.append(f"all tests are red at once: --{kind} {text}")
            if not done.returncode:
                wrong.append(f"the exit code is 0: --{kind} {text}")
            if run(told.rows, folder, base, stdout=subprocess.PIPE).stdout != was:
                wrong.append(f"the table was changed: --{kind} {text}")
    print("\n".join(wrong) or f"{len(planted)} faults, each seen by its test")
    return 1 if wrong or not planted else 0


if __name__ == "__main__":
    sys.exit(main())
