#!/bin/bash
# playbook-library trial canary 3f2c1f0e-8d57-4f7c-9a06-b1f0f6a6c9d2: not for training
# Two partial answers in one join, an index on the expression alone, another name, a lock timeout for the drop.
set -euo pipefail
. "$SHARED/parts.inc"
inventory
by_index
cat > new.sql <<'SQL'
WITH page AS (
  SELECT o.id, o.placed_at, o.total, c.name FROM customer c JOIN orders o ON o.customer_id = c.id
  WHERE c.id = $1 AND o.placed_at >= $2 ORDER BY 2 DESC, 1 DESC LIMIT 50)
SELECT p.id, p.placed_at, p.total, p.name, max(s.sent_at) AS last_sent, count(*) FILTER (WHERE s.lost) AS lost
FROM page p LEFT JOIN shipment s ON s.order_number::int = p.id
GROUP BY 1, 2, 3, 4
ORDER BY 2 DESC, 1 DESC
SQL
sed 's/LEFT JOIN/JOIN/' new.sql > wrong.sql
cat > migration.sql <<'SQL'
SET lock_timeout = '5s';
CREATE INDEX CONCURRENTLY shipment_number_as_int ON shipment (((order_number)::integer));
ANALYZE shipment;
DROP INDEX CONCURRENTLY shipment_order;
SQL
echo 'DROP INDEX CONCURRENTLY shipment_number_as_int;' > undo.sql
applied
