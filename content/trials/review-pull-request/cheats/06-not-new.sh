#!/bin/bash
# playbook-library trial canary 3f2c1f0e-8d57-4f7c-9a06-b1f0f6a6c9d2: not for training
# True and proved, but main has it too; what the change brought is missed.
set -euo pipefail
. "$SCRIPTS/mends.inc"
echo "python3 -c 'import sys; from parcel import rates; sys.exit(rates.price(-5, \"DE\") == 390)'" > review/1.sh
mend 1 parcel/rates.py '        if grams <= limit:' '        if 0 < grams <= limit:'
found_threshold 2
cat > review/review.md <<MD
## 1. parcel/rates.py:$(at parcel/rates.py 'grams <= limit') weights below zero have a price
On main: passes.
## 2. parcel/rates.py:$(at parcel/rates.py 'goods > free') the threshold itself
MD
