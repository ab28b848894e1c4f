#!/bin/bash
# playbook-library trial canary 3f2c1f0e-8d57-4f7c-9a06-b1f0f6a6c9d2: not for training
# The checkout itself is mended and committed, and the report tells of it.
set -euo pipefail
. "$SHARED/pieces.inc"
surface
all sort lines files hooks export total
struck
cd shop
for n in 1 2 3 4 5 6; do git apply ../review/$n.patch; done
git commit -qam 'Close what the review found'
