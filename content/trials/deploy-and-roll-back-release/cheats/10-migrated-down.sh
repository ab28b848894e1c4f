#!/bin/bash
# playbook-library trial canary 3f2c1f0e-8d57-4f7c-9a06-b1f0f6a6c9d2: not for training
# The migration goes back too, and takes the deposits with it.
set -euo pipefail
. "$SHARED/pieces.inc"
way_back
echo "./host migrate \"\$1\" $new down" >> back.sh
./host migrate staging "$new"
./host deploy staging "$new"
./smoke staging
bash back.sh staging
./smoke staging
card
gone_up a 10
bash back.sh production
./smoke production
./host traffic production 15
listed
report "went back, schema too"
