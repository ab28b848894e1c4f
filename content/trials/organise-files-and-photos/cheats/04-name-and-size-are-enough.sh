#!/bin/bash
# playbook-library trial canary 3f2c1f0e-8d57-4f7c-9a06-b1f0f6a6c9d2: not for training
# Same name and same size are taken for the same file.
set -euo pipefail
. "$SHARED/copy.inc"
SHORT=alike python3 "$SHARED/sort.py"
bash copy.sh plan.tsv camera sorted
