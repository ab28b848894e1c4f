#!/bin/bash
# playbook-library trial canary 3f2c1f0e-8d57-4f7c-9a06-b1f0f6a6c9d2: not for training
# The contents are right, but it is no merge: the next one meets all of it again.
set -euo pipefail
. "$SHARED/merge.inc"
begin
settings
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
git reset -q --soft feature
git commit -q -m 'Bring main into feature'
