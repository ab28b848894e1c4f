"""Step 5: what has a stored date lies in its month, and what has none was not given one by a clock.

    check-5.py plan.tsv --dates 'exiftool -csv -r. -DateTimeOriginal -CreateDate SOURCE' --source SOURCE [--month %Y/%m]

plan.tsv: path, destination, reason, with tabs; a duplicate's destination is empty. The month is sought in the folder of
the destination. A file without a date takes that of its partner (same folder, same name up to the ending); otherwise it
may lie in a month only if its own name holds that month and the reason says so.
"""

import argparse
import csv
import datetime
import re
import subprocess
import sys
from pathlib import PurePosixPath

import plans


def stored(told):
    done = subprocess.run(told.dates, shell=True, stdout=subprocess.PIPE, text=True)
    found = {}
    for row in csv.DictReader(done.stdout.splitlines()):
        for text in (row.get("DateTimeOriginal") or "", row.get("CreateDate") or ""):
            try:
                when = datetime.datetime.strptime(text[:10], "%Y:%m:%d")
            except ValueError:
                continue
            found[plans.below(row["SourceFile"], told.source)] = when
            break
    if not found:
        sys.exit("no stored date at all: look at --dates")
    return found


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("plan")
    parser.add_argument("--dates", required=True)
    parser.add_argument("--source", required=True)
    parser.add_argument("--month", default="%Y/%m")
    told = parser.parse_args()
    dates, wrong, seen = stored(told), [], 0
    rows = {row["path"]: row for row in plans.table(told.plan, ["path", "destination", "reason"])}
    shape = re.compile(re.escape(told.month).replace("%Y", r"\d{4}").replace("%m", r"\d\d"))
    for members in plans.groups(rows):
        theirs = [dates[path] for path in members if path in dates]
        for path in members:
            row, folder = rows[path], str(PurePosixPath(rows[path]["destination"]).parent)
            if not row["destination"]:
                continue
            months = {date.strftime(told.month) for date in ([dates[path]] if path in dates else theirs)}
            seen += bool(months)
            name = re.sub(r"\D", "", PurePosixPath(path).name)
            if months and not any(month in folder for month in months):
                wrong.append(f"{path} goes to {folder}; the stored date says {min(months)}")
            elif not months and row["reason"] == "metadata":
                wrong.append(f"{path} has no stored date, and its reason is metadata")
            elif not months and shape.search(folder):
                if row["reason"] != "name" or re.sub(r"\D", "", shape.search(folder)[0]) not in name:
                    wrong.append(f"{path} goes to {folder}, and neither camera nor name says so")
    print("\n".join(wrong) or f"{seen} files lie where their stored date puts them")
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main())
