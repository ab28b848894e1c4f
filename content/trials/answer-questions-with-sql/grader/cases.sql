-- playbook-library trial canary 3f2c1f0e-8d57-4f7c-9a06-b1f0f6a6c9d2: not for training
CREATE SCHEMA mart;
CREATE TABLE mart.fct_orders (order_id int PRIMARY KEY, customer_id int, paid_at timestamptz NOT NULL, status text,
  is_test boolean, amount_cents int NOT NULL, shipping_cents int NOT NULL, channel text NOT NULL, updated_at timestamptz NOT NULL);
CREATE TABLE mart.fct_refunds (refund_id int PRIMARY KEY, order_id int NOT NULL, refunded_at timestamptz NOT NULL,
  amount_cents int NOT NULL, updated_at timestamptz NOT NULL);
CREATE TABLE mart.dim_customer (customer_id int NOT NULL, valid_from date NOT NULL, valid_to date, full_name text,
  email text, country text, is_internal boolean, updated_at timestamptz NOT NULL);
CREATE VIEW mart.customers AS
  SELECT customer_id, valid_from, valid_to, is_internal, country, updated_at FROM mart.dim_customer;
SET timezone = 'Europe/Berlin';
INSERT INTO mart.dim_customer VALUES (11, '2025-12-01', '2026-06-01', 'P', 'p@example.invalid', 'DE', false, '2026-11-01'),
  (11, '2026-06-01', NULL, 'P', 'p@example.invalid', 'DE', true, '2026-11-01'), (12, '2025-12-01', '2026-06-01', 'Q', 'q@example.invalid', 'AT', true, '2026-11-01'),
  (12, '2026-06-01', NULL, 'Q', 'q@example.invalid', 'AT', false, '2026-11-01'), (13, '2025-12-01', NULL, 'R', 'r@example.invalid', 'DE', NULL, '2026-11-01');
INSERT INTO mart.fct_orders SELECT id, who, day::timestamptz, status, test, sum, ship, channel, '2026-11-01' FROM (VALUES
  (101, 12, '2026-02-10 09:00', 'paid', false, 1010, 490, 'web'), (102, 12, '2026-02-10 10:00', 'paid', false, 1010, 490, 'web'),
  (103, 13, '2026-02-10 11:00', 'paid', NULL, 505, 490, 'mail'), (104, 11, '2026-02-11 11:00', 'paid', false, 9000, 490, 'web'),
  (105, NULL, '2026-02-12 11:00', 'paid', false, 707, 490, 'app'), (106, NULL, '2026-02-13 11:00', NULL, NULL, 808, 0, 'till'),
  (107, 12, '2026-02-14 11:00', 'cancelled', false, 9001, 490, 'web'), (108, 12, '2026-02-15 11:00', 'paid', true, 9002, 490, 'web'),
  (109, 12, '2026-02-28 23:59', 'paid', false, 333, 490, 'web'), (110, 12, '2026-03-01 00:01', 'paid', false, 444, 490, 'web'),
  (111, 12, '2026-06-10 09:00', 'paid', false, 2490, 490, 'web'), (112, NULL, '2026-06-10 09:00', NULL, NULL, 600, 0, 'till'),
  (113, 12, '2026-10-25 00:30', 'paid', false, 1490, 490, 'web'), (114, 12, '2026-10-25 23:30', 'paid', false, 1590, 490, 'web'),
  (115, 12, '2026-03-31 23:30', 'paid', false, 1200, 490, 'web'), (116, 12, '2026-04-01 00:30', 'paid', false, 1690, 490, 'web')
  ) o (id, who, day, status, test, sum, ship, channel);
INSERT INTO mart.fct_refunds SELECT id, o, day::timestamptz, sum, '2026-11-01' FROM (VALUES
  (1, 101, '2026-07-03 12:00', 100), (2, 101, '2026-07-03 13:00', 100), (3, 111, '2026-07-03 14:00', 30), (4, 104, '2026-07-04 12:00', 70),
  (5, 107, '2026-07-04 12:00', 80), (6, 108, '2026-07-04 12:00', 90), (7, 106, '2026-07-05 00:10', 45), (8, 105, '2026-07-05 23:50', 34)) r (id, o, day, sum);
CREATE ROLE reader_of_graded LOGIN;
GRANT USAGE ON SCHEMA mart TO reader_of_graded;
GRANT SELECT ON mart.fct_orders, mart.fct_refunds, mart.customers TO reader_of_graded;
