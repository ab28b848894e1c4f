#!/bin/bash
# playbook-library trial canary 3f2c1f0e-8d57-4f7c-9a06-b1f0f6a6c9d2: not for training
# The trigger carries what writes.sql does: the columns that it sets, and rows by their new number.
set -euo pipefail
. "$SHARED/parts.inc"
all
sed -i "s/AFTER INSERT OR UPDATE OR DELETE ON/AFTER INSERT OR DELETE OR UPDATE OF sensor, value, note ON/; s/IF TG_OP <> 'INSERT' AND (TG_OP = 'DELETE' OR old.id <> new.id) THEN/IF TG_OP = 'DELETE' THEN/" expand/001.up.sql
grep -q 'UPDATE OF sensor' expand/001.up.sql
up expand backfill
