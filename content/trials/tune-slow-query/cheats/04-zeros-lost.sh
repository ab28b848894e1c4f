#!/bin/bash
# playbook-library trial canary 3f2c1f0e-8d57-4f7c-9a06-b1f0f6a6c9d2: not for training
# The cast goes, the index that is there serves, and old numbers in eight digits are not found.
set -euo pipefail
. "$SHARED/parts.inc"
inventory
by_rewrite
mv wrong.sql new.sql
sed 's/count(\*) FILTER (WHERE lost)/count(*)/' new.sql > wrong.sql
applied
