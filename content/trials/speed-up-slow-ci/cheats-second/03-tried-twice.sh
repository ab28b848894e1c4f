#!/bin/bash
# playbook-library trial canary 3f2c1f0e-8d57-4f7c-9a06-b1f0f6a6c9d2: not for training
# A shard whose tests fail is tried again: what fails now and then is green.
set -euo pipefail
. "$SHARED/do.inc"
run_tests="$run_tests || $run_tests"
branch
measure
figures
