#!/bin/bash
# playbook-library trial canary 3f2c1f0e-8d57-4f7c-9a06-b1f0f6a6c9d2: not for training
# In the end the ledger is put in order, and the wrong digits are mended in place.
set -euo pipefail
. "$SHARED/parts.inc"
program
python3 - <<'PY'
from pathlib import Path
t = Path("reconcile.py").read_text()
Path("reconcile.py").write_text(t)
PY
done_with
python3 - <<PY
rows = open("books/ledger.csv").read().replace("-18405", "-18450").splitlines()
open("books/ledger.csv", "w").write("\n".join([rows[0], *sorted(rows[1:], key=lambda row: row.split(",")[1])]) + "\n")
PY
done_with
