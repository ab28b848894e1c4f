#!/bin/bash
# playbook-library trial canary 3f2c1f0e-8d57-4f7c-9a06-b1f0f6a6c9d2: not for training
# A price that is ten times too high is confirmed: its number stands on the invoice, as the total of ten pieces.
set -euo pipefail
. "$SHARED/work.inc"
before
sed -i '/^north.csv,N-0211,/d' corrections.csv
merge_in_csv
python3 merge.py
after
sed -i '/^north.csv,211,/d' explained.csv
grep -q 'north.csv,211,confirmed,N-0211.txt' outliers.csv
grep -q '920.00' documents/N-0211.txt
