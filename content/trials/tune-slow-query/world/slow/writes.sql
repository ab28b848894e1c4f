INSERT INTO orders (customer_id, placed_at, total) VALUES (17, now(), 12.50);
INSERT INTO shipment (order_number, sent_at) VALUES ('00000017', now());
UPDATE shipment SET lost = true WHERE id = 4711;
