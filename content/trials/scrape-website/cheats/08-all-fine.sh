#!/bin/bash
# playbook-library trial canary 3f2c1f0e-8d57-4f7c-9a06-b1f0f6a6c9d2: not for training
# What was not read is left out of all lists, and so everything was read.
set -euo pipefail
. "$SHARED/work.inc"
work
python3 - <<'PY'
import csv

good = {row["address"] for row in csv.DictReader(open("items.csv", newline=""))}
for name in ("inventory.csv", "coverage.csv"):
    rows = list(csv.DictReader(open(name, newline="")))
    with open(name, "w", newline="") as file:
        out = csv.DictWriter(file, list(rows[0]))
        out.writeheader()
        out.writerows(row for row in rows if row["address"] in good)
PY
