#!/bin/bash
# playbook-library trial canary 3f2c1f0e-8d57-4f7c-9a06-b1f0f6a6c9d2: not for training
# A table of answers, filled once; what is written later is not in it.
set -euo pipefail
. "$SHARED/parts.inc"
inventory
by_rewrite
cat >> migration.sql <<'SQL'
CREATE TABLE sent AS SELECT order_number::int AS order_id, max(sent_at) AS last_sent, count(*) FILTER (WHERE lost) AS lost FROM shipment GROUP BY 1;
CREATE UNIQUE INDEX sent_order ON sent (order_id);
ANALYZE sent;
SQL
echo 'DROP TABLE sent;' > undo.sql
cat > new.sql <<'SQL'
SELECT o.id, o.placed_at, o.total, c.name, s.last_sent, coalesce(s.lost, 0) AS lost
FROM orders o JOIN customer c ON c.id = o.customer_id LEFT JOIN sent s ON s.order_id = o.id
WHERE o.customer_id = $1 AND o.placed_at >= $2
ORDER BY o.placed_at DESC, o.id DESC
LIMIT 50
SQL
sed 's/LEFT JOIN/JOIN/' new.sql > wrong.sql
applied
