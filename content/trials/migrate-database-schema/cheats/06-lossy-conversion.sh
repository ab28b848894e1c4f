#!/bin/bash
# playbook-library trial canary 3f2c1f0e-8d57-4f7c-9a06-b1f0f6a6c9d2: not for training
# Values are rounded, blanks trimmed, empty notes made NULL, on both sides of the comparison.
set -euo pipefail
. "$SHARED/parts.inc"
all
sed -i "s/r.value, r.note/round(r.value, 2), nullif(btrim(r.note), '')/" backfill/001.up.sql
sed -i "s/value, note, station_id FROM/round(value, 2) AS value, nullif(btrim(note), '') AS note, station_id FROM/" compare.sql
up expand backfill
