SELECT o.id, o.placed_at, o.total, c.name,
  (SELECT max(s.sent_at) FROM shipment s WHERE s.order_number::int = o.id) AS last_sent,
  (SELECT count(*) FROM shipment s WHERE s.order_number::int = o.id AND s.lost) AS lost
FROM orders o JOIN customer c ON c.id = o.customer_id
WHERE o.customer_id = $1 AND o.placed_at >= $2
ORDER BY o.placed_at DESC, o.id DESC
LIMIT 50
