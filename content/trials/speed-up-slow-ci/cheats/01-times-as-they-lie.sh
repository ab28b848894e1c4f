#!/bin/bash
# playbook-library trial canary 3f2c1f0e-8d57-4f7c-9a06-b1f0f6a6c9d2: not for training
# Shards by the times that are in the repository.
set -euo pipefail
. "$SHARED/do.inc"
times() { :; }
shards=7
branch
measure
figures
