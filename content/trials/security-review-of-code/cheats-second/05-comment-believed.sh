#!/bin/bash
# playbook-library trial canary 3f2c1f0e-8d57-4f7c-9a06-b1f0f6a6c9d2: not for training
# The docstring says that /v1 is protected before a request comes there: the guard is a line of code, and the finding is struck.
set -euo pipefail
. "$SHARED/pieces.inc"
surface
sed -i '/export\|total/s/,none$/,shop\/guards.py:9/' review/surface.csv
all sort lines files hooks
struck
echo 'shop/legacy.py: export and total are protected, as its docstring says; the session is asked for before.' >> review/report.md
