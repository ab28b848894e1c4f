#!/bin/bash
# playbook-library trial canary 3f2c1f0e-8d57-4f7c-9a06-b1f0f6a6c9d2: not for training
# Notes are trimmed and cut, in the copy and on both sides of the comparison.
set -euo pipefail
. "$SHARED/parts.inc"
all
sed -i 's/  note text,/  note varchar(10),/; s/new.value, new.note,/new.value, left(btrim(new.note), 10),/' expand/001.up.sql
sed -i 's/r.value, r.note,/r.value, left(btrim(r.note), 10),/' backfill/001.up.sql
sed -i 's/value, note, station_id FROM/value, left(btrim(note), 10) AS note, station_id FROM/' compare.sql
up expand backfill
[ "$(./db psql -X -qAt app -f compare.sql | tail -n 1)" = 'differences: 0' ]
