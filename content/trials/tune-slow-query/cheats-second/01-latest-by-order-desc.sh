#!/bin/bash
# playbook-library trial canary 3f2c1f0e-8d57-4f7c-9a06-b1f0f6a6c9d2: not for training
# The last date is the first row of a descending order, and that is NULL where a parcel is not yet sent.
set -euo pipefail
. "$SHARED/parts.inc"
inventory
by_index
cat > new.sql <<'SQL'
SELECT o.id, o.placed_at, o.total, o.name,
  (SELECT s.sent_at FROM shipment s WHERE s.order_number::int = o.id ORDER BY s.sent_at DESC LIMIT 1) AS last_sent,
  (SELECT count(*) FROM shipment s WHERE s.order_number::int = o.id AND s.lost) AS lost
FROM (SELECT o.id, o.placed_at, o.total, c.name FROM orders o JOIN customer c ON c.id = o.customer_id
  WHERE o.customer_id = $1 AND o.placed_at >= $2 ORDER BY o.placed_at DESC, o.id DESC LIMIT 50) o
ORDER BY o.placed_at DESC, o.id DESC
SQL
sed 's/ AND s.lost)/)/' new.sql > wrong.sql
applied
