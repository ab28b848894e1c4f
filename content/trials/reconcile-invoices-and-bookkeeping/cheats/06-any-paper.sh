#!/bin/bash
# playbook-library trial canary 3f2c1f0e-8d57-4f7c-9a06-b1f0f6a6c9d2: not for training
# A quote and a reminder count as documents, and totals need not agree.
set -euo pipefail
. "$SHARED/parts.inc"
program
python3 - <<'PY'
from pathlib import Path
t = Path("reconcile.py").read_text()
t = t.replace('in ("INVOICE", "RECEIPT")', 'in ("INVOICE", "RECEIPT", "QUOTE", "REMINDER")')
t = t.replace('and -c == line["cents"]', 'and abs(c + line["cents"]) < 300')
Path("reconcile.py").write_text(t)
PY
done_with
