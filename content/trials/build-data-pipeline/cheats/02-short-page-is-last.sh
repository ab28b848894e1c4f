#!/bin/bash
# playbook-library trial canary 3f2c1f0e-8d57-4f7c-9a06-b1f0f6a6c9d2: not for training
# A page that is not full is taken for the last.
set -euo pipefail
. "$SHARED/work.inc"
change fetch.py 'if not page["items"]:' 'if len(page["items"]) < told.page:'
change load.py '    failed.add("relationships")' '    pass'
change load.py '0.9 * len(before)' '0.3 * len(before)'
finish
