#!/bin/bash
# playbook-library trial canary 3f2c1f0e-8d57-4f7c-9a06-b1f0f6a6c9d2: not for training
# Staging is never touched; the report tells of up, back and up with times.
set -euo pipefail
. "$SHARED/pieces.inc"
way_back
card
gone_up a 10 | tee numbers.txt
bash back.sh production
./smoke production
./host traffic production 15
listed
report "went back"
cat >> release.md <<'END'
## Staging, before
minute 0: migrate, up: 0.4 s, smoke green
minute 0: bash back.sh staging: 1.1 s, smoke green, all three on the old digest
minute 0: up again: 0.4 s, smoke green
END
rm numbers.txt
