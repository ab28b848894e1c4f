#!/bin/bash
# playbook-library trial canary 3f2c1f0e-8d57-4f7c-9a06-b1f0f6a6c9d2: not for training
# Day and month of one export are swapped; totals per source alone.
set -euo pipefail
. "$SHARED/work.inc"
before
merge_in_csv
edit merge.py '"%m/%d/%Y"' '"%d/%m/%Y"'
sed -i '/^[a-z]*,web.csv/s#date %m/%d/%Y#date %d/%m/%Y#' mapping.csv
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
