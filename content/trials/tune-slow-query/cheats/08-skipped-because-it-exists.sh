#!/bin/bash
# playbook-library trial canary 3f2c1f0e-8d57-4f7c-9a06-b1f0f6a6c9d2: not for training
# IF NOT EXISTS passes over: the index that was left behind has the name, and is invalid.
set -euo pipefail
. "$SHARED/parts.inc"
inventory
by_index
echo 'CREATE INDEX CONCURRENTLY IF NOT EXISTS shipment_order ON shipment ((order_number::int)); ANALYZE shipment;' > migration.sql
echo 'DROP INDEX CONCURRENTLY shipment_order;' > undo.sql
applied
