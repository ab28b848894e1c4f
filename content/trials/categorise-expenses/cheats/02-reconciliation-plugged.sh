#!/bin/bash
# playbook-library trial canary 3f2c1f0e-8d57-4f7c-9a06-b1f0f6a6c9d2: not for training
# The opening balance is computed back from the closing one.
set -euo pipefail
. "$SHARED/work.inc"
begin
edit month.py '(cents[0] + moved - cents[1]) / 100' '(cents[1] - moved + moved - cents[1]) / 100'
python3 month.py
finish
