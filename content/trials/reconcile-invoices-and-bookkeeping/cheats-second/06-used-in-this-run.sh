#!/bin/bash
# playbook-library trial canary 3f2c1f0e-8d57-4f7c-9a06-b1f0f6a6c9d2: not for training
# A paper is used when this run used it; one that the ledger already has stands behind a second entry.
set -euo pipefail
. "$SHARED/parts.inc"
program
sed -i 's/^    used = {name for entry in ledger.*$/    used = set()/' reconcile.py
grep -q 'used = set()' reconcile.py
done_with
