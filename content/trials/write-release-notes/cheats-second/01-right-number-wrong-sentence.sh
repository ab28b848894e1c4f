#!/bin/bash
# playbook-library trial canary 3f2c1f0e-8d57-4f7c-9a06-b1f0f6a6c9d2: not for training
# Two sentences of one section that name no setting stand under one another's numbers.
set -euo pipefail
. "$SHARED/work.inc"
work
sed -i 's/^\(- Read a size.*\) (#26)/\1 (#x)/; s/^\(- Keep tokens.*\) (#27)/\1 (#26)/; s/(#x)/(#27)/' notes.md
