#!/bin/bash
# playbook-library trial canary 3f2c1f0e-8d57-4f7c-9a06-b1f0f6a6c9d2: not for training
# A payout pays its invoices less the fee, of which no entry tells.
set -euo pipefail
. "$SHARED/parts.inc"
program
python3 - <<'PY'
from pathlib import Path
t = Path("reconcile.py").read_text()
t = t.replace('            plan[line["id"]] = [("4970"', '''            fee = sum(c for w, c in parts if w == "fee")
            parts = [(w, c) for w, c in parts if w != "fee"]
            parts[-1] = (parts[-1][0], parts[-1][1] + fee)
            plan[line["id"]] = [("4970"''')
Path("reconcile.py").write_text(t)
PY
done_with
