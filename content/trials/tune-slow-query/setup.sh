#!/bin/bash
# A copy with 20,000 orders and 30,000 shipments (the same each time), the backup that it was restored from, and the
# repository. Old shipments carry their order's number in eight digits, new ones without zeros; an index whose building
# was broken off has been left behind.
set -euo pipefail
mkdir -m 700 pg backup
cat > backup/app.sql <<'SQL'
CREATE TABLE customer (id serial PRIMARY KEY, name text NOT NULL);
CREATE TABLE orders (id serial PRIMARY KEY, customer_id int NOT NULL REFERENCES customer, placed_at timestamptz NOT NULL,
  total numeric(10,2) NOT NULL CHECK (total >= 0), note text);
CREATE INDEX orders_customer_placed ON orders (customer_id, placed_at);
CREATE TABLE shipment (id serial PRIMARY KEY, order_number text NOT NULL CHECK (order_number ~ '^([1-9][0-9]{0,7}|0[0-9]{7})$'),
  sent_at timestamptz, lost boolean NOT NULL DEFAULT false, label text);
CREATE INDEX shipment_order_number ON shipment (order_number);
CREATE INDEX shipment_sent ON shipment (sent_at);
CREATE INDEX shipment_order ON shipment ((order_number::int));
SQL
cat > made.sh <<'SH'
set -euo pipefail
createdb app
psql -q -v ON_ERROR_STOP=1 app -f backup/app.sql
psql -q -v ON_ERROR_STOP=1 app <<'SQL'
INSERT INTO customer SELECT i, 'customer ' || i FROM generate_series(1, 2000) i;
INSERT INTO orders SELECT i, CASE WHEN i % 10 = 3 THEN 3 ELSE 1 + i * 7919 % 1990 END,
  timestamptz '2024-06-01 00:00+00' + make_interval(secs => i / 3 * 9400), (i * 31337 % 90000) / 100.0, CASE WHEN i % 9 = 0 THEN 'gift' END
FROM generate_series(1, 20000) i;
INSERT INTO shipment SELECT i, CASE WHEN n % 11 = 5 OR i < 10000 AND i % 3 = 0 THEN lpad(n::text, 8, '0') ELSE n::text END,
  CASE WHEN i % 13 > 0 THEN timestamptz '2024-06-03 00:00+00' + make_interval(secs => i * 2100) END, i % 50 = 7, repeat('label ', 24)
FROM (SELECT i, 1 + i * 15485863::bigint % 20000 AS n FROM generate_series(1, 30000) i WHERE i % 17 <> 4) s;
SELECT setval('customer_id_seq', 2000), setval('orders_id_seq', 20000), setval('shipment_id_seq', 30000);
SQL
for table in customer orders shipment; do
  echo "COPY $table FROM stdin;"
  psql -q app -c "COPY (SELECT * FROM $table ORDER BY id) TO STDOUT"
  printf '\\.\nSELECT pg_catalog.setval('"'%s_id_seq'"', %s);\n' $table "$(psql -qAt app -c "SELECT last_value FROM ${table}_id_seq")"
done >> backup/app.sql
cat >> backup/app.sql <<'SQL'
UPDATE pg_catalog.pg_index SET indisvalid = false WHERE indexrelid = 'shipment_order'::regclass;
ANALYZE;
SQL
psql -q app -c "UPDATE pg_index SET indisvalid = false WHERE indexrelid = 'shipment_order'::regclass" -c 'CREATE EXTENSION pg_stat_statements'
psql -q app -c 'ALTER DATABASE template1 IS_TEMPLATE false' -c 'DROP DATABASE template1' -c 'VACUUM ANALYZE'
SH
initdb=$(find /usr/lib/postgresql -maxdepth 3 -name initdb | sort -V | tail -n 1)
as=''; [ "$(id -u)" != 0 ] || as='unshare --user --map-user=1000 --map-group=1000'
export TZ=UTC
$as "$initdb" -D pg -U owner -A trust --no-sync --wal-segsize=1 -E UTF8 --locale=C.UTF-8 > /dev/null
printf "fsync = off\nlisten_addresses = ''\nshared_buffers = 64MB\nmax_wal_size = 32MB\nmin_wal_size = 2MB\ntimezone = 'UTC'\nautovacuum = off\nshared_preload_libraries = 'pg_stat_statements'\n" >> pg/postgresql.conf
./db bash made.sh > /dev/null
rm made.sh
git init -q
git add -A
git commit -qm 'The copy as it was handed over'
git tag base
