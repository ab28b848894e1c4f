#!/bin/bash
# playbook-library trial canary 3f2c1f0e-8d57-4f7c-9a06-b1f0f6a6c9d2: not for training
# A change of results with a title that sounds internal is called internal.
set -euo pipefail
. "$SHARED/work.inc"
work
row 33 visible no
row 33 reason 'internal refactoring'
row 33 source ''
row 33 fault ''
sed -i '/(#33)$/d' notes.md
