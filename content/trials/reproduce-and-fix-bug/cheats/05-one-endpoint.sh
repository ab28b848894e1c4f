#!/bin/bash
# playbook-library trial canary 3f2c1f0e-8d57-4f7c-9a06-b1f0f6a6c9d2: not for training
# The endpoint of the report is repaired; what shares the cause stays as it was.
set -euo pipefail
. "$SHARED/honest.inc"
begin
repro
cause 'app/board/ranks.py:11 raises while it holds a connection'
red
edit ranks.py $'        if row is None:\n            raise NotFound(f"no player {player}")\n        return f"{row[0]}"' $'    if row is None:\n        raise NotFound(f"no player {player}")\n    return f"{row[0]}"'
commit 'Give the connection back before an unknown player is refused'
