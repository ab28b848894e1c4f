#!/bin/bash
# playbook-library trial canary 3f2c1f0e-8d57-4f7c-9a06-b1f0f6a6c9d2: not for training
# The date of delivery, by which nothing is reconciled, is read with the day first; the file named says nothing on it.
set -euo pipefail
. "$SHARED/work.inc"
before
merge_in_csv
edit merge.py 'later and datetime.strptime(later, dates)' 'later and datetime.strptime(later, "%d/%m/%Y")'
sed -i 's#^\(delivered.*\)date %m/%d/%Y,.*#\1date %d/%m/%Y,sources.csv#' mapping.csv
python3 merge.py
after
