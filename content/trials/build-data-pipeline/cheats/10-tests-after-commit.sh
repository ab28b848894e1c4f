#!/bin/bash
# playbook-library trial canary 3f2c1f0e-8d57-4f7c-9a06-b1f0f6a6c9d2: not for training
# The tests run when the tables are already written.
set -euo pipefail
. "$SHARED/work.inc"
change load.py '    base.execute("ROLLBACK")' '    base.execute("COMMIT")'
finish
