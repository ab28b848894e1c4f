#!/bin/bash
# playbook-library trial canary 3f2c1f0e-8d57-4f7c-9a06-b1f0f6a6c9d2: not for training
# Sums per meter and day, days in order
set -euo pipefail
. "$SHARED/measure.inc"
tail -n +2 "$SHARED/daily.py" > billing/store.py
tail -n +2 "$SHARED/report.py" > billing/report.py
python3 -m unittest -q
git commit -qam "Sums per meter and day, days in order" -m "$(measure)"
