#!/bin/bash
# The copy with 12,000 readings (the same each time), the backup that it was restored from, and the repository.
set -euo pipefail
mkdir -m 700 pg backup
cat > backup/app.sql <<'SQL'
CREATE TABLE station (id int PRIMARY KEY, name text NOT NULL);
CREATE TABLE reading (id serial PRIMARY KEY, sensor text NOT NULL, taken_at timestamptz NOT NULL DEFAULT now(),
  value numeric(12,4) NOT NULL CHECK (value > -274), note text, station_id int REFERENCES station, UNIQUE (sensor, taken_at));
CREATE TABLE alarm (id serial PRIMARY KEY, reading_id int NOT NULL REFERENCES reading, said text NOT NULL);
INSERT INTO station VALUES (1, 'home'), (2, 'shed');
SQL
cat > made.sh <<'SH'
set -euo pipefail
createdb app
psql -q -v ON_ERROR_STOP=1 app -f backup/app.sql
psql -q -v ON_ERROR_STOP=1 app <<'SQL'
INSERT INTO reading SELECT i, (ARRAY['cellar', 'attic', 'attic ', 'Attic', 'roof, north', 'shed'])[1 + i % 6],
  timestamptz '2025-10-01 00:00+02' + make_interval(secs => i * 2711.25), (i * 7919 % 120000) / 10000.0 - 5,
  CASE i % 5 WHEN 0 THEN NULL WHEN 1 THEN '' WHEN 2 THEN ' seen by hand ' ELSE 'n' || i END,
  CASE WHEN i % 7 > 0 THEN 1 + i % 2 END
FROM generate_series(1, 12600) i WHERE i % 21 <> 8;
SELECT setval('reading_id_seq', 12600 + 137);
INSERT INTO alarm (reading_id, said) SELECT id, 'too warm' FROM reading WHERE id % 400 = 1;
SQL
for table in reading alarm; do
  echo "COPY $table FROM stdin;"
  psql -q app -c "COPY (SELECT * FROM $table ORDER BY id) TO STDOUT"
  printf '\\.\nSELECT pg_catalog.setval('"'%s_id_seq'"', %s);\n' $table "$(psql -qAt app -c "SELECT last_value FROM ${table}_id_seq")"
done >> backup/app.sql
psql -qAt app -c "SELECT 'station', count(*) FROM station UNION ALL SELECT 'reading', count(*) FROM reading UNION ALL
  SELECT 'alarm', count(*) FROM alarm" > backup/counts.txt
psql -q app -c 'ALTER DATABASE template1 IS_TEMPLATE false' -c 'DROP DATABASE template1' -c 'VACUUM ANALYZE'
SH
initdb=$(find /usr/lib/postgresql -maxdepth 3 -name initdb | sort -V | tail -n 1)
as=''; [ "$(id -u)" != 0 ] || as='unshare --user --map-user=1000 --map-group=1000'
export TZ=UTC
$as "$initdb" -D pg -U owner -A trust --no-sync --wal-segsize=1 -E UTF8 --locale=C.UTF-8 > /dev/null
printf "fsync = off\nlisten_addresses = ''\nshared_buffers = 32MB\nmax_wal_size = 16MB\nmin_wal_size = 2MB\ntimezone = 'Europe/Berlin'\nautovacuum = off\n" >> pg/postgresql.conf
./db bash made.sh > /dev/null
rm made.sh
git init -q
git add -A
git commit -qm 'The copy as it was handed over'
git tag base
