#!/bin/bash
# playbook-library trial canary 3f2c1f0e-8d57-4f7c-9a06-b1f0f6a6c9d2: not for training
# The case's files run over rows of the grader's own; what came of it is asked in sandboxes where none of them runs.
failed() { echo "$1"; exit 10; }
[ "$(sha256sum < backup/app.sql)" = "12a9b0de12b210034b0b454d52deef3e04bdf7c257893d52df9a6a72d9524062  -" ] || failed "the backup was changed"
for files in compare.sql {expand,backfill}/*.{up,down}.sql contract/*.up.sql; do
  [ -f "$files" ] && [ ! -L "$files" ] || failed "there is no $files"
done
rm -rf .graded && mkdir .graded && cp "$GRADER"/{base,writes}.sql .graded && cp "$GRADER/db" db && chmod 755 db
p='psql -X -qAt -v ON_ERROR_STOP=1'
up='up() { for f in $2/*.up.sql; do psql -X -q -v ON_ERROR_STOP=1 -d $1 -f "$f" > /dev/null 2>&1 || return 1; done; }
down() { for f in $(ls -r $2/*.down.sql); do psql -X -q -v ON_ERROR_STOP=1 -d $1 -f "$f" > /dev/null 2>&1 || return 1; done; }'
new='SELECT m.id, s.name, m.taken_at, m.value, m.note, m.station_id FROM measurement m LEFT JOIN sensor s ON s.id = m.sensor_id'
old='SELECT id, sensor, taken_at, value, note, station_id FROM reading'
differing="SELECT (SELECT count(*) FROM (($old) EXCEPT ALL ($new)) a) + (SELECT count(*) FROM (($new) EXCEPT ALL ($old)) b)"
hash_of() { echo "SELECT count(*) || md5(string_agg(t::text, ',' ORDER BY id)) FROM ($1) t"; }
child() { "$CHILD" "./db bash -c $(printf %q "$1")"; }
child "psql -d app -qc 'CREATE DATABASE g TEMPLATE template0' -c 'CREATE DATABASE control TEMPLATE template0' && $p -d g -f .graded/base.sql && $p -d control -f .graded/base.sql -f .graded/writes.sql" > /dev/null || failed "the server does not work any more"
child "$up
up g expand || exit 3
$p -d g -c \"CREATE SEQUENCE g_seen; CREATE FUNCTION g_stop() RETURNS trigger LANGUAGE plpgsql AS 'BEGIN IF nextval(''g_seen'') > 1200 THEN RAISE ''stop''; END IF; RETURN new; END'; CREATE TRIGGER g_stop BEFORE INSERT ON measurement FOR EACH ROW EXECUTE FUNCTION g_stop()\" || exit 4
up g backfill && exit 5
exit 0" > /dev/null || failed "expand does not run, or the backfill is not one that can break off"
[ "$(child "$p -d g -c 'SELECT count(*) > 0 FROM measurement'")" = t ] || failed "nothing is kept when the backfill breaks off"
child "$p -d g -c 'DROP FUNCTION g_stop CASCADE' -c 'DROP SEQUENCE g_seen' -f .graded/writes.sql" > /dev/null 2>&1 || failed "the importer's writes fail"
mv .graded /tmp/graded
child "$up
up g backfill && up g backfill" > /dev/null || failed "the backfill cannot be run again"
said=$(child "$p -d g -c \"$differing\"; $p -d g -c \"$(hash_of "$old")\"; $p -d control -c \"$(hash_of "$old")\"; psql -qd app -c 'CREATE DATABASE g2 TEMPLATE g'")
{ read -r count; read -r mine; read -r other; } <<< "$said"
[ "$count" = 0 ] && [ -n "$mine" ] && [ "$mine" = "$other" ] || failed "after the backfill: $said"
used() { # DATABASE: the new shape takes what is good, and refuses what the old one refused
  child "$p -d $1 -c \"INSERT INTO measurement (sensor_id, value) SELECT min(id), 1 FROM sensor\" -c \"INSERT INTO sensor (name) VALUES ('of $1')\" || exit 3
  while read -r line; do $p -d $1 -c \"\$line\" > /dev/null 2>&1 && exit 4; done < .graded
  exit 0" > /dev/null
}
cat > .graded <<'SQL'
INSERT INTO measurement (id, sensor_id, value) SELECT max(id), min(sensor_id), 1 FROM measurement
INSERT INTO measurement (sensor_id, taken_at, value) SELECT sensor_id, taken_at, 1 FROM measurement LIMIT 1
INSERT INTO measurement (sensor_id, taken_at, value) VALUES (-5, '2031-01-01', 1)
INSERT INTO measurement (sensor_id, taken_at, value) SELECT min(id), '2031-01-01', NULL FROM sensor
INSERT INTO measurement (sensor_id, taken_at, value) SELECT min(id), '2031-01-01', -274 FROM sensor
INSERT INTO measurement (sensor_id, taken_at, value) VALUES (NULL, '2031-01-01', 1)
INSERT INTO measurement (sensor_id, taken_at, value) SELECT min(id), NULL, 1 FROM sensor
INSERT INTO sensor (name) VALUES (NULL)
INSERT INTO measurement (sensor_id, taken_at, value, station_id) SELECT min(id), '2031-01-01', 1, 77 FROM sensor
INSERT INTO sensor (name) VALUES ('moved')
INSERT INTO alarm (reading_id, said) VALUES (-5, 'x')
SQL
used g2 || failed "the new shape refuses what is good, or takes what is not"
rm .graded
[ "$(child "$up
$p -d g2 -c \"$(hash_of "$new")\" && down g2 backfill && down g2 expand && $p -d g2 -c \"$(hash_of "$old")\"" | uniq | wc -l)" = 1 ] || failed "the way back loses what was written to the new shape"
child "$up
down g backfill && down g expand" > /dev/null || failed "there is no way back"
said=$(child "$p -d g -c \"SELECT coalesce(to_regclass('measurement')::text, 'gone') || coalesce(to_regclass('sensor')::text, 'gone') || (SELECT count(*) FROM pg_trigger WHERE NOT tgisinternal)\"; $p -d g -c \"$(hash_of "$old")\"")
[ "$said" = "gonegone0
$other" ] || failed "the way back leaves something: $said"
child "$up
up g expand && up g backfill && up g contract" > /dev/null || failed "forwards again, with contract, does not run"
said=$(child "$p -d g -c \"$(hash_of "$new")\"; $p -d g -c \"SELECT coalesce(to_regclass('reading')::text, 'gone')\"")
[ "$said" = "$other
gone" ] || failed "after contract: $said"
printf "INSERT INTO alarm (reading_id, said) VALUES (-5, 'x')\nINSERT INTO measurement (sensor_id, taken_at, value) SELECT sensor_id, taken_at, 1 FROM measurement LIMIT 1\n" > .graded
used g || failed "after contract the new shape is not what the old one was"
rm .graded
said=$(child "$p -d app -c \"$differing\"; $p -d app -c \"$(hash_of "$old")\"; psql -qd app -c 'DROP DATABASE g' -c 'DROP DATABASE g2'
psql -qd app -c 'CREATE DATABASE again TEMPLATE template0'; $p -d again -f backup/app.sql > /dev/null; $p -d again -c \"$(hash_of "$old")\"; psql -qd control -c 'CREATE DATABASE f TEMPLATE app'")
{ read -r count; read -r mine; read -r other; } <<< "$said"
[ "$count" = 0 ] && [ -n "$mine" ] && [ "$mine" = "$other" ] || failed "app is not as it should be: $said"
said=$(child "said() { $p -d f -f compare.sql 2> /dev/null | tail -n 1; }
said
while read -r fault; do
  $p -d f -c 'SET session_replication_role = replica' -c \"\$fault\" > /dev/null; said; psql -qd control -c 'DROP DATABASE f' -c 'CREATE DATABASE f TEMPLATE app'
done <<< 'DELETE FROM measurement WHERE id = 1001
UPDATE measurement SET note = NULL WHERE id = 1002
UPDATE measurement SET taken_at = taken_at - interval \$\$1 hour\$\$ WHERE id = 1000
UPDATE measurement SET value = round(value, 1) WHERE id = 1003'")
[[ "$said" =~ ^differences:\ 0$'\n'(differences:\ [1-9][0-9]*$'\n'?){4}$ ]] || failed "compare.sql says: $said"
echo "the migration goes there and back over other rows, and the comparison sees faults"
exit 0
