#!/bin/bash
# playbook-library trial canary 3f2c1f0e-8d57-4f7c-9a06-b1f0f6a6c9d2: not for training
# Six groups, five of them run.
set -euo pipefail
. "$SHARED/do.inc"
run_tests='python3 tools/test.py --splits 6 --group $SHARD --times times.json --report report.xml'
branch
measure
figures
