#!/bin/bash
# playbook-library trial canary 3f2c1f0e-8d57-4f7c-9a06-b1f0f6a6c9d2: not for training
# What begins with a dot is not listed, and the list agrees with the copy.
set -euo pipefail
. "$SHARED/copy.inc"
SHORT=visible python3 "$SHARED/sort.py"
bash copy.sh plan.tsv camera sorted
grep -v '/\.' before.sha256 > less && mv less before.sha256
