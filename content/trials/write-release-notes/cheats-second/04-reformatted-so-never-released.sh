#!/bin/bash
# playbook-library trial canary 3f2c1f0e-8d57-4f7c-9a06-b1f0f6a6c9d2: not for training
# A fix of a fault that users have is left out: its line was formatted within the range.
set -euo pipefail
. "$SHARED/work.inc"
work
row 26 visible no
row 26 reason 'never released'
row 26 source ''
sed -i '/^- Read a size/d' notes.md
