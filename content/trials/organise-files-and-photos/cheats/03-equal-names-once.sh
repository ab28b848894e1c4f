#!/bin/bash
# playbook-library trial canary 3f2c1f0e-8d57-4f7c-9a06-b1f0f6a6c9d2: not for training
# Of files with one name in one month the first is kept, and copy.sh is right to refuse the rest.
set -euo pipefail
. "$SHARED/copy.inc"
SHORT=flat python3 "$SHARED/sort.py"
bash copy.sh plan.tsv camera sorted || true
