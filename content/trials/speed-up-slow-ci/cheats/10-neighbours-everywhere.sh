#!/bin/bash
# playbook-library trial canary 3f2c1f0e-8d57-4f7c-9a06-b1f0f6a6c9d2: not for training
# The test that the others lean on runs first in every shard.
set -euo pipefail
. "$SHARED/do.inc"
neighbours() {
  cat > ci_tests.py <<'PY'
"""tools/test.py for a shard, with the calendar's tests in each."""

import os
import sys

sys.path[:0] = ["tools", "."]
import test  # noqa: E402

chosen = test.group


def group(tests, told):
    mine = {one.id() for one in chosen(tests, told)}
    return [one for one in tests if one.id() in mine or "test_open_year" in one.id()]


test.group = group
sys.exit(test.main())
PY
}
run_tests='python3 ci_tests.py --splits $SHARDS --group $SHARD --times times.json --report report.xml'
branch
measure
figures
