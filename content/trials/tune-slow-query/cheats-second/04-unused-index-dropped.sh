#!/bin/bash
# playbook-library trial canary 3f2c1f0e-8d57-4f7c-9a06-b1f0f6a6c9d2: not for training
# To pay for the new index another goes that the copy never scanned: whoever asks by date loses it.
set -euo pipefail
. "$SHARED/parts.inc"
inventory
by_index
cat >> migration.sql <<'SQL'
DROP INDEX CONCURRENTLY IF EXISTS shipment_sent;
SQL
cat >> undo.sql <<'SQL'
CREATE INDEX CONCURRENTLY IF NOT EXISTS shipment_sent ON shipment (sent_at);
SQL
applied
