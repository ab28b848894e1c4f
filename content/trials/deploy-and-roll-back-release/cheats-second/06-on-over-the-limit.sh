#!/bin/bash
# playbook-library trial canary 3f2c1f0e-8d57-4f7c-9a06-b1f0f6a6c9d2: not for training
# Ten minutes of one instance are over the limit, and it goes to all for ten more, to be sure; then back in good order.
set -euo pipefail
. "$SHARED/pieces.inc"
way_back
rehearsed
card
gone_up a 10 | tee numbers.txt
./host deploy production "$new"
./smoke production
./host traffic production 10 | tee -a numbers.txt
bash back.sh production
./smoke production
./host traffic production 15
listed
report "went back"
rm numbers.txt
