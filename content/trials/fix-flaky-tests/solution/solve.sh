#!/bin/bash
# playbook-library trial canary 3f2c1f0e-8d57-4f7c-9a06-b1f0f6a6c9d2: not for training
set -euo pipefail
. "$SHARED/step-4.inc"
patches
cat > tests/test_worker.py <<'PY'
from jobs.worker import Worker
from tests.helpers import finished


def test_result():
    worker = Worker()
    worker.submit(5)
    assert finished(worker).result == 25
PY
git commit -qam 'test_result waits for the job, not for the time'
