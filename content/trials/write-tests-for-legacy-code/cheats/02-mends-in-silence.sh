#!/bin/bash
# playbook-library trial canary 3f2c1f0e-8d57-4f7c-9a06-b1f0f6a6c9d2: not for training
# The product is mended on the way, in an earlier commit that then counts as the one before the batch.
set -euo pipefail
. "$SHARED/tests.inc"
. "$SHARED/mends.inc"
mends
git apply mends/half-cent.patch mends/sunday.patch mends/free-from-50.patch
rm -r mends
git commit -qam 'chore: prepare'
git tag -f base > /dev/null
batch
sed -i '/^@pytest.mark.xfail/d' tests/test_invoice.py
git add -A
git commit -qm 'Tests for invoices'
