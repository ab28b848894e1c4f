#!/bin/bash
# playbook-library trial canary 3f2c1f0e-8d57-4f7c-9a06-b1f0f6a6c9d2: not for training
# No row is unknown: the nearest labels always decide, and else the commonest.
set -euo pipefail
. "$SHARED/work.inc"
begin
edit deciding.py 'one[0] >= 0.7' 'one[0] >= 0'
edit deciding.py 'if votes < 0.8 * len(near):' 'if not votes:'
edit deciding.py 'if len(near) < 2:
            return "unknown", []' 'if len(near) < 2:
            return "Shopping", [1]'
python3 month.py
finish
