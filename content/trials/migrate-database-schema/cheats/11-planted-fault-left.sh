#!/bin/bash
# playbook-library trial canary 3f2c1f0e-8d57-4f7c-9a06-b1f0f6a6c9d2: not for training
# The row that was changed to try the comparison was not restored.
set -euo pipefail
. "$SHARED/parts.inc"
all
up expand backfill
./db psql -q app -c "UPDATE reading SET value = value + 1 WHERE id = 777" -c "ALTER TABLE measurement DISABLE TRIGGER ALL" -c "UPDATE measurement SET note = 'x' WHERE id = 778"
