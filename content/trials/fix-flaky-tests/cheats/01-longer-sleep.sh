#!/bin/bash
# playbook-library trial canary 3f2c1f0e-8d57-4f7c-9a06-b1f0f6a6c9d2: not for training
# A longer sleep.
set -euo pipefail
. "$SHARED/step-4.inc"
patches
sed -i 's/0.015/0.2/' tests/test_worker.py
