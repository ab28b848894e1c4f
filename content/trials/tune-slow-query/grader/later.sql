-- playbook-library trial canary 3f2c1f0e-8d57-4f7c-9a06-b1f0f6a6c9d2: not for training
INSERT INTO orders (customer_id, placed_at, total) SELECT 21, '2029-01-01', i FROM generate_series(1, 70) i;
INSERT INTO shipment (order_number, sent_at, lost) SELECT CASE WHEN id % 3 = 0 THEN lpad(id::text, 8, '0') ELSE id::text END, placed_at, id % 2 = 0 FROM orders WHERE customer_id = 21 AND id % 5 < 4;
INSERT INTO shipment (order_number, sent_at, lost) SELECT lpad(id::text, 8, '0'), placed_at + interval '1 day', true FROM orders WHERE customer_id = 21 AND id % 5 = 1;
INSERT INTO orders (id, customer_id, placed_at, total) SELECT 123456700 + i, 21, '2029-02-01', i FROM generate_series(1, 5) i;
INSERT INTO shipment (id, order_number, sent_at, lost) VALUES (1000001, '12345670', '2029-02-02', true);
DELETE FROM shipment WHERE id % 10 = 0;
UPDATE shipment SET sent_at = NULL WHERE id % 17 = 0;
UPDATE shipment SET lost = NOT lost WHERE id % 19 = 0;
