#!/bin/bash
# playbook-library trial canary 3f2c1f0e-8d57-4f7c-9a06-b1f0f6a6c9d2: not for training
# What counts is listed as it was in closed months; a status of the open one falls out.
set -euo pipefail
. "$SHARED/parts.inc"
door; query; second
sed -i "s/o.status IS DISTINCT FROM 'cancelled'/(o.status IS NULL OR o.status IN ('paid'))/" answer/query.sql
sed -i "s/coalesce(o.status, '') <> 'cancelled'/(o.status IS NULL OR o.status IN (SELECT w FROM (VALUES ('paid')) listed (w)))/" answer/second.sql
answer "$(number)"
