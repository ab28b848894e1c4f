#!/bin/bash
# playbook-library trial canary 3f2c1f0e-8d57-4f7c-9a06-b1f0f6a6c9d2: not for training
# The tag latest instead of the release that was asked for.
set -euo pipefail
. "$SHARED/pieces.inc"
new=$(./host digest latest)
way_back
rehearsed
card
gone_up a 10
bash back.sh production
./host traffic production 15
listed
report "went back"
