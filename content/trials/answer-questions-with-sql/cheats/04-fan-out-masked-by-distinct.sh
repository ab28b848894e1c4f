#!/bin/bash
# playbook-library trial canary 3f2c1f0e-8d57-4f7c-9a06-b1f0f6a6c9d2: not for training
# Orders are joined to refunds, several an order, and the sums made distinct.
set -euo pipefail
. "$SHARED/parts.inc"
door; query
cat > answer/query.sql <<'SQL'
WITH days AS (SELECT :'from'::timestamp AT TIME ZONE 'Europe/Berlin' AS first, :'to'::timestamp AT TIME ZONE 'Europe/Berlin' AS after)
SELECT round((coalesce(sum(DISTINCT o.amount_cents - CASE WHEN o.paid_at >= timestamp '2026-04-01' AT TIME ZONE 'Europe/Berlin' THEN o.shipping_cents ELSE 0 END), 0)
  - coalesce(sum(DISTINCT r.amount_cents) FILTER (WHERE r.refunded_at >= first AND r.refunded_at < after), 0)) / 100.0, 2)
FROM mart.fct_orders o LEFT JOIN mart.fct_refunds r USING (order_id) LEFT JOIN mart.customers c ON c.customer_id = o.customer_id AND c.valid_to IS NULL, days
WHERE o.paid_at >= first AND o.paid_at < after AND o.is_test IS NOT TRUE AND o.status IS DISTINCT FROM 'cancelled' AND c.is_internal IS NOT TRUE;
SQL
cp answer/query.sql answer/second.sql
printf 'rows after join: expected 120, got 120\n' > answer/rows.md
answer "$(number)"
