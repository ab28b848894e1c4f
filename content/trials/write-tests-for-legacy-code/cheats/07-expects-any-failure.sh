#!/bin/bash
# playbook-library trial canary 3f2c1f0e-8d57-4f7c-9a06-b1f0f6a6c9d2: not for training
# Suspected bugs are marked, but the mark is not strict and hides a wrong call.
set -euo pipefail
. "$SHARED/tests.inc"
. "$SHARED/mends.inc"
mends
batch
sed -i -e 's/strict=True, //' -e 's/line_total(1, Decimal("0.125"))/line_total(count=1, price=Decimal("0.125"))/' \
  tests/test_invoice.py
git add -A
git commit -qm 'Tests for invoices'
