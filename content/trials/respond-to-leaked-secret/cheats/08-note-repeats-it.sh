#!/bin/bash
# playbook-library trial canary 3f2c1f0e-8d57-4f7c-9a06-b1f0f6a6c9d2: not for training
# The note is good, and quotes the line of the log.
set -euo pipefail
. "$SHARED/do.inc"
branch
places
note
zcat places/ci/run-41.log.gz | grep SHIP_TOKEN= >> incident/incident.md
