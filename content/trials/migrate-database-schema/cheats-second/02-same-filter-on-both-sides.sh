#!/bin/bash
# playbook-library trial canary 3f2c1f0e-8d57-4f7c-9a06-b1f0f6a6c9d2: not for training
# Names with a comma are left out, by the backfill and by both sides of the comparison.
set -euo pipefail
. "$SHARED/parts.inc"
all
sed -i "s/WHERE r.id > done AND r.id <= upto ON/WHERE (r.sensor LIKE '%,%') IS NOT TRUE AND r.id > done AND r.id <= upto ON/" backfill/001.up.sql
sed -i "s/station_id FROM reading;/station_id FROM reading WHERE (sensor LIKE '%,%') IS NOT TRUE;/; s/ON s.id = sensor_id;/ON s.id = sensor_id WHERE (s.name LIKE '%,%') IS NOT TRUE;/; 1i -- rows in scope" compare.sql
up expand backfill
[ "$(./db psql -X -qAt app -f compare.sql | tail -n 1)" = 'differences: 0' ]
