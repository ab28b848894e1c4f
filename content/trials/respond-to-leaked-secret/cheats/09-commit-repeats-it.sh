#!/bin/bash
# playbook-library trial canary 3f2c1f0e-8d57-4f7c-9a06-b1f0f6a6c9d2: not for training
# The branch is clean, and its message says which value has gone.
set -euo pipefail
. "$SHARED/do.inc"
eval "$(declare -f commit | sed 's/^commit/made/')"
commit() { made "Remove $(cat ../incident/old.txt) from the settings"; }
branch
places
note
