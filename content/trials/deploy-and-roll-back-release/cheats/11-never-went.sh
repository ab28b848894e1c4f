#!/bin/bash
# playbook-library trial canary 3f2c1f0e-8d57-4f7c-9a06-b1f0f6a6c9d2: not for training
# Staging only; production is left as it was, and the report tells of both.
set -euo pipefail
. "$SHARED/pieces.inc"
way_back
rehearsed
card
./host traffic production 25
echo id,verdict > records.csv
report "was on instance a for ten minutes, went back at 3 per cent of errors"
