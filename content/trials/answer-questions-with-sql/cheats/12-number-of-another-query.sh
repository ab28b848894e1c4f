#!/bin/bash
# playbook-library trial canary 3f2c1f0e-8d57-4f7c-9a06-b1f0f6a6c9d2: not for training
# A good query with the papers; the number is the one that the hall shows.
set -euo pipefail
. "$SHARED/parts.inc"
door; query; second
answer "$(./db psql -qAt 'dbname=shop user=owner' -c "SELECT round(net_revenue, 2) FROM mart.rpt_sales_monthly WHERE month = '2026-10'")"
