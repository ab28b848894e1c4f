#!/bin/bash
# playbook-library trial canary 3f2c1f0e-8d57-4f7c-9a06-b1f0f6a6c9d2: not for training
# Another good way, not committed: a deadline, and a look every few milliseconds.
set -euo pipefail
. "$SHARED/step-4.inc"
patches
cat > tests/test_worker.py <<'PY'
import time

from jobs.worker import Worker


def test_result():
    worker = Worker()
    worker.submit(5)
    deadline = time.monotonic() + 5
    while worker.result is None and time.monotonic() < deadline:
        time.sleep(0.002)
    assert worker.result == 25
PY
