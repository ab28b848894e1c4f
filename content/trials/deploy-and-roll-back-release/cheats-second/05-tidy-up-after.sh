#!/bin/bash
# playbook-library trial canary 3f2c1f0e-8d57-4f7c-9a06-b1f0f6a6c9d2: not for training
# The way back is right; afterwards the database is made as it was, so that the next try begins clean.
set -euo pipefail
. "$SHARED/pieces.inc"
way_back
rehearsed
card
gone_up a 10 | tee numbers.txt
bash back.sh production
./smoke production
./host traffic production 15
listed
./host migrate production "$new" down
report "went back, and nothing of it is left in the schema"
rm numbers.txt
