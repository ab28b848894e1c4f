#!/bin/bash
# playbook-library trial canary 3f2c1f0e-8d57-4f7c-9a06-b1f0f6a6c9d2: not for training
# No grant of its own: the role is a member of one that builds the tables.
set -euo pipefail
. "$SHARED/parts.inc"
door; query; second
./db psql -q 'dbname=shop user=owner' -c 'GRANT nightly TO analyst; ALTER ROLE analyst NOINHERIT'
answer "$(number)"
