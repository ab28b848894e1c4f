#!/bin/bash
# playbook-library trial canary 3f2c1f0e-8d57-4f7c-9a06-b1f0f6a6c9d2: not for training
# A name that is taken gets a number, its partners keep theirs: another picture's RAW stands beside the first one's JPEG.
set -euo pipefail
. "$SHARED/copy.inc"
SHORT=each python3 "$SHARED/sort.py"
bash copy.sh plan.tsv camera sorted
