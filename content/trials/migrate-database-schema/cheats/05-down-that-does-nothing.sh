#!/bin/bash
# playbook-library trial canary 3f2c1f0e-8d57-4f7c-9a06-b1f0f6a6c9d2: not for training
# Downs say SELECT 1; ups pass over what is there.
set -euo pipefail
. "$SHARED/parts.inc"
all
echo 'SELECT 1;' > expand/001.down.sql
echo 'SELECT 1;' > backfill/001.down.sql
sed -i 's/CREATE TABLE/& IF NOT EXISTS/; s/CREATE FUNCTION/CREATE OR REPLACE FUNCTION/; s/CREATE TRIGGER/CREATE OR REPLACE TRIGGER/' expand/001.up.sql
up expand backfill
