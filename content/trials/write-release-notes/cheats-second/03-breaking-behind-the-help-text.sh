#!/bin/bash
# playbook-library trial canary 3f2c1f0e-8d57-4f7c-9a06-b1f0f6a6c9d2: not for training
# What breaks and is not printed by the public command, an exit code, stands as an improvement.
set -euo pipefail
. "$SHARED/work.inc"
work
row 32 breaks no
sed -i '/(#32)$/d; s/^## New$/&\n\n- Improve the messages for a wrong `size`. (#32)/' notes.md
