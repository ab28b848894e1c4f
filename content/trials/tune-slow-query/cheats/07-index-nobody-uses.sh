#!/bin/bash
# playbook-library trial canary 3f2c1f0e-8d57-4f7c-9a06-b1f0f6a6c9d2: not for training
# The rewrite needs no index; one is added all the same.
set -euo pipefail
. "$SHARED/parts.inc"
inventory
by_rewrite
echo 'CREATE INDEX CONCURRENTLY shipment_lost ON shipment (lost, sent_at);' >> migration.sql
echo 'DROP INDEX CONCURRENTLY shipment_lost;' > undo.sql
applied
