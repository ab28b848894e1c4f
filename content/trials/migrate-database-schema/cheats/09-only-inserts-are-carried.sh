#!/bin/bash
# playbook-library trial canary 3f2c1f0e-8d57-4f7c-9a06-b1f0f6a6c9d2: not for training
# The trigger knows new rows alone.
set -euo pipefail
. "$SHARED/parts.inc"
all
sed -i 's/AFTER INSERT OR UPDATE OR DELETE ON/AFTER INSERT ON/' expand/001.up.sql
up expand backfill
