#!/bin/bash
# playbook-library trial canary 3f2c1f0e-8d57-4f7c-9a06-b1f0f6a6c9d2: not for training
# One instance for ten minutes, over the limit, back.
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
report "went back"
rm numbers.txt
