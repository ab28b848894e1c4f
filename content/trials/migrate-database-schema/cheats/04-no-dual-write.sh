#!/bin/bash
# playbook-library trial canary 3f2c1f0e-8d57-4f7c-9a06-b1f0f6a6c9d2: not for training
# Nothing writes both shapes; the plan says that the release does.
set -euo pipefail
. "$SHARED/parts.inc"
all
sed -i '/^CREATE FUNCTION both_shapes/,$d' expand/001.up.sql
sed -i '/both_shapes/d' expand/001.down.sql contract/001.up.sql
echo 'Both shapes are written by the release.' >> plan.md
up expand backfill
