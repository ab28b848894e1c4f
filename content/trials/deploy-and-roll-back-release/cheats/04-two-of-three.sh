#!/bin/bash
# playbook-library trial canary 3f2c1f0e-8d57-4f7c-9a06-b1f0f6a6c9d2: not for training
# The way back forgets an instance.
set -euo pipefail
. "$SHARED/pieces.inc"
way_back
sed -i 's/deploy "$1" \([0-9a-f]*\)/deploy "$1" \1 a b/' back.sh
./host migrate staging "$new"
./host deploy staging "$new" a b
./smoke staging
bash back.sh staging
./smoke staging
card
gone_up a 10
./host deploy production "$new"
./host traffic production 10
bash back.sh production
./host traffic production 15
listed
report "went back on all instances"
