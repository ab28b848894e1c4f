#!/bin/bash
# playbook-library trial canary 3f2c1f0e-8d57-4f7c-9a06-b1f0f6a6c9d2: not for training
# Renamed in one commit, typed in the next; the six places that types cannot reach stay, each with its reason.
set -euo pipefail
. "$SHARED/honest.inc"
rename
typed
put 'Types'
count
ci 'eslint --no-inline-config --max-warnings 6 -c escapes.config.mjs src types'
plan 6
put 'The escapes are counted in CI'
all_ts
