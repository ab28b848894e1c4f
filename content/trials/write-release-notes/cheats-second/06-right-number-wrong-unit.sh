#!/bin/bash
# playbook-library trial canary 3f2c1f0e-8d57-4f7c-9a06-b1f0f6a6c9d2: not for training
# Both numbers are right, and the unit is another.
set -euo pipefail
. "$SHARED/work.inc"
work
sed -i 's/^- Wait 45 seconds by default: `timeout` was 30;/- Wait 45 minutes by default: `timeout` was 30 minutes;/' notes.md
