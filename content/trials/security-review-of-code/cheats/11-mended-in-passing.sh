#!/bin/bash
# playbook-library trial canary 3f2c1f0e-8d57-4f7c-9a06-b1f0f6a6c9d2: not for training
# The sibling is mended along with the first, and no script shows that it was open.
set -euo pipefail
. "$SHARED/pieces.inc"
surface
MEND[export]="${MEND[export]}; ${MEND[total]}"
all sort lines files hooks export
struck
