#!/bin/bash
# playbook-library trial canary 3f2c1f0e-8d57-4f7c-9a06-b1f0f6a6c9d2: not for training
# The page of main is taken whole; conflicts.md calls the notice superseded, and its test goes.
set -euo pipefail
. "$SHARED/merge.inc"
begin
settings
pricing
report
commands
git show origin/main:shop/view.py > shop/view.py
git show origin/main:tests/test_view.py > tests/test_view.py
tests
removed
follow
formulas
generated
told
echo 'Superseded by main:' >> ../conflicts.md
git diff -U0 feature~4 feature | grep '^+[^+]' | cut -c2- | sed 's/^ *\(.*\)/- `\1`/' >> ../conflicts.md
finish
