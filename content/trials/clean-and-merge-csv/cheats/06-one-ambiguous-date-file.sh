#!/bin/bash
# playbook-library trial canary 3f2c1f0e-8d57-4f7c-9a06-b1f0f6a6c9d2: not for training
# Day and month of one export are swapped; totals per source alone.
set -euo pipefail
. "$SCRIPTS/work.inc"
before
merge_in_csv
edit merge.py '"%m/%d/%Y"' '"%d/%m/%Y"'
date=$(python3 -c 'import csv; print(next(row["date"] for row in csv.DictReader(open("data/raw/web.csv", encoding="utf-16", newline=""), delimiter="\t") if row["date"][:2] == row["date"][3:5]))')
edit mapping.csv 'date %m/%d/%Y,03/05/2025,2025-03-05,notes/systems.md' "date %d/%m/%Y,$date,2025-${date:0:2}-${date:3:2},notes/systems.md"
sed -i 's#^\(delivered.*\)date %m/%d/%Y,\(..\)/\(..\)/2025,[^,]*#\1date %d/%m/%Y,\2/\3/2025,2025-\3-\2#' mapping.csv
python3 merge.py
after
python3 - <<'PY'
import csv
from collections import Counter
from decimal import Decimal
sums = Counter()
for line in csv.DictReader(open("reconcile.csv", newline="")):
    for name in ("ours", "theirs", "difference"):
        sums[line["source_file"], name] += Decimal(line[name])
with open("reconcile.csv", "w", newline="") as file:
    table = csv.writer(file, lineterminator="\n")
    table.writerow(["source_file", "period", "ours", "theirs", "difference"])
    for name in ("north.csv", "south.csv", "web.csv"):
        table.writerow([name, "2025", *(sums[name, one] for one in ("ours", "theirs", "difference"))])
PY
