#!/bin/bash
# playbook-library trial canary 3f2c1f0e-8d57-4f7c-9a06-b1f0f6a6c9d2: not for training
# Staging is green, one instance answers, so it goes to all.
set -euo pipefail
. "$SHARED/pieces.inc"
way_back
rehearsed
card
gone_up a 10
./host deploy production "$new"
./smoke production
./host traffic production 10
echo id,verdict > records.csv
report "is on all instances; hardly any errors"
