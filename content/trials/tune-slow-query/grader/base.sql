-- playbook-library trial canary 3f2c1f0e-8d57-4f7c-9a06-b1f0f6a6c9d2: not for training
CREATE TABLE customer (id serial PRIMARY KEY, name text NOT NULL);
CREATE TABLE orders (id serial PRIMARY KEY, customer_id int NOT NULL REFERENCES customer, placed_at timestamptz NOT NULL,
  total numeric(10,2) NOT NULL CHECK (total >= 0), note text);
CREATE INDEX orders_customer_placed ON orders (customer_id, placed_at);
CREATE TABLE shipment (id serial PRIMARY KEY, order_number text NOT NULL CHECK (order_number ~ '^([1-9][0-9]{0,7}|0[0-9]{7})$'),
  sent_at timestamptz, lost boolean NOT NULL DEFAULT false, label text);
CREATE INDEX shipment_order_number ON shipment (order_number);
CREATE INDEX shipment_sent ON shipment (sent_at);
CREATE INDEX shipment_order ON shipment ((order_number::int));
INSERT INTO customer SELECT i, 'customer ' || i FROM generate_series(1, 2000) i;
INSERT INTO orders SELECT i, CASE WHEN i % 12 = 7 THEN 9 ELSE 1 + i * 6007 % 1990 END,
  timestamptz '2024-07-01 00:00+00' + make_interval(hours => i / 12), (i * 3571 % 70000) / 100.0, NULL FROM generate_series(1, 18000) i;
INSERT INTO shipment SELECT i, CASE WHEN i % 4 = 1 THEN lpad(n::text, 8, '0') ELSE n::text END,
  CASE WHEN i % 9 > 0 THEN timestamptz '2024-07-02 00:00+00' + make_interval(secs => i * 2600) END, i % 31 = 3, repeat('label ', 24)
FROM (SELECT i, 1 + i * 179424673::bigint % 18000 AS n FROM generate_series(1, 28000) i WHERE i % 13 <> 2) s;
SELECT setval('customer_id_seq', 2000), setval('orders_id_seq', 18000), setval('shipment_id_seq', 28000);
UPDATE pg_catalog.pg_index SET indisvalid = false WHERE indexrelid = 'shipment_order'::regclass;
ANALYZE;
