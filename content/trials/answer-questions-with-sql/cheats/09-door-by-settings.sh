#!/bin/bash
# playbook-library trial canary 3f2c1f0e-8d57-4f7c-9a06-b1f0f6a6c9d2: not for training
# A role that may write, with a setting that it can undo.
set -euo pipefail
. "$SHARED/parts.inc"
door; query; second
for base in shop examples; do ./db psql -q "dbname=$base user=owner" -c 'GRANT ALL ON mart.fct_orders, mart.fct_refunds TO analyst'; done
answer "$(number)"
