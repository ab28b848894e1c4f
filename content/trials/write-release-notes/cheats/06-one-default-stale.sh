#!/bin/bash
# playbook-library trial canary 3f2c1f0e-8d57-4f7c-9a06-b1f0f6a6c9d2: not for training
# All is right but one default, which is the one of the description.
set -euo pipefail
. "$SHARED/work.inc"
work
sed -i 's/Wait 45 seconds/Wait 60 seconds/' notes.md
