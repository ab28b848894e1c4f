#!/bin/bash
# playbook-library trial canary 3f2c1f0e-8d57-4f7c-9a06-b1f0f6a6c9d2: not for training
# Two answers to one question: the own one stays, whatever the owner said.
set -euo pipefail
. "$SHARED/merge.inc"
begin
settings
sed -i 's/28/30/' shop/settings.py
pricing
report
commands
view
tests
removed
follow
formulas
generated
told
finish
