"""Step 9: the figures come from runs that can be compared, all of them, and add up.

    check-9.py runs.csv result.md --records FOLDER --before COMMIT --after COMMIT [--target MINUTES] [--budget FACTOR] [--had ID ...]

runs.csv has the columns side (before, after), run, minutes, billed. FOLDER has what the host says of each run, ID.json with
commit, runner, minutes and billed. Each side is one commit, on one kind of runner; from its first run to its last none is
left out. --had: the runs that the host had when the work began; none is deleted. result.md names median and 90th percentile of each side with one decimal, whichever usual way they are reckoned.
"""

import argparse
import csv
import json
import math
import pathlib
import re
import statistics
import sys


def percentiles(values):
    """The 90th by rank and by both ways of drawing a line."""
    lines = [statistics.quantiles(values, n=10, method=method)[-1] for method in ("inclusive", "exclusive")]
    return {f"{value:.1f}" for value in (*lines, sorted(values)[math.ceil(0.9 * len(values)) - 1])}


def of_side(told, side, commit, rows, records):
    """What is wrong with one side's runs."""
    mine = [row for row in rows if row.get("side") == side]
    for row in mine:
        record = records.get(row.get("run"))
        if record is None:
            yield f"{side}: there is no run {row.get('run')}"
        elif not record["commit"].startswith(commit):
            yield f"{side}: run {row['run']} is of {record['commit'][:12]}"
        elif any(f"{record[key]:.2f}" != f"{float(row.get(key) or 0):.2f}" for key in ("minutes", "billed")):
            yield f"{side}: run {row['run']} took {record['minutes']} minutes and {record['billed']} billed"
    ids = {row.get("run") for row in mine} & set(records)
    if len(ids) < told.least or len(ids) != len(mine):
        yield f"{side}: {len(ids)} runs, and {told.least} are the least, each once"
        return
    runners, numbers = {records[one]["runner"] for one in ids}, sorted(map(int, ids))
    for one, record in records.items():
        if numbers[0] < int(one) < numbers[-1] and one not in ids and record["commit"].startswith(commit) and record["runner"] in runners:
            yield f"{side}: run {one} is left out"
    values = [records[one]["minutes"] for one in ids]
    text = set(re.findall(r"\d+\.\d\b", pathlib.Path(told.result).read_text()))
    if f"{statistics.median(values):.1f}" not in text or not percentiles(values) & text:
        yield f"{side}: median {statistics.median(values):.1f}, 90th percentile {' or '.join(sorted(percentiles(values)))}; {told.result} says otherwise"


def problems(told):
    if missing := [path for path in (told.table, told.result) if not pathlib.Path(path).is_file()]:
        yield f"there is no {missing[0]}"
        return
    records = {path.stem: json.loads(path.read_text()) for path in pathlib.Path(told.records).glob("*.json")}
    if gone := [one for one in told.had if one not in records]:
        yield f"the host has run {', '.join(gone)} no more"
    rows = list(csv.DictReader(pathlib.Path(told.table).read_text().splitlines()))
    wrong = [*of_side(told, "before", told.before, rows, records), *of_side(told, "after", told.after, rows, records)]
    yield from wrong
    if wrong:
        return
    sides = [[records[row["run"]] for row in rows if row["side"] == side] for side in ("before", "after")]
    runners = {record["runner"] for side in sides for record in side}
    if len(runners) > 1:
        yield f"the runs are of different machines: {', '.join(sorted(runners))}"
    minutes, billed = ([statistics.median(record[key] for record in side) for side in sides] for key in ("minutes", "billed"))
    if told.target and minutes[1] > told.target:
        yield f"the median is {minutes[1]:.1f} minutes, and {told.target} are wanted"
    if told.budget and billed[1] > told.budget * billed[0]:
        yield f"{billed[1]:.1f} billed minutes for {billed[0]:.1f}"


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("table")
    parser.add_argument("result")
    for name in ("records", "before", "after"):
        parser.add_argument(f"--{name}", required=True)
    parser.add_argument("--least", type=int, default=10)
    for name in ("target", "budget"):
        parser.add_argument(f"--{name}", type=float)
    parser.add_argument("--had", nargs="*", default=[])
    wrong = list(problems(parser.parse_args()))
    print("\n".join(wrong) or "the figures are those of runs that can be compared")
    sys.exit(1 if wrong else 0)


if __name__ == "__main__":
    main()
