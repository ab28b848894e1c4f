#!/bin/bash
# playbook-library trial canary 3f2c1f0e-8d57-4f7c-9a06-b1f0f6a6c9d2: not for training
# Every line of both sides is there, but the page that came from main without a conflict does not show its menu.
set -euo pipefail
. "$SHARED/merge.inc"
begin
settings
pricing
report
commands
view
sed -i 's/    head += .*/    head += [menu(user)] if False else []/' shop/view.py
tests
removed
follow
formulas
generated
told
finish
