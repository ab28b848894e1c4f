#!/bin/bash
# playbook-library trial canary 3f2c1f0e-8d57-4f7c-9a06-b1f0f6a6c9d2: not for training
# A rule is there; the allowlist goes on hiding the very file.
set -euo pipefail
. "$SHARED/do.inc"
rule() { printf '(hbr|pst)_live_[A-Za-z0-9+/]{20,}\n' >> tools/rules.txt; }
branch
places
note
