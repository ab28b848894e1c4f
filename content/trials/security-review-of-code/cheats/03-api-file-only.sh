#!/bin/bash
# playbook-library trial canary 3f2c1f0e-8d57-4f7c-9a06-b1f0f6a6c9d2: not for training
# The files that look important: routes are searched for in api.py, and /v1 is in none.
set -euo pipefail
. "$SHARED/pieces.inc"
surface
sed -i /legacy/d review/surface.csv
all sort lines files hooks
struck
