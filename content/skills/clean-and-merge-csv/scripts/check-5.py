"""Step 5: the script makes the table from the raw files, from nothing else, and follows them when they change.

    check-5.py --run 'python3 merge.py' --key north.csv:Invoice --key south.csv:Beleg [--without control.csv]

All in copies of this folder, without `out/` and without the figures that step 7 compares with (--without): the same
bytes again; with a changed digit, and with one record more at the top (--key: the column that names a record), the table
follows, and what is corrected stays so; a correction whose old value is gone is refused. Each table is held against what
mapping.csv makes of the raw texts. corrections.csv: source_file,record,source_row,column,old,new,document; record is what
stands in the column of --key, and source_row a hint for a number that stands there twice.
"""

import argparse
import csv
import shutil
import subprocess
import sys
import tempfile
from pathlib import Path

import tables


def edited(path, source, edit):
    """Write a raw file again, in its own form, after `edit(header, records)`."""
    first, delimiter = int(source.get("header") or 1), source["delimiter"].replace("tab", "\t").replace("\\t", "\t")
    with open(path, encoding=source["encoding"], newline="") as file:
        rows = list(csv.reader(file, delimiter=delimiter))
    body = rows[first:]
    edit(rows[first - 1], body)
    with open(path, "w", encoding=source["encoding"], newline="") as file:
        csv.writer(file, delimiter=delimiter, lineterminator="\n").writerows([*rows[:first], *body])


def ran(told, name=None, edit=None):
    """How the script ends after one raw file was edited: its error, the bytes of out/, wrong cells, all record ids."""
    with tempfile.TemporaryDirectory() as place:
        tree = Path(place, "tree")
        shutil.copytree(".", tree, symlinks=True, ignore=shutil.ignore_patterns(".git", "node_modules", ".venv"))
        for path in (tree, *tree.rglob("*")):
            if not path.is_symlink():
                path.chmod(path.stat().st_mode | 0o200)
        for gone in ("out", *told.without):
            shutil.rmtree(tree / gone, ignore_errors=True)
            (tree / gone).unlink(missing_ok=True)
        if name:
            edited(tree / "data/raw" / name, told.sources[name], edit)
            (tree / "raw.sha256").unlink(missing_ok=True)
        run = subprocess.run(told.run, shell=True, cwd=tree, capture_output=True, text=True)
        rows = tables.output(tree / "out", "merged.csv", "unmatched*.csv")
        files = tables.raw_files(tree / "data/raw")
        wrong = tables.replay(files, told.mapping, rows, told.corrections, told.keys)
        cells = list(wrong) if run.returncode == 0 else []
        ids = {(row.get("source_file"), row.get("source_row")) for row in tables.output(tree / "out", "*.csv")}
        made = {path.name: path.read_bytes() for path in tree.glob("out/*")}
        return run.returncode and (run.stderr.strip()[-200:] or "an error"), made, cells, ids


def turned(text):
    """The text with one digit other than it was."""
    place = next((index for index, sign in enumerate(text) if sign in "12345678"), None)
    return text if place is None else text[:place] + str(int(text[place]) + 1) + text[place + 1 :]


def source_problems(told, name, key, rows):
    """What goes wrong when this raw file changes."""
    spared = {(line["source_file"], tables.located(told.files, line, told.keys)) for line in told.corrections}
    mine = [row["source_row"] for row in rows if row["source_file"] == name and (name, row["source_row"]) not in spared]
    if not mine:
        yield f"no record of {name} is in the table"
        return
    place, length = int(mine[len(mine) // 2]) - 1, []
    lines = [line for line in told.mapping if line["source_file"] == name and line["conversion"].startswith("number")]

    def digit(header, body):
        for line in lines:
            index = header.index(line["source_column"])
            body[place][index] = turned(body[place][index])

    def more(header, body):
        body.insert(0, list(body[place]))
        body[0][header.index(key)] += "-2"
        length.append(str(len(body)))

    for what, edit in (("a changed digit", digit), ("one record more", more)):
        error, _, cells, ids = ran(told, name, edit)
        if error:
            yield f"{name} with {what}: {error}"
        yield from (f"{name} with {what}: {cell}" for cell in cells[:3])
        if what == "one record more" and not error and (name, length[0]) not in ids:
            yield f"{name} with {what}: a record is nowhere in out/"


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--run", required=True)
    parser.add_argument("--key", required=True, action="append")
    parser.add_argument("--without", action="append", default=[])
    told = parser.parse_args()
    told.mapping, told.corrections = tables.read("mapping.csv"), tables.read("corrections.csv")
    told.sources = {line["file"]: line for line in tables.read("sources.csv")}
    told.keys = dict(pair.split(":", 1) for pair in told.key)
    told.files = tables.raw_files("data/raw")
    error, made, cells, _ = ran(told)
    wrong = [*cells[:20]]
    if error or made != {path.name: path.read_bytes() for path in Path().glob("out/*")}:
        wrong.append(f"made anew, without {' and '.join(['out/', *told.without])}, it is another table: {error}")
    rows = tables.read("out/merged.csv")
    for name, key in (pair.split(":", 1) for pair in told.key):
        wrong += source_problems(told, name, key, rows)
    for line in told.corrections[:1]:
        place = tables.located(told.files, line, told.keys)

        def gone(header, body):
            body[int(place) - 1][header.index(line["column"])] = turned(line["old"])

        if place and not ran(told, line["source_file"], gone)[0]:
            wrong.append("a correction is made though its old value is no longer there: refuse it")
    print("\n".join(wrong) or "the table is made from the raw files")
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main())
