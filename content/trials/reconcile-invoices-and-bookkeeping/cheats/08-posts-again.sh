#!/bin/bash
# playbook-library trial canary 3f2c1f0e-8d57-4f7c-9a06-b1f0f6a6c9d2: not for training
# A second run posts everything once more.
set -euo pipefail
. "$SHARED/parts.inc"
program
python3 - <<'PY'
from pathlib import Path
t = Path("reconcile.py").read_text()
t = t.replace('    posted_before(lines, ledger)', '    "--post" in sys.argv or posted_before(lines, ledger)')
t = t.replace('        lines, _, _ = decided()', '        sys.argv.remove("--post")\n        lines, _, _ = decided()')
Path("reconcile.py").write_text(t)
PY
done_with
