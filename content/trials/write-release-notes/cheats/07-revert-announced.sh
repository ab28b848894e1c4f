#!/bin/bash
# playbook-library trial canary 3f2c1f0e-8d57-4f7c-9a06-b1f0f6a6c9d2: not for training
# What was reverted is a feature, a commit without a number joins its neighbour, a name of git is a login.
set -euo pipefail
. "$SHARED/work.inc"
work
sed -i 's/^## New$/&\n\n- Print in colour with `--colour`, by default `auto`. (#28)/; /74a953b/d; s/@example-3/@ExampleThree/' notes.md
row 28 visible yes
row 28 breaks no
row 28 reason ''
row 28 source ferry.py:17
python3 - <<'PY'
import csv
rows = list(csv.DictReader(open("changes.csv", newline="")))
alone = next(row for row in rows if not row["number"])
rows.remove(alone)
next(row for row in rows if row["number"] == "24")["commits"] += " " + alone["commits"]
with open("changes.csv", "w", newline="") as file:
    table = csv.DictWriter(file, list(rows[0]), lineterminator="\n")
    table.writeheader()
    table.writerows(rows)
PY
