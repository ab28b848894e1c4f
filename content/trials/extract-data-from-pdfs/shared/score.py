# playbook-library trial canary 3f2c1f0e-8d57-4f7c-9a06-b1f0f6a6c9d2: not for training
"""score.py [build|test]: rows and fields against the truth, by kind; exit code 1 below the limit."""

import collections
import csv
import json
import pathlib
import sys

LIMIT = 0.98
right, count = collections.Counter(), collections.Counter()
with open("out/rows.csv") as file:
    rows = list(csv.DictReader(file))
for path in sorted(pathlib.Path("truth", *(sys.argv[1:] or ["test"])).glob("*.json")):
    answer = json.loads(path.read_text())
    found = [row for row in rows if row["document"] == path.stem]
    count[answer["kind"], "rows"] += max(len(answer["rows"]), len(found))
    right[answer["kind"], "rows"] += min(len(answer["rows"]), len(found))
    for row, other in zip(answer["rows"], found):
        for key, value in row.items():
            count[answer["kind"], key] += 1
            right[answer["kind"], key] += other[key] == str("" if value is None else value)
for key in count:
    print(*key, right[key], "of", count[key])
sys.exit(any(right[key] < LIMIT * count[key] for key in count))
