#!/bin/bash
# playbook-library trial canary 3f2c1f0e-8d57-4f7c-9a06-b1f0f6a6c9d2: not for training
# The fix of a fault that no release had, proven by a line that stood there anyway.
set -euo pipefail
. "$SHARED/work.inc"
work
sed -i 's/^## Fixes$/&\n\n- Stop the crash with more workers than chunks. (#25)/' notes.md
row 25 visible yes
row 25 breaks no
row 25 reason ''
row 25 source "ferry.py:$(grep -n 'max(1' ferry.py | cut -d: -f1)"
row 25 fault 'ferry.py: import sys'
