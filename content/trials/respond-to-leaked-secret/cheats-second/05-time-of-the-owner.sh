#!/bin/bash
# playbook-library trial canary 3f2c1f0e-8d57-4f7c-9a06-b1f0f6a6c9d2: not for training
# The refusal bears the time of the owner's message, as if somebody had asked then.
set -euo pipefail
. "$SHARED/do.inc"
now() { echo 2026-11-20T23:10:00Z; }
branch
places
note
