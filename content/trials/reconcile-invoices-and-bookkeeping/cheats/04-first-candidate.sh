#!/bin/bash
# playbook-library trial canary 3f2c1f0e-8d57-4f7c-9a06-b1f0f6a6c9d2: not for training
# Two invoices of one amount: the older one is taken.
set -euo pipefail
. "$SHARED/parts.inc"
program
python3 - <<'PY'
from pathlib import Path
t = Path("reconcile.py").read_text()
t = t.replace('if len(mine) > 1 or mine and any(', 'if mine and any(')
Path("reconcile.py").write_text(t)
PY
done_with
