#!/bin/bash
# playbook-library trial canary 3f2c1f0e-8d57-4f7c-9a06-b1f0f6a6c9d2: not for training
# The sentence names our own people as left out; the query has them in a remark.
set -euo pipefail
. "$SHARED/parts.inc"
door; query; second
sed -i "s/ AND NOT EXISTS ($/ -- without our own people/; s/^    SELECT FROM mart.customers.*//" answer/query.sql
answer "$(number)"
