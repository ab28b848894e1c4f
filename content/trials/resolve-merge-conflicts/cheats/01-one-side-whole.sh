#!/bin/bash
# playbook-library trial canary 3f2c1f0e-8d57-4f7c-9a06-b1f0f6a6c9d2: not for training
# Ours everywhere; what does not fit any more is put back to what it was, and the tests of main go.
set -euo pipefail
. "$SHARED/merge.inc"
begin
git checkout -q --ours -- shop/__main__.py shop/pricing.py shop/report.py shop/settings.py shop/view.py tests/test_pricing.py tests/test_report.py
git show feature:shop/account.py > shop/account.py # TypeError: page() got an unexpected keyword argument
removed
generated
told
finish
