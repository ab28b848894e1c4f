#!/bin/bash
# playbook-library trial canary 3f2c1f0e-8d57-4f7c-9a06-b1f0f6a6c9d2: not for training
# Contract ran on the copy, and a dump of that took the place of the backup.
set -euo pipefail
. "$SHARED/parts.inc"
all
up expand backfill contract
./db pg_dump -d app > backup/app.sql
./db psql -qAt app -c "SELECT 'station', count(*) FROM station UNION ALL SELECT 'reading', count(*) FROM measurement UNION ALL SELECT 'alarm', count(*) FROM alarm" > backup/counts.txt
echo "SELECT 'differences: ' || count(*) FROM measurement a FULL JOIN measurement b USING (id) WHERE a IS DISTINCT FROM b;" > compare.sql
printf 'INSERT INTO measurement SELECT * FROM reading;\nDROP TABLE reading;\n' > contract/001.up.sql
