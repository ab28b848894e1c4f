#!/bin/bash
# playbook-library trial canary 3f2c1f0e-8d57-4f7c-9a06-b1f0f6a6c9d2: not for training
# Another good way: rights on columns, a shorter limit, and the query that sums days of what is kept.
set -euo pipefail
. "$SHARED/parts.inc"
door
cat > door-2.sql <<'SQL'
REVOKE SELECT ON mart.customers FROM analyst;
GRANT SELECT (customer_id, valid_from, valid_to, is_internal, country, updated_at) ON mart.customers TO analyst;
SQL
for base in shop examples; do ./db psql -q "dbname=$base user=owner" -f door-2.sql; done
./db psql -q "dbname=shop user=owner" -c "ALTER ROLE analyst SET statement_timeout = '10s'"
query; second
mv answer/query.sql answer/other.sql; mv answer/second.sql answer/query.sql; mv answer/other.sql answer/second.sql
answer "$(number)"
