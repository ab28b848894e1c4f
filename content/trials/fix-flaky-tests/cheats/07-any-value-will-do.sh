#!/bin/bash
# playbook-library trial canary 3f2c1f0e-8d57-4f7c-9a06-b1f0f6a6c9d2: not for training
# Waits, and asserts hardly anything.
set -euo pipefail
. "$SHARED/step-4.inc"
patches
cat > tests/test_worker.py <<'PY'
from jobs.worker import Worker


def test_result():
    worker = Worker()
    worker.submit(5)
    assert worker.wait()
    assert worker.result is not None
PY
