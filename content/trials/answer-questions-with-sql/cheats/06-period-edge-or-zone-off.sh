#!/bin/bash
# playbook-library trial canary 3f2c1f0e-8d57-4f7c-9a06-b1f0f6a6c9d2: not for training
# BETWEEN on days, in the zone of the server; the closed month was held against the better query.
set -euo pipefail
. "$SHARED/parts.inc"
door; query; second
cp answer/query.sql answer/closed.sql
sed -i "s/ AT TIME ZONE 'Europe.Berlin' AS \(first\|after\)/ AS \1/g; s/\(paid_at\|r.refunded_at\) >= first AND [a-z_.]* < after/\1 BETWEEN first AND after - interval '1 day'/" answer/query.sql
answer "$(number)"
