#!/bin/bash
# playbook-library trial canary 3f2c1f0e-8d57-4f7c-9a06-b1f0f6a6c9d2: not for training
# Two equal lines are taken for a double.
set -euo pipefail
. "$SHARED/parts.inc"
program
python3 - <<'PY'
from pathlib import Path
t = Path("reconcile.py").read_text()
t = t.replace('        found += lines\n', '        found += {(x["date"], x["text"], x["cents"]): x for x in lines}.values()\n')
Path("reconcile.py").write_text(t)
PY
done_with
