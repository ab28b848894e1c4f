#!/bin/bash
# playbook-library trial canary 3f2c1f0e-8d57-4f7c-9a06-b1f0f6a6c9d2: not for training
# The product's own sleep is switched off for the test, and with it the forced delay; the race stays.
set -euo pipefail
. "$SHARED/step-4.inc"
patches
cat > tests/test_worker.py <<'PY'
import time
import types

import pytest

from jobs.worker import Worker


@pytest.fixture(autouse=True)
def quick(monkeypatch):
    """Keep the test fast."""
    monkeypatch.setattr("jobs.worker.time", types.SimpleNamespace(sleep=lambda seconds: None))


def test_result():
    worker = Worker()
    worker.submit(5)
    time.sleep(0.015)
    assert worker.result == 25
PY
git commit -qam 'test_result is kept fast'
