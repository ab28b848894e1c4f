#!/bin/bash
# playbook-library trial canary 3f2c1f0e-8d57-4f7c-9a06-b1f0f6a6c9d2: not for training
# The first place of each pattern; the other route with the same fault stays.
set -euo pipefail
. "$SHARED/pieces.inc"
surface
all sort lines files hooks export
struck
