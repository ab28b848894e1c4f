#!/bin/bash
# playbook-library trial canary 3f2c1f0e-8d57-4f7c-9a06-b1f0f6a6c9d2: not for training
# The old export is called decided, by two people who may not.
set -euo pipefail
. "$SCRIPTS/work.inc"
sed -i 's/^discussed,/decision,/' items.csv
