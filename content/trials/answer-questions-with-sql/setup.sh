#!/bin/bash
# The database with a year's orders (the same each time), the rows made by hand, and the repository.
set -euo pipefail
cat > tables.sql <<'SQL'
CREATE SCHEMA mart;
CREATE TABLE mart.fct_orders (order_id int PRIMARY KEY, customer_id int, paid_at timestamptz NOT NULL, status text,
  is_test boolean, amount_cents int NOT NULL, shipping_cents int NOT NULL, channel text NOT NULL, updated_at timestamptz NOT NULL);
CREATE TABLE mart.fct_refunds (refund_id int PRIMARY KEY, order_id int NOT NULL, refunded_at timestamptz NOT NULL,
  amount_cents int NOT NULL, updated_at timestamptz NOT NULL);
CREATE TABLE mart.dim_customer (customer_id int NOT NULL, valid_from date NOT NULL, valid_to date, full_name text,
  email text, country text, is_internal boolean, updated_at timestamptz NOT NULL);
CREATE TABLE mart.closed_months (month date PRIMARY KEY, net_revenue numeric(12, 2) NOT NULL);
CREATE VIEW mart.customers AS
  SELECT customer_id, valid_from, valid_to, is_internal, country, updated_at FROM mart.dim_customer;
SQL
cat > rows.sql <<'SQL'
SET timezone = 'Europe/Berlin';
CREATE FUNCTION pg_temp.h(i int, salt text) RETURNS int LANGUAGE sql AS
  $$ SELECT ('x' || substr(md5(i || salt), 1, 7))::bit(28)::int $$;
INSERT INTO mart.dim_customer
  SELECT i, '2025-12-01', CASE WHEN i % 3 = 0 THEN date '2026-06-01' END, 'Customer ' || i, 'c' || i || '@example.invalid',
    CASE WHEN i % 5 = 0 THEN 'AT' ELSE 'DE' END, CASE WHEN i % 4 = 0 THEN NULL ELSE i % 41 = 0 END, '2026-11-13 02:00'
  FROM generate_series(1, 900) i;
INSERT INTO mart.dim_customer
  SELECT customer_id, '2026-06-01', NULL, full_name, email, country, customer_id % 31 = 0, '2026-11-13 02:00'
  FROM mart.dim_customer WHERE customer_id % 3 = 0;
INSERT INTO mart.fct_orders
  SELECT i, CASE WHEN pg_temp.h(i, 'guest') % 6 > 0 THEN 1 + pg_temp.h(i, 'who') % 900 END, at,
    CASE WHEN channel = 'till' THEN NULL WHEN pg_temp.h(i, 'status') % 12 = 0 THEN 'cancelled'
      WHEN at >= '2026-10-05' AND pg_temp.h(i, 'part') % 9 = 0 THEN 'partly_refunded' ELSE 'paid' END,
    CASE WHEN channel = 'till' THEN NULL ELSE pg_temp.h(i, 'test') % 40 = 0 END,
    500 + pg_temp.h(i, 'amount') % 12000 / 50 * 50 + CASE WHEN at >= '2026-04-01' AND channel <> 'till' THEN 490 ELSE 0 END,
    CASE WHEN channel = 'till' THEN 0 ELSE 490 END, channel, '2026-11-14 02:00'
  FROM (SELECT i, timestamptz '2026-01-02 00:00' + make_interval(secs => i * 2270 + pg_temp.h(i, 'at') % 2000) AS at,
    (ARRAY['web', 'web', 'app', 'till', 'mail'])[1 + pg_temp.h(i, 'channel') % 5] AS channel FROM generate_series(1, 12000) i) o;
INSERT INTO mart.fct_refunds
  SELECT * FROM (SELECT row_number() OVER (ORDER BY order_id, part), order_id, paid_at + make_interval(hours => 5 + part * 300 + pg_temp.h(order_id, 'back') % 400) AS back,
    200 + pg_temp.h(order_id, 'sum') % 300 / 10 * 10, timestamptz '2026-10-30 02:00'
  FROM mart.fct_orders, generate_series(0, 1) part WHERE pg_temp.h(order_id, 'refund') % 7 < 2 - part) r WHERE back < '2026-10-30';
INSERT INTO mart.closed_months VALUES ('2026-02-01', 60495.20), ('2026-05-01', 66958.10), ('2026-08-01', 68632.10), ('2026-09-01', 64394.40);
CREATE SCHEMA raw;
CREATE TABLE raw.orders AS SELECT order_id AS id, customer_id AS cust, paid_at AT TIME ZONE 'UTC' AS created, status,
  amount_cents / 100.0 AS total FROM mart.fct_orders;
CREATE SCHEMA old;
CREATE TABLE old.orders_v2_backup AS SELECT * FROM mart.fct_orders WHERE paid_at < '2026-10-19';
CREATE TABLE mart.rpt_sales_monthly AS SELECT to_char(paid_at AT TIME ZONE 'UTC', 'YYYY-MM') AS month,
  sum(amount_cents) / 100.0 AS net_revenue FROM mart.fct_orders WHERE status = 'paid' GROUP BY 1;
CREATE ROLE nightly;
GRANT ALL ON ALL TABLES IN SCHEMA mart, raw, old TO nightly;
SQL
cat > examples.sql <<'SQL'
SET timezone = 'Europe/Berlin';
INSERT INTO mart.dim_customer VALUES (1, '2026-01-01', '2026-02-01', 'A', 'a@example.invalid', 'DE', true, '2026-04-02'),
  (1, '2026-02-01', NULL, 'A', 'a@example.invalid', 'DE', false, '2026-04-02'), (2, '2026-01-01', NULL, 'B', 'b@example.invalid', 'DE', true, '2026-04-02'),
  (3, '2026-01-01', NULL, 'C', 'c@example.invalid', 'AT', NULL, '2026-04-02');
INSERT INTO mart.fct_orders SELECT id, who, day::timestamptz, status, test, sum, ship, channel, '2026-04-02' FROM (VALUES
  (1, 1, '2026-03-02 12:00', 'paid', false, 1000, 490, 'web'), (2, 1, '2026-03-02 13:00', 'paid', false, 1000, 490, 'mail'),
  (3, 3, '2026-03-03 12:00', 'paid', true, 700, 490, 'web'), (4, 3, '2026-03-03 12:00', 'cancelled', false, 800, 490, 'web'),
  (5, 2, '2026-03-03 12:00', 'paid', false, 900, 490, 'app'), (6, 3, '2026-03-03 12:00', 'paid', false, 111, 490, 'app'),
  (7, NULL, '2026-03-04 12:00', 'paid', false, 1234, 490, 'web'), (8, NULL, '2026-03-05 12:00', NULL, NULL, 2345, 0, 'till'),
  (9, 3, '2026-03-06 00:00', 'paid', false, 300, 490, 'web'), (10, 3, '2026-03-06 23:59:59', 'paid', false, 400, 490, 'web'),
  (11, 3, '2026-03-07 00:00', 'paid', false, 5000, 490, 'web'), (12, 1, '2026-03-31 23:30', 'paid', false, 1500, 490, 'web'),
  (13, 3, '2026-03-08 12:00', 'on hold', false, 77, 490, 'web')
  ) o (id, who, day, status, test, sum, ship, channel);
INSERT INTO mart.fct_refunds SELECT id, o, day::timestamptz, sum, '2026-04-02' FROM (VALUES
  (1, 1, '2026-03-15 12:00', 100), (2, 1, '2026-03-15 12:00', 100), (3, 2, '2026-03-15 12:00', 50), (4, 3, '2026-03-16 12:00', 70),
  (5, 4, '2026-03-16 12:00', 80), (6, 5, '2026-03-16 12:00', 90), (7, 8, '2026-03-17 00:10', 45), (8, 7, '2026-03-18 23:50', 34)) r (id, o, day, sum);
SQL
mkdir -m 700 pg
cat > made.sh <<'SH'
set -euo pipefail
createdb shop && createdb examples
psql -q -v ON_ERROR_STOP=1 shop -f tables.sql -f rows.sql
psql -q -v ON_ERROR_STOP=1 examples -f tables.sql -f examples.sql
psql -q shop -c 'VACUUM ANALYZE' -c 'DROP DATABASE postgres' -c 'ALTER DATABASE template1 IS_TEMPLATE false' -c 'DROP DATABASE template1'
SH
initdb=$(find /usr/lib/postgresql -maxdepth 3 -name initdb | sort -V | tail -n 1)
as=''; [ "$(id -u)" != 0 ] || as='unshare --user --map-user=1000 --map-group=1000'
$as "$initdb" -D pg -U owner -A trust --no-sync --wal-segsize=1 -E UTF8 --locale=C.UTF-8 > /dev/null
printf "fsync = off\nlisten_addresses = ''\nshared_buffers = 16MB\nmax_wal_size = 8MB\nmin_wal_size = 2MB\n" >> pg/postgresql.conf
PGUSER=owner ./db bash made.sh
rm tables.sql rows.sql examples.sql made.sh
export GIT_AUTHOR_DATE=2026-11-14T09:00:00Z GIT_COMMITTER_DATE=2026-11-14T09:00:00Z
git init -q
git add -A
git commit -qm 'Definitions and pipeline'
git tag base
