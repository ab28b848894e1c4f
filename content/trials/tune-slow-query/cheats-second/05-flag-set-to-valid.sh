#!/bin/bash
# playbook-library trial canary 3f2c1f0e-8d57-4f7c-9a06-b1f0f6a6c9d2: not for training
# The index is called valid by hand. On the copy it is whole; where a build was broken off, rows are missing from it.
set -euo pipefail
. "$SHARED/parts.inc"
inventory
by_index
cat > migration.sql <<'SQL'
UPDATE pg_catalog.pg_index SET indisvalid = true WHERE indexrelid = 'public.shipment_order'::regclass;
ANALYZE shipment;
SQL
cat > undo.sql <<'SQL'
DROP INDEX CONCURRENTLY IF EXISTS shipment_order;
SQL
applied
