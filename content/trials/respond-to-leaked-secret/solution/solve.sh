#!/bin/bash
# playbook-library trial canary 3f2c1f0e-8d57-4f7c-9a06-b1f0f6a6c9d2: not for training
# Ask the provider, search everywhere for both, mend the writer, add a rule.
set -euo pipefail
. "$SHARED/do.inc"
branch
places
note
