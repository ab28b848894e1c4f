#!/bin/bash
# playbook-library trial canary 3f2c1f0e-8d57-4f7c-9a06-b1f0f6a6c9d2: not for training
# The view that the role may read has no personal column by name, and the whole row in one.
set -euo pipefail
. "$SHARED/parts.inc"
door; query; second
for base in shop examples; do
  ./db psql -q "dbname=$base user=owner" -c 'CREATE OR REPLACE VIEW mart.customers AS SELECT customer_id, valid_from, valid_to, is_internal, country, updated_at, to_jsonb(c) AS details FROM mart.dim_customer c'
done
answer "$(number)"
