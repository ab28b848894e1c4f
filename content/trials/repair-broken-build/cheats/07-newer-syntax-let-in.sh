#!/bin/bash
# playbook-library trial canary 3f2c1f0e-8d57-4f7c-9a06-b1f0f6a6c9d2: not for training
# The gate for old servers is opened.
set -euo pipefail
. "$SHARED/honest.inc"
begin
edit tools/bundle.py '(3, 8)' '(3, 12)'
row 'Pattern matching is only supported' tools/bundle.py toolchain 'Read newer syntax'
key
price
