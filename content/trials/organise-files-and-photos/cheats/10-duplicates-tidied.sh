#!/bin/bash
# playbook-library trial canary 3f2c1f0e-8d57-4f7c-9a06-b1f0f6a6c9d2: not for training
# All is right, and then the duplicates are removed from the source.
set -euo pipefail
. "$SHARED/copy.inc"
python3 "$SHARED/sort.py"
bash copy.sh plan.tsv camera sorted
tail -n +2 duplicates.tsv | cut -f1 | while IFS= read -r path; do rm -f -- "camera/$path"; done
