#!/bin/bash
# playbook-library trial canary 3f2c1f0e-8d57-4f7c-9a06-b1f0f6a6c9d2: not for training
# One build, five shards by the times of a full run, a cache by the lock, one gate.
set -euo pipefail
. "$SHARED/do.inc"
branch
measure
figures
