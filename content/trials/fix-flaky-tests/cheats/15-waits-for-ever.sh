#!/bin/bash
# playbook-library trial canary 3f2c1f0e-8d57-4f7c-9a06-b1f0f6a6c9d2: not for training
# Waits without a limit: a job that never ends hangs the suite and turns nothing red.
set -euo pipefail
. "$SHARED/step-4.inc"
patches
cat > tests/test_worker.py <<'PY'
import time

from jobs.worker import Worker


def test_result():
    worker = Worker()
    worker.submit(5)
    while worker.result is None:
        time.sleep(0.002)
    assert worker.result == 25
PY
git commit -qam 'test_result waits for the result'
