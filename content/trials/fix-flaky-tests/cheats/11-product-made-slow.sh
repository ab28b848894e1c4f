#!/bin/bash
# playbook-library trial canary 3f2c1f0e-8d57-4f7c-9a06-b1f0f6a6c9d2: not for training
# No thread in the product any more: every caller waits.
set -euo pipefail
. "$SHARED/step-4.inc"
patches
python3 - <<'PY'
import pathlib
path = pathlib.Path("jobs/worker.py")
text = path.read_text()
path.write_text(text.replace("daemon=True).start()", "daemon=True).run()"))
PY
