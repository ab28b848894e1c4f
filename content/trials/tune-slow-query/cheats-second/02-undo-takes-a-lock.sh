#!/bin/bash
# playbook-library trial canary 3f2c1f0e-8d57-4f7c-9a06-b1f0f6a6c9d2: not for training
# The migration is gentle, its undo is a plain drop: behind an open transaction all writers queue for its two seconds.
set -euo pipefail
. "$SHARED/parts.inc"
inventory
by_index
cat > undo.sql <<'SQL'
SET lock_timeout = '2s';
DROP INDEX IF EXISTS shipment_order_sent;
SQL
applied
