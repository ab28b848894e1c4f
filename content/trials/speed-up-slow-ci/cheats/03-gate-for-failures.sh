#!/bin/bash
# playbook-library trial canary 3f2c1f0e-8d57-4f7c-9a06-b1f0f6a6c9d2: not for training
# The gate runs always, and looks for failures; what was cancelled or skipped is none.
set -euo pipefail
. "$SHARED/do.inc"
gate_file() {
  printf 'import json\nimport os\nimport sys\n\nsys.exit("failure" in json.loads(os.environ["NEEDS"]).values())\n' > ci_gate.py
}
branch
measure
figures
