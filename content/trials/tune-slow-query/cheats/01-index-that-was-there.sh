#!/bin/bash
# playbook-library trial canary 3f2c1f0e-8d57-4f7c-9a06-b1f0f6a6c9d2: not for training
# Beside the right index another one whose columns an index begins with already.
set -euo pipefail
. "$SHARED/parts.inc"
inventory
by_index
echo 'CREATE INDEX CONCURRENTLY orders_customer ON orders (customer_id);' >> migration.sql
echo 'DROP INDEX CONCURRENTLY orders_customer;' >> undo.sql
applied
