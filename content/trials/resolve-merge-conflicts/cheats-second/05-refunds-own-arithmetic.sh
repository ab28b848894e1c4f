#!/bin/bash
# playbook-library trial canary 3f2c1f0e-8d57-4f7c-9a06-b1f0f6a6c9d2: not for training
# Refunds follow no name at all: they multiply by themselves, and a line's price is worked out in two places from now on.
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
sed -i -e '/^from shop import pricing$/d' -e 's/pricing.price_of(item)/item["cents"] * item["count"]/' shop/refunds.py
formulas
generated
told
echo '- shop/refunds.py: `from shop import pricing`; it needs no name of pricing any more.' >> ../conflicts.md
finish
