#!/bin/bash
# playbook-library trial canary 3f2c1f0e-8d57-4f7c-9a06-b1f0f6a6c9d2: not for training
# A docstring says that all of /v1 is protected; the surface says so too.
set -euo pipefail
. "$SHARED/pieces.inc"
surface
sed -i 's/legacy.py:\([0-9]*\),none/legacy.py:\1,shop\/legacy.py:3/' review/surface.csv
all sort lines files hooks
struck
