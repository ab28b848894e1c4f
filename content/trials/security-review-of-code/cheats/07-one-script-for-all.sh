#!/bin/bash
# playbook-library trial canary 3f2c1f0e-8d57-4f7c-9a06-b1f0f6a6c9d2: not for training
# Six findings with one script, that shows as long as anything is open.
set -euo pipefail
. "$SHARED/pieces.inc"
surface
all sort lines files hooks export total
for n in 1 2 3 4 5 6; do
  sed '$d' review/$n.sh
done > /tmp/every
for n in 1 2 3 4 5 6; do (cat /tmp/every; echo exit 0) > review/$n.sh; done
struck
