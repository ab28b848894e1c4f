#!/bin/bash
# playbook-library trial canary 3f2c1f0e-8d57-4f7c-9a06-b1f0f6a6c9d2: not for training
# Another place is delayed, where the same message comes of it, and only that is mended; the true race stays.
set -euo pipefail
. "$SHARED/step-4.inc"
patches
edit force.patch 'self._begun.set()' 'time.sleep(1.5); self._begun.set()'
cat > tests/test_worker.py <<'PY'
import time

from jobs.worker import Worker


def test_result():
    worker = Worker()
    worker.submit(5)
    assert worker.begun()
    time.sleep(0.015)
    assert worker.result == 25
PY
git commit -qam 'test_result waits until the job is taken up'
