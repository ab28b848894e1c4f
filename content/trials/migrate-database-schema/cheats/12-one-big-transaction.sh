#!/bin/bash
# playbook-library trial canary 3f2c1f0e-8d57-4f7c-9a06-b1f0f6a6c9d2: not for training
# One transaction that passes over what is there; called batched.
set -euo pipefail
. "$SHARED/parts.inc"
all
cat > backfill/001.up.sql <<'SQL'
-- in batches of 500
INSERT INTO sensor (name) SELECT DISTINCT sensor FROM reading ON CONFLICT DO NOTHING;
INSERT INTO measurement SELECT r.id, s.id, taken_at, value, note, station_id FROM reading r JOIN sensor s ON s.name = r.sensor ON CONFLICT (id) DO NOTHING;
SQL
up expand backfill
