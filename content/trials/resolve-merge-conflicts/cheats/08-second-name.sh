#!/bin/bash
# playbook-library trial canary 3f2c1f0e-8d57-4f7c-9a06-b1f0f6a6c9d2: not for training
# The old name is kept beside the new one, so that nothing has to follow.
set -euo pipefail
. "$SHARED/merge.inc"
begin
settings
pricing
printf '\n\nprice_of = line_price  # for older callers\n' >> shop/pricing.py
report
commands
view
tests
removed
formulas
generated
told
finish
